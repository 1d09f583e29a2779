//! `chuhe play`: what the command line asks for, and which game it is to be.

use super::game::{self, GameError, What};
use super::values::one_of;
use super::values::within;
use crate::interrupts::INTERRUPTED;
use crate::play::conversation::Conversation;
use crate::play::error::PlayError;
use crate::play::listener::Listener;
use crate::play::voice::Voice;
use crate::play::words;
use chuhe_engine::files::is_standard;
use chuhe_engine::language::tr;
use chuhe_engine::rules::{RuleSet, Rules};
use chuhe_toolkit::game::pgn;
use chuhe_toolkit::game::saved_games::{self, SavedGames};
use chuhe_toolkit::game::{Clocks, Game, Seat};
use chuhe_toolkit::player::{FULL_ELO, LEAST_ELO, Strength, StrengthError, TimeControl};
use chuhe_toolkit::record::Setup;
use clap::Args;
use signal_hook::consts::SIGINT;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use thiserror::Error;

const EXAMPLES: &str = "\
Examples:
  chuhe play                        you are red, the engine plays at level 8, like a strong club player
  chuhe play --level 4              an easier one
  chuhe play --side black --level 3
  chuhe play --time 10              as strong as it can in ten seconds a move
  chuhe play --side both            two people, or one who looks for something; `hint` helps
  chuhe play --clock 600+5          ten minutes each and five seconds for every move
  chuhe play my.pgn                 go on with this game

Moves are typed as 炮二平五, C2=5, h2e2 or H2-E2, and in short where only one move fits; `help` lists
the rest. The game is kept after every move: if it is left, the next `chuhe play` offers to go on.";

/// What `chuhe play` is told.
#[derive(Args, Debug, Clone)]
#[command(after_help = EXAMPLES)]
pub struct PlayArgs {
    /// What you play [default: red]
    #[arg(long, value_parser = one_of::<Seat>(&["red", "black", "both"]))]
    side: Option<Seat>,
    /// How strong the engine plays, from 1 (a beginner) to 20 (all it can) [default: 8, a strong club player; 4 is easier]
    #[arg(long, value_name = "1-20", group = "strength", value_parser = within::<u8>(1..=20))]
    level: Option<u8>,
    /// How strong the engine plays, as a rough Elo number
    #[arg(long, value_name = "1000-3500", group = "strength", value_parser = within::<u16>(LEAST_ELO as u16..=FULL_ELO as u16))]
    elo: Option<u16>,
    /// Play as strong as it can within so many seconds a move
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
    /// Go on with the game in this file, of any format that convert reads; `save` writes it there
    #[arg(long, value_name = "FILE")]
    game: Option<PathBuf>,
    /// Which game of the file: 1 is the first, -1 the last
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = game::which)]
    number: i64,
    /// The rules of repetition: asian, league, computer, cxa, tiantian or none [default: asian]
    #[arg(long, value_name = "SET")]
    rules: Option<RuleSet>,
    /// Plies without a capture that draw the game, 0 = never [default: 120; 100 by league rules]
    #[arg(long, value_name = "N")]
    natural_limit: Option<usize>,
}

/// Why there is no game.
#[derive(Debug, Error)]
pub enum RunError {
    /// What was named is none.
    #[error(transparent)]
    Named(#[from] GameError),
    /// The game would be typed.
    #[error("{}", tr!("-: standard input is where moves are typed; name a file"))]
    Dash,
    /// It cannot be played.
    #[error(transparent)]
    Play(#[from] PlayError),
}

/// The strength that is named so.
fn seconds(text: &str) -> Result<Strength, StrengthError> {
    format!("time {text}").parse()
}

/// Plays.
pub fn run(args: &PlayArgs, out: &mut dyn Write, is_terminal: bool) -> Result<(), RunError> {
    let chosen = chosen(args)?;
    Ok(play(args, chosen, Voice::new(out, is_terminal))?)
}

/// A game, where `save` is to write it, and what is to be said about that.
type Chosen = (Game, Option<PathBuf>, Vec<String>);

fn play(args: &PlayArgs, (game, file, told): Chosen, voice: Voice) -> Result<(), PlayError> {
    let is_person = io::stdin().is_terminal();
    let pressed = Arc::new(AtomicBool::new(false));
    if is_person {
        // A second Ctrl-C that finds the first one unheard ends the program: the game is kept all the same.
        signal_hook::flag::register_conditional_shutdown(SIGINT, INTERRUPTED.into(), Arc::clone(&pressed))?;
        signal_hook::flag::register(SIGINT, Arc::clone(&pressed))?;
    }
    let mut table = Conversation::new(game, Listener::new(is_person)?, voice, pressed)?;
    table.file = file;
    told.iter().try_for_each(|line| table.voice.say(line))?;
    if is_person && !sits_down(args, &mut table)? {
        return Ok(());
    }
    table.play()
}

impl PlayArgs {
    /// What the game begins with: the start position, unless something is named.
    fn beginning(&self) -> Result<What, GameError> {
        match (&self.game, &self.fen) {
            (Some(file), _) => Ok(What::File(file.clone())),
            (None, Some(fen)) => Ok(What::Setup(Setup::of(fen))),
            (None, None) => game::what(&self.words.join(" ")),
        }
    }

    fn names_a_game(&self) -> bool {
        self.game.is_some() || self.fen.is_some() || !self.words.is_empty()
    }
}

/// The game that the command line asks for.
fn chosen(args: &PlayArgs) -> Result<Chosen, RunError> {
    let mut told = Vec::new();
    let (mut file, setup) = match args.beginning()? {
        What::File(file) if is_standard(&file) => return Err(RunError::Dash),
        What::File(file) => (Some(file), Setup::default()),
        What::Setup(setup) => (None, setup),
    };
    let open = |file: &PathBuf| saved_games::open(file, args.number);
    let found = file.as_ref().map(open).transpose().map_err(PlayError::from)?.flatten();
    let mut game = match found {
        None => Game::of_setup(&setup).map_err(GameError::from)?,
        Some((record, count)) => {
            if count > 1 {
                let number = if args.number > 0 { args.number } else { count as i64 + 1 + args.number };
                told.push(tr!("Game {number} of {count}; `save` wants another name for it.", number, count));
                file = None;
            }
            if record.nodes().count() > record.played().count() + 1 {
                told.push(tr!("Its variations are not part of what `save` writes."));
            }
            pgn::read(record)
        }
    };
    if let Some(path) = file.as_ref().filter(|path| !path.exists()) {
        told.push(tr!("{path} is not there yet: `save` will write it.", path = path.display()));
    }
    adapt(args, &mut game);
    Ok((game, file, told))
}

/// What the command line says about a game goes before what its record says.
fn adapt(args: &PlayArgs, game: &mut Game) {
    game.seat = args.side.unwrap_or(game.seat);
    if let Some(set) = args.rules {
        game.rules = Rules::of(set);
    }
    game.rules.natural_limit = args.natural_limit.unwrap_or(game.rules.natural_limit);
    if let Some(control) = args.clock {
        game.clocks = Some(Clocks::new(control, None, game.moves().len()));
    }
    let by_number = args.level.map(Strength::Level).or(args.elo.map(Strength::Elo));
    game.strength = args.time.or(by_number).unwrap_or(game.strength);
    game.judge();
}

/// Looks among a person's saved games, where there may be one that was left unfinished. False if he leaves at once.
fn sits_down(args: &PlayArgs, table: &mut Conversation) -> Result<bool, PlayError> {
    match SavedGames::open() {
        Ok(Some(saved)) => table.saved = Some(saved),
        Ok(None) => {
            table.voice.say(&tr!("Another game is being played: this one is kept only if you `save` it."))?
        }
        Err(error) => table.voice.say(&tr!("The game is kept only if you `save` it: {error}", error))?,
    }
    let left = table.saved.as_ref().map(SavedGames::unfinished);
    match left {
        Some(Ok(Some(game))) => {
            let wants_another = args.names_a_game();
            let question = tr!(
                "There is an unfinished game: {moves}, you play {side}, Chuhe at {strength}. Go on with it?",
                moves = words::count_of_moves(game.moves().len()),
                side = game.seat.word(),
                strength = game.strength.told()
            );
            let goes_on = if wants_another { Some(false) } else { table.is_told_yes(&question, true)? };
            match goes_on {
                Some(true) => {
                    table.game = game;
                    adapt(args, &mut table.game);
                    return Ok(true);
                }
                Some(false) => {}
                None => return Ok(false),
            }
        }
        Some(Err(error)) => table.voice.say(&tr!("The unfinished game cannot be read: {error}", error))?,
        _ => {}
    }
    table.put_away()?;
    Ok(true)
}
