//! `chuhe explore`: what games say about a position, as a table for people, as JSON and as CSV. Games are read once, or kept
//! in an index.

use super::error::{CliError, cli_error};
use super::games::{self, GameReading};
use super::position_args::{self, FaultPrinter};
use super::values::{group_digits, parse_side, worded};
use chuhe_study::book::opening_names::{self, OpeningName};
use chuhe_study::explorer::{Answer, FoundGame, GameDate, GameFilter, GameIndex, IndexWriter, PositionCounter, Tally};
use chuhe_study::reader::{choose_notation, chosen_notation, move_in};
use chuhe_study::review::player_name;
use chuhe_support::files::is_stdio;
use chuhe_support::interrupts::EXIT_INTERRUPTED;
use chuhe_support::language::{Language, print_error, tr};
use chuhe_support::text_width::{pad_left, pad_right};
use clap::Args;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use xiangqi::{Color, Position};
use xiangqi_record::{GameResult, Notation};

const EXAMPLES: &str = "\
Examples:
  chuhe explore games/                       the first moves of the games in a folder
  chuhe explore games.pgn --position 'startpos moves h2e2 h9g7'
  chuhe explore games/ --index club.index    keep what is read; later only new games are read
  chuhe explore --index club.index --position 'h2e2' --player 王嘉良 --colour red --games 10
  chuhe explore --index club.index --since 2020 --result 1-0 --json

Mirrored positions and other orders of moves are joined. Without an index all plies of the games are looked at, with
one the first 30. GAMES are files of any format that convert reads, files of `learn play`, and folders of them.";

/// Arguments of `chuhe explore`.
#[derive(Args, Debug, Clone)]
#[command(after_help = EXAMPLES)]
pub struct ExploreArgs {
    /// Files of games, or folders of them
    #[arg(value_name = "GAMES", required_unless_present = "index")]
    files: Vec<PathBuf>,
    /// The position: a FEN or `startpos`, each also with `moves m1 m2 …`; moves alone; or a file with a game that ends there
    /// [default: startpos]
    #[arg(long, value_name = "POSITION")]
    position: Option<String>,
    /// A folder that keeps the first 30 plies of all games given so far; made if it is not there
    #[arg(long, value_name = "FOLDER")]
    index: Option<PathBuf>,
    /// Only games of this player; again for other names of the same person
    #[arg(long, value_name = "NAME")]
    player: Vec<String>,
    /// The side of the player: red or black
    #[arg(long, value_name = "SIDE", requires = "player", value_parser = parse_side)]
    colour: Option<Color>,
    /// Only games of this day or later: 2026, 2026-11 or 2026-11-27
    #[arg(long, value_name = "DATE")]
    since: Option<GameDate>,
    /// Only games of this day or earlier
    #[arg(long, value_name = "DATE")]
    until: Option<GameDate>,
    /// Only games with this result: 1-0, 0-1, 1/2-1/2 or *; again for another one
    #[arg(long, value_name = "RESULT", value_parser = parse_result)]
    result: Vec<GameResult>,
    /// Only games of files whose path has this part
    #[arg(long, value_name = "TEXT")]
    source: Option<String>,
    /// Also list so many of the games, the latest first
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    games: usize,
    /// How moves are written: ICCS, UCI, WXF, Chinese or Vietnamese [default: Chinese in Chinese, or else UCI]
    #[arg(long, value_name = "NOTATION", value_parser = worded::<Notation>)]
    notation: Option<Notation>,
    /// Answer with a JSON object
    #[arg(long, conflicts_with = "csv")]
    json: bool,
    /// Answer with a table of comma-separated values
    #[arg(long)]
    csv: bool,
}

fn parse_result(text: &str) -> Result<GameResult, String> {
    let known = GameResult::from_token(text).or_else(|| GameResult::from_words(text));
    known.ok_or_else(|| tr!("'{text}' is no result: expected 1-0, 0-1, 1/2-1/2 or *", text))
}

/// Answers; the exit code says whether all games could be read.
pub fn run(args: &ExploreArgs, out: &mut dyn Write) -> Result<ExitCode, CliError> {
    choose_notation(args.notation);
    let position = args.position.as_deref().map_or_else(|| Ok(Position::start()), position_args::parse_position)?;
    let filter = GameFilter {
        player: games::player(&args.player)?,
        colour: args.colour,
        since: args.since,
        until: args.until,
        results: args.result.clone(),
        source: args.source.clone(),
    };
    let files = games::files(&args.files)?;
    let mut reading = GameReading::new(files.len())?;
    let answer = match &args.index {
        Some(folder) => {
            if !files.is_empty() {
                extend_index(&mut reading, folder, &files)?;
            }
            GameIndex::open(folder)?.ask(&position, &filter, args.games)?
        }
        None => {
            let mut counter = PositionCounter::new(&position, filter.clone(), args.games);
            if reading.each(&files, &mut |game, file, number| counter.add(game, file, number))? == 0 {
                return Err(games::no_games());
            }
            counter.finish()
        }
    };
    let is_incomplete = reading.is_incomplete;
    if reading.finish() {
        return Ok(ExitCode::from(EXIT_INTERRUPTED));
    }
    match args {
        ExploreArgs { json: true, .. } => writeln!(out, "{}", answer.to_json(&position))?,
        ExploreArgs { csv: true, .. } => write_csv(&position, &answer, out)?,
        _ => write_text(&position, &answer, args.notation, !filter.is_empty(), out)?,
    }
    Ok(if is_incomplete { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

/// Adds the games of the files that are new.
fn extend_index(reading: &mut GameReading, folder: &Path, files: &[PathBuf]) -> Result<(), CliError> {
    if files.iter().any(|file| is_stdio(file)) {
        return Err(cli_error!("an index takes files: games from standard input are not kept"));
    }
    let mut index = IndexWriter::open(folder)?;
    for (done, file) in files.iter().enumerate() {
        let mut faults = FaultPrinter::of(file);
        let source = match games::open_source(file) {
            Ok(source) => source,
            // A file that cannot be read does not keep the others from being added.
            Err(error) => {
                print_error(|| error.to_string());
                reading.is_incomplete = true;
                continue;
            }
        };
        let added = index.add_file(source, &mut |fault| faults.print(fault), &mut |games| {
            reading.show(done, file, games);
            !reading.is_stopped()
        });
        reading.is_incomplete |= faults.has_printed();
        added?;
        if reading.is_stopped() {
            break;
        }
    }
    Ok(index.finish()?)
}

/// The columns of the bar of results.
const BAR_WIDTH: usize = 24;

fn write_csv(position: &Position, answer: &Answer, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "move,games,red,draws,black,score,last")?;
    for entry in &answer.moves {
        let Tally { games, red, draws, black, last } = entry.tally;
        let score = entry.tally.score(position.side()).map_or(String::new(), |score| format!("{score:.4}"));
        writeln!(out, "{},{games},{red},{draws},{black},{score},{last}", entry.mv)?;
    }
    Ok(())
}

/// The shares of a tally in percent, which add up to 100 but for rounding.
fn percent(tally: &Tally) -> [f64; 3] {
    let decided = (tally.red + tally.draws + tally.black).max(1) as f64;
    [tally.red, tally.draws, tally.black].map(|count| 100.0 * count as f64 / decided)
}

/// Red's share, the draws' and black's as a bar.
fn bar(tally: &Tally) -> String {
    let [red, draws, black] = percent(tally);
    if red + draws + black == 0.0 {
        return " ".repeat(BAR_WIDTH);
    }
    let columns = |percent: f64| (percent / 100.0 * BAR_WIDTH as f64).round() as usize;
    let red = columns(red);
    let draws = columns(100.0 - black).max(red) - red;
    format!("{}{}{}", "█".repeat(red), "▒".repeat(draws), "░".repeat(BAR_WIDTH - red - draws))
}

/// The answer as a table; `is_filtered` says that not all games were asked for.
fn write_text(
    position: &Position,
    answer: &Answer,
    wanted: Option<Notation>,
    is_filtered: bool,
    out: &mut dyn Write,
) -> io::Result<()> {
    let notation = wanted.or(chosen_notation()).unwrap_or(Language::choose(Notation::Chinese, Notation::Uci));
    if let Some(name) = opening_names::name_of_game(position) {
        writeln!(out, "{}", name.bilingual())?;
    }
    let [red, draws, black] = percent(&answer.all).map(|percent| format!("{percent:.0}"));
    let games = group_digits(answer.all.games);
    if answer.all.games == 0 {
        let text = if is_filtered {
            tr!("no game of those that were asked for reached this position")
        } else {
            tr!("no game reached this position")
        };
        return writeln!(out, "{text}");
    }
    let text = tr!("{games} games: red won {red} %, drawn {draws} %, black won {black} %", games, red, draws, black);
    writeln!(out, "{text}")?;
    if answer.moves.is_empty() {
        return writeln!(out, "{}", tr!("all games ended here"));
    }
    let score = if position.side() == Color::Red { tr!("red's score") } else { tr!("black's score") };
    writeln!(
        out,
        "{} {} {}  {} {}  {}",
        pad_right(&tr!("move"), 10),
        pad_left(&tr!("games"), 10),
        pad_left(&tr!("share"), 8),
        pad_right(&tr!("red / drawn / black"), BAR_WIDTH),
        pad_left(&score, 14),
        tr!("last")
    )?;
    for entry in &answer.moves {
        let tally = &entry.tally;
        let share = format!("{:.1} %", 100.0 * tally.games as f64 / answer.all.games.max(1) as f64);
        let score = tally.score(position.side()).map_or("-".to_string(), |score| format!("{:.1} %", 100.0 * score));
        let name = opening_names::name_after(position, entry.mv).map_or(String::new(), OpeningName::bilingual);
        let line = format!(
            "{} {} {}  {} {}  {:<10}  {name}",
            pad_right(&move_in(position, entry.mv, notation), 10),
            pad_left(&group_digits(tally.games), 10),
            pad_left(&share, 8),
            bar(tally),
            pad_left(&score, 14),
            tally.last.to_string(),
        );
        writeln!(out, "{}", line.trim_end())?;
    }
    answer.games.iter().try_for_each(|game| write_game(position, game, notation, out))
}

fn write_game(position: &Position, game: &FoundGame, notation: Notation, out: &mut dyn Write) -> io::Result<()> {
    let name = |name: &str| if name.is_empty() { "?".to_string() } else { player_name(name) };
    let mv = game.mv.map_or(String::new(), |mv| move_in(position, mv, notation));
    let (red, black) = (name(&game.facts.red), name(&game.facts.black));
    let result = match game.facts.result {
        GameResult::Unknown => "*",
        known => known.token(),
    };
    let line = format!(
        "{:<10}  {red} – {black}  {result}  {mv}  {}",
        game.facts.date.to_string(),
        tr!("{file}, game {number}", file = game.source, number = game.number)
    );
    writeln!(out, "{}", line.trim_end())
}
