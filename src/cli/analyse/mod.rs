//! `chuhe analyse`: analyses one position, a list of positions, or the queries of a script.

mod args;
mod entries;
mod error;
mod journal;
mod list;
mod live;
mod output;
mod query_file;
mod query_session;

pub use args::AnalyseArgs;

use self::entries::{PositionList, SourceGame};
use self::error::AnalyseError;
use self::output::TextStyle;
use super::game_selection::GameSelection;
use super::position_args::{self, InputError, InputSpec};
use chuhe_study::analyse::GamePosition;
use chuhe_study::reader::{choose_notation, default_notation};
use chuhe_support::files::{OutputError, is_stdio};
use chuhe_support::language::Language;
use std::io::Write;
use std::process::ExitCode;
use xiangqi_record::{RecordFileError, RecordFormat};

/// Runs the analysis. The exit code says whether something was unreadable or was interrupted.
pub fn run(args: &AnalyseArgs, out: &mut dyn Write, is_terminal: bool) -> Result<ExitCode, AnalyseError> {
    if args.stdin {
        return query_session::serve_stdin(args);
    }
    if args.out.as_deref().is_some_and(is_stdio) {
        return Err(OutputError::StdoutNotAllowed.into());
    }
    choose_notation(args.notation);
    let notation = default_notation();
    let language = Language::current();
    let style = TextStyle { language, notation, mover_scores: args.mover };
    let InputSpec::File(file) = args.position.input()? else {
        let game_position = GamePosition::from_position(&args.position.position()?);
        if args.every_ply || args.out.is_some() {
            let list =
                PositionList { entries: entries::of_position(&game_position, args), several: false, count: None };
            return list::run(args, list, &style, out);
        }
        return live::run(args, game_position, None, &style, out, is_terminal);
    };
    if query_file::is_query_file(&file) {
        // Queries are answered to programs.
        let args = AnalyseArgs { json: true, ..args.clone() };
        let list = PositionList { entries: query_file::entries(&file, &args)?, several: false, count: None };
        return list::run(&args, list, &style, out);
    }
    let source = args.position.open(&file)?;
    let several = match args.position.selection() {
        Some(selection) => !matches!(selection, GameSelection::One(_)),
        None => position_args::has_several_games(&source),
    };
    let is_list_of_positions = source.format() == RecordFormat::Fen && args.position.selection().is_none();
    if several || is_list_of_positions || args.every_ply || args.out.is_some() {
        let entries = entries::of_file(&file, &source, args)?;
        let list = PositionList { entries, several, count: Some(Box::new(|| entries::count(&source, args))) };
        return list::run(args, list, &style, out);
    }
    let selection = args.position.selection().unwrap_or(GameSelection::One(1));
    let unreadable = |error| InputError::of_file(&file, error);
    let mut games = selection.games(&source).map_err(unreadable)?;
    let (number, reading) = games.next().ok_or_else(|| unreadable(RecordFileError::NoGame))?;
    let reading = reading.map_err(|fault| unreadable(fault.into()))?;
    let is_whole = reading.errors.is_empty();
    let game = position_args::game_with_warnings(&file, reading);
    let game_position = GamePosition::from_position(&args.position.position_in_game(&game)?);
    let game = SourceGame::of(number, &game);
    let code = live::run(args, game_position, Some(&game), &style, out, is_terminal)?;
    Ok(if is_whole { code } else { ExitCode::from(1) })
}
