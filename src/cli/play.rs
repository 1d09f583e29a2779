//! `chuhe play`: the options, and the choice of the game to play.

use super::error::{CliError, cli_error};
use super::position_args::{self, InputSpec};
use super::values::{keyword, number_in, worded};
use crate::play::conversation::TerminalGame;
use crate::play::terminal_io::{LineReader, TerminalWriter};
use crate::play::{PlayError, words};
use chuhe_study::game::saved_games::{self, SavedGames, SavedGamesError};
use chuhe_study::game::{Clocks, LiveGame, Seat, game_record};
use chuhe_study::player::{MAX_ELO, MIN_ELO, Strength, StrengthError, TimeControl};
use chuhe_study::reader::choose_notation;
use chuhe_support::files::is_stdio;
use chuhe_support::interrupts::EXIT_INTERRUPTED;
use chuhe_support::language::tr;
use clap::Args;
use signal_hook::consts::SIGINT;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use xiangqi::{RuleSet, Rules};
use xiangqi_record::{Encoding, Notation, PositionSpec};

const EXAMPLES: &str = "\
Examples:
  chuhe play                        you are red, the engine plays at level 8, like a strong club player
  chuhe play --level 4              an easier one
  chuhe play --side black --level 3
  chuhe play --time 10              as strong as it can in ten seconds a move
  chuhe play --side both            two people, or one who looks for something; `hint` helps
  chuhe play --clock 600+5          ten minutes each and five seconds for every move
  chuhe play my.pgn                 continue this game

Moves are typed as 炮二平五, C2=5, P2-5, h2e2 or H2-E2, and in short where only one move fits; `help` lists the rest. The game
is saved after every move; the next `chuhe play` offers to continue it.";

/// Arguments of `chuhe play`.
#[derive(Args, Debug, Clone)]
#[command(after_help = EXAMPLES)]
pub struct PlayArgs {
    /// What you play [default: red]
    #[arg(long, value_parser = keyword::<Seat>(&["red", "black", "both"]))]
    side: Option<Seat>,
    /// How strong the engine plays, from 1 (a beginner) to 20 (all it can) [default: 8, a strong club player; 4 is easier]
    #[arg(long, value_name = "1-20", group = "strength", value_parser = number_in::<u8>(1..=20))]
    level: Option<u8>,
    /// How strong the engine plays, as a rough Elo number
    #[arg(long, value_name = "1000-3500", group = "strength", value_parser = number_in::<u16>(MIN_ELO as u16..=MAX_ELO as u16))]
    elo: Option<u16>,
    /// Play at full strength with N seconds a move
    #[arg(long, value_name = "SECONDS", group = "strength", value_parser = seconds)]
    time: Option<Strength>,
    /// Play on the clock: [MOVES/]SECONDS[+SECONDS for each move]
    #[arg(long, value_name = "CLOCK")]
    clock: Option<TimeControl>,
    /// Begin with this: a FEN or `startpos`, each also with `moves m1 m2 …` behind it, or the game of a file
    #[arg(value_name = "POSITION", conflicts_with_all = ["fen", "game"])]
    words: Vec<String>,
    /// The same position, as an option
    #[arg(long, value_name = "POSITION", conflicts_with = "game")]
    fen: Option<String>,
    /// Continue the game in this file, in any format that convert reads; `save` writes it there
    #[arg(long, value_name = "FILE")]
    game: Option<PathBuf>,
    /// Which game of the file: 1 is the first, -1 the last
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = position_args::parse_game_number)]
    number: i64,
    /// How `save` writes the characters of PGN and UBB: utf-8, or gbk for XQWizard and other programs of its time
    #[arg(long, default_value = "utf-8", value_parser = worded::<Encoding>)]
    encoding: Encoding,
    /// How moves are written, and read where WXF and Vietnamese differ: ICCS, UCI, WXF, Chinese or Vietnamese [default: in
    /// Chinese, with WXF and squares beside them]
    #[arg(long, value_name = "NOTATION", value_parser = worded::<Notation>)]
    notation: Option<Notation>,
    /// The rules of repetition: asian, league, computer, cxa, tiantian or none [default: asian]
    #[arg(long, value_name = "SET", value_parser = worded::<RuleSet>)]
    rules: Option<RuleSet>,
    /// Plies without a capture that draw the game, 0 = never [default: 120; 100 by league rules]
    #[arg(long, value_name = "N")]
    natural_limit: Option<usize>,
}

/// The strength for a number of seconds.
fn seconds(text: &str) -> Result<Strength, StrengthError> {
    format!("time {text}").parse()
}

/// Plays a game.
pub fn run(args: &PlayArgs, out: &mut dyn Write, is_terminal: bool) -> Result<(), CliError> {
    choose_notation(args.notation);
    let chosen = choose_game(args)?;
    Ok(play(args, chosen, TerminalWriter::new(out, is_terminal))?)
}

/// A game, the file that `save` writes to, and messages about both.
type ChosenGame = (LiveGame, Option<PathBuf>, Vec<String>);

fn play(args: &PlayArgs, (game, file, messages): ChosenGame, writer: TerminalWriter) -> Result<(), PlayError> {
    let is_person = io::stdin().is_terminal();
    let pressed = Arc::new(AtomicBool::new(false));
    if is_person {
        // A second Ctrl-C while the first is still pending ends the program; the game is saved regardless.
        signal_hook::flag::register_conditional_shutdown(SIGINT, EXIT_INTERRUPTED.into(), Arc::clone(&pressed))?;
        signal_hook::flag::register(SIGINT, Arc::clone(&pressed))?;
    }
    let mut table = TerminalGame::new(game, LineReader::new(is_person)?, writer, pressed)?;
    (table.file, table.encoding) = (file, args.encoding);
    messages.iter().try_for_each(|line| table.writer.write_wrapped(line))?;
    if is_person && !offer_saved_game(args, &mut table)? {
        return Ok(());
    }
    table.play()
}

impl PlayArgs {
    /// The initial position or game: the start position unless one is named.
    fn input(&self) -> Result<InputSpec, CliError> {
        match (&self.game, &self.fen) {
            (Some(file), _) => Ok(InputSpec::File(file.clone())),
            (None, Some(fen)) => Ok(InputSpec::Position(PositionSpec::parse(fen))),
            (None, None) => position_args::parse_input(&self.words.join(" ")),
        }
    }

    fn names_a_game(&self) -> bool {
        self.game.is_some() || self.fen.is_some() || !self.words.is_empty()
    }
}

/// The game that the command line asks for.
fn choose_game(args: &PlayArgs) -> Result<ChosenGame, CliError> {
    let mut messages = Vec::new();
    let (mut file, setup) = match args.input()? {
        InputSpec::File(file) if is_stdio(&file) => {
            return Err(cli_error!("-: standard input is where moves are typed; name a file"));
        }
        InputSpec::File(file) => (Some(file), PositionSpec::default()),
        InputSpec::Position(setup) => (None, setup),
    };
    let open = |file: &PathBuf| saved_games::open(file, args.number);
    let found = file.as_ref().map(open).transpose().map_err(PlayError::from)?.flatten();
    let mut game = match found {
        None => LiveGame::from_spec(&setup)?,
        Some((record, count)) => {
            if count > 1 {
                let number = if args.number > 0 { args.number } else { count as i64 + 1 + args.number };
                messages.push(tr!("Game {number} of {count}; `save` wants another name for it.", number, count));
                file = None;
            }
            if record.nodes().count() > record.main_line_nodes().count() + 1 {
                messages.push(tr!("Its variations are not part of what `save` writes."));
            }
            game_record::from_record(record)
        }
    };
    // A name given without `--game` is one of a file that is there: more likely mistyped than meant for a new game.
    if let Some(path) = file.as_ref().filter(|path| args.game.is_none() && !path.exists()) {
        let path = path.display().to_string();
        return Err(cli_error!(
            "{path}: there is no such file (`--game {path}` begins a new game that `save` writes there)",
            path
        ));
    }
    if let Some(path) = file.as_ref().filter(|path| !path.exists()) {
        messages.push(tr!("{path} is not there yet: `save` will write it.", path = path.display()));
    }
    apply_args(args, &mut game);
    Ok((game, file, messages))
}

/// The options override the record of the game.
fn apply_args(args: &PlayArgs, game: &mut LiveGame) {
    game.seat = args.side.unwrap_or(game.seat);
    if let Some(set) = args.rules {
        game.rules = Rules::new(set);
    }
    game.rules.natural_limit = args.natural_limit.unwrap_or(game.rules.natural_limit);
    if let Some(control) = args.clock {
        game.clocks = Some(Clocks::new(control, None, game.moves().len()));
    }
    let by_number = args.level.map(Strength::Level).or(args.elo.map(Strength::Elo));
    game.strength = args.time.or(by_number).unwrap_or(game.strength);
    game.apply_rules();
}

/// Offers the saved unfinished game, if there is one. False if the user leaves.
fn offer_saved_game(args: &PlayArgs, table: &mut TerminalGame) -> Result<bool, PlayError> {
    match SavedGames::open() {
        Ok(saved) => table.saved = Some(saved),
        Err(SavedGamesError::InUse) => {
            table.waits_for_saved = true;
            let text = tr!("Another game is in progress. Until it ends, only `save` saves this one.");
            table.writer.write_wrapped(&text)?
        }
        Err(error) => table.writer.write_wrapped(&tr!("Only `save` saves this game: {error}", error))?,
    }
    let left = table.saved.as_ref().map(SavedGames::unfinished);
    match left {
        Some(Ok(Some(game))) => {
            let wants_another = args.names_a_game();
            let question = tr!(
                "There is an unfinished game: {moves}, you play {side}, Chuhe at {strength}. Continue it?",
                moves = words::count_of_moves(game.moves().len()),
                side = game.seat.phrase(),
                strength = game.strength.describe()
            );
            let goes_on = if wants_another { Some(false) } else { table.ask_yes_no(&question, true)? };
            match goes_on {
                Some(true) => {
                    table.game = game;
                    apply_args(args, &mut table.game);
                    return Ok(true);
                }
                Some(false) => {}
                None => return Ok(false),
            }
        }
        Some(Err(error)) => table.writer.write_wrapped(&tr!("The unfinished game cannot be read: {error}", error))?,
        _ => {}
    }
    table.archive_game()?;
    Ok(true)
}
