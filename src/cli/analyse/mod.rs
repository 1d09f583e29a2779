//! `chuhe analyse`: analyses one position, a list of positions, or the queries of a script.

mod args;
mod error;
mod list;
mod live;
mod output;
mod query_session;
mod resume_log;

pub use args::AnalyseArgs;

use self::args::ListItem;
use self::error::AnalyseError;
use self::output::TextStyle;
use super::position_args::{self, InputSpec};
use chuhe_study::analyse::GamePosition;
use chuhe_study::review::default_notation;
use chuhe_support::files::{OutputError, is_stdio};
use chuhe_support::language::Language;
use std::io::Write;
use std::process::ExitCode;
use xiangqi::Position;
use xiangqi_record::RecordFormat;

/// What to analyse, and whether all of it was readable.
enum AnalyseInput {
    Single(GamePosition, bool),
    List(Vec<ListItem>, bool),
}

/// Runs the analysis. The exit code says whether something was unreadable or was interrupted.
pub fn run(args: &AnalyseArgs, out: &mut dyn Write, is_terminal: bool) -> Result<ExitCode, AnalyseError> {
    if args.stdin {
        return query_session::serve_stdin(args);
    }
    if args.out.as_deref().is_some_and(is_stdio) {
        return Err(OutputError::StdoutNotAllowed.into());
    }
    let input = read_input(args)?;
    let notation = args.notation.unwrap_or_else(default_notation);
    let language = Language::current();
    let style = TextStyle { language, notation, mover_scores: args.mover };
    match input {
        AnalyseInput::Single(game_position, is_whole) => {
            let code = live::run(args, game_position, &style, out, is_terminal)?;
            Ok(if is_whole { code } else { ExitCode::from(1) })
        }
        AnalyseInput::List(..) if args.every.is_some() => Err(AnalyseError::Every),
        AnalyseInput::List(items, is_whole) => list::run(args, &items, is_whole, &style, out),
    }
}

fn read_input(args: &AnalyseArgs) -> Result<AnalyseInput, AnalyseError> {
    if let InputSpec::File(file) = args.position.input()? {
        let source = position_args::open(&file)?;
        let is_list = source.format() == RecordFormat::Fen && !args.position.names_a_game();
        if is_list && !args.every_ply {
            let (items, is_whole) = args::items_of_file(&file, &source, &args.position)?;
            return Ok(AnalyseInput::List(items, is_whole));
        }
        let reading = position_args::game_of_file(&source, &file, args.position.number())?;
        let is_whole = reading.errors.is_empty();
        let position = args.position.position_in_game(&position_args::game_with_warnings(&file, reading))?;
        return Ok(of_position(args, &position, is_whole));
    }
    Ok(of_position(args, &args.position.position()?, true))
}

fn of_position(args: &AnalyseArgs, position: &Position, is_whole: bool) -> AnalyseInput {
    let game_position = GamePosition::from_position(position);
    if args.every_ply {
        let numbered = game_position.all().zip(1..);
        AnalyseInput::List(
            numbered.map(|(game_position, number)| ListItem { number, game_position }).collect(),
            is_whole,
        )
    } else if args.out.is_some() {
        AnalyseInput::List(vec![ListItem { number: 1, game_position }], is_whole)
    } else {
        AnalyseInput::Single(game_position, is_whole)
    }
}
