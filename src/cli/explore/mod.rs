//! `chuhe explore`: what games say about a position. Games are read once, or kept in an index.

mod output;

use super::position_args::{self, FaultPrinter, PositionError};
use super::read_games::{self, GameReading, ReadGamesError};
use super::values::{parse_side, worded};
use chuhe_study::explorer::{GameDate, GameFilter, GameIndex, IndexError, IndexWriter, PositionCounter};
use chuhe_study::reader::choose_notation;
use chuhe_support::files::is_stdio;
use chuhe_support::interrupts::EXIT_INTERRUPTED;
use chuhe_support::language::{print_error, reason, tr};
use clap::Args;
use output::OutputFormat;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use thiserror::Error;
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

/// Why `chuhe explore` gave up.
#[derive(Debug, Error)]
pub enum ExploreError {
    #[error(transparent)]
    Position(#[from] PositionError),
    #[error(transparent)]
    Reading(#[from] ReadGamesError),
    #[error(transparent)]
    Index(#[from] IndexError),
    #[error("{}", tr!("an index takes files: games from standard input are not kept"))]
    Stdin,
    #[error("{}", tr!("cannot write the answer: {cause}", cause = reason(_0)))]
    Output(#[from] io::Error),
}

/// Answers; the exit code says whether all games could be read.
pub fn run(args: &ExploreArgs, out: &mut dyn Write) -> Result<ExitCode, ExploreError> {
    choose_notation(args.notation);
    let position = args.position.as_deref().map_or_else(|| Ok(Position::start()), position_args::parse_position)?;
    let filter = GameFilter {
        player: read_games::player(&args.player)?,
        colour: args.colour,
        since: args.since,
        until: args.until,
        results: args.result.clone(),
        source: args.source.clone(),
    };
    let files = read_games::files(&args.files)?;
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
                return Err(ReadGamesError::NoGames.into());
            }
            counter.finish()
        }
    };
    let is_incomplete = reading.is_incomplete;
    if reading.finish() {
        return Ok(ExitCode::from(EXIT_INTERRUPTED));
    }
    let format = match args {
        ExploreArgs { json: true, .. } => OutputFormat::Json,
        ExploreArgs { csv: true, .. } => OutputFormat::Csv,
        _ => OutputFormat::Text,
    };
    output::write(&position, &answer, format, args.notation, !filter.is_empty(), out)?;
    Ok(if is_incomplete { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

/// Adds the games of the files that are new.
fn extend_index(reading: &mut GameReading, folder: &Path, files: &[PathBuf]) -> Result<(), ExploreError> {
    if files.iter().any(|file| is_stdio(file)) {
        return Err(ExploreError::Stdin);
    }
    let mut index = IndexWriter::open(folder)?;
    for (done, file) in files.iter().enumerate() {
        let mut faults = FaultPrinter::of(file);
        let source = match read_games::open_source(file) {
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
