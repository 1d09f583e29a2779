//! `chuhe analyse`: analyses one position, a list of positions, or the queries of a script.

mod args;
mod error;
mod list;
mod live;
mod output;
mod query_session;
mod resume_log;

pub use args::AnalyseArgs;

use self::args::{ListItem, SourceGame};
use self::error::AnalyseError;
use self::output::TextStyle;
use super::position_args::{self, InputSpec};
use chuhe_study::analyse::GamePosition;
use chuhe_study::review::default_notation;
use chuhe_support::files::{OutputError, is_stdio};
use chuhe_support::language::Language;
use std::io::Write;
use std::process::ExitCode;
use std::sync::Arc;
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
        let is_fen_list = source.format() == RecordFormat::Fen && !args.every_ply;
        if !args.position.names_a_game() && (is_fen_list || position_args::has_several_games(&source)) {
            let (items, is_whole) = args::items_of_file(&file, &source, args)?;
            return Ok(AnalyseInput::List(items, is_whole));
        }
        let reading = position_args::game_of_file(&source, &file, args.position.number())?;
        let is_whole = reading.errors.is_empty();
        let game = position_args::game_with_warnings(&file, reading);
        let number = usize::try_from(args.position.number()).ok();
        let source = number.map(|number| SourceGame::of(number, &game));
        return Ok(of_position(args, &args.position.position_in_game(&game)?, source, is_whole));
    }
    Ok(of_position(args, &args.position.position()?, None, true))
}

fn of_position(args: &AnalyseArgs, position: &Position, game: Option<Arc<SourceGame>>, is_whole: bool) -> AnalyseInput {
    let game_position = GamePosition::from_position(position);
    if args.every_ply {
        let numbered = game_position.all().zip(1..);
        let item = |(game_position, number)| ListItem { number, game: game.clone(), game_position };
        AnalyseInput::List(numbered.map(item).collect(), is_whole)
    } else if args.out.is_some() {
        AnalyseInput::List(vec![ListItem { number: 1, game, game_position }], is_whole)
    } else {
        AnalyseInput::Single(game_position, is_whole)
    }
}
