//! The entries of a list: positions with their queries, read one after the other as they are needed.

use super::args::{AnalyseArgs, with_default_time};
use super::error::AnalyseError;
use crate::cli::game_selection::{GameSelection, NumberedGame, is_in_shard};
use crate::cli::position_args::{FaultPrinter, InputError};
use chuhe_study::analyse::{GamePosition, Query};
use chuhe_support::language::{Language, print_error, sanitize};
use serde_json::{Map, Value};
use std::path::Path;
use std::sync::Arc;
use xiangqi_record::{Game, ParsedGame, RecordError, RecordFile, RecordFormat};

/// A game of a file.
pub struct SourceGame {
    /// From 1.
    pub number: usize,
    pub tags: Map<String, Value>,
}

impl SourceGame {
    pub fn of(number: usize, game: &Game) -> Arc<SourceGame> {
        let tags = game.tags.iter().map(|(name, value)| (name.clone(), sanitize(value).into_owned().into()));
        Arc::new(SourceGame { number, tags: tags.collect() })
    }

    /// Identifies a position of this game in the answers.
    pub fn id_at(&self, ply: usize) -> Value {
        Value::from(format!("{}:{ply}", self.number))
    }
}

/// An entry of a list.
pub struct ListEntry {
    /// Its number in the list, from 1.
    pub number: usize,
    pub id: Value,
    /// The game that it comes from.
    pub game: Option<Arc<SourceGame>>,
    /// What is asked about it, or why nothing can be, in English.
    pub query: Result<Query, String>,
}

pub type Entries<'a> = Box<dyn Iterator<Item = ListEntry> + 'a>;

/// A list of positions.
pub struct PositionList<'a> {
    pub entries: Entries<'a>,
    /// Whether it is about several games.
    pub several: bool,
    /// Counts the entries, which takes as long as reading all games; not for a position of the command line.
    pub count: Option<Box<dyn Fn() -> usize + 'a>>,
}

impl PositionList<'_> {
    /// How people are told which position an answer is about: the number in the list, or the game and the ply.
    pub fn label(&self, entry: &ListEntry, every_ply: bool) -> String {
        match entry.id.as_str() {
            Some(id) if self.several && every_ply => id.to_string(),
            _ => entry.number.to_string(),
        }
    }
}

/// A position, or why there is none; with the id and the game of its entry.
type Found = (Value, Option<Arc<SourceGame>>, Result<GamePosition, String>);

/// The positions of the selected games of a file: the last one of each, or every one. Faults are printed as they are met.
pub fn of_file<'a>(file: &Path, source: &'a RecordFile, args: &'a AnalyseArgs) -> Result<Entries<'a>, AnalyseError> {
    let mut faults = FaultPrinter::of(file);
    let selection = args.position.selection().unwrap_or(GameSelection::All);
    let games = selection.games(source).map_err(|error| InputError::of_file(file, error))?;
    // The lines of a list of positions are no games.
    let is_game = args.every_ply || source.format() != RecordFormat::Fen;
    if args.every_ply {
        // Numbers are those of the whole list, whatever part of it is done here.
        let mut next = 1;
        return Ok(Box::new(games.flat_map(move |game| {
            let first = next;
            if !is_in_shard(args.shard, game.0) {
                next += position_count(&game.1, args);
                return Vec::new();
            }
            let found = every_position(game, args, &mut faults);
            next += found.len();
            (first..).zip(found).map(|(number, found)| entry(number, found, args)).collect()
        })));
    }
    let games = games.filter(|(number, _)| is_in_shard(args.shard, *number));
    Ok(Box::new(games.map(move |game| {
        let number = game.0;
        let (game, position) = last_position(game, args, &mut faults);
        let game = game.filter(|_| is_game);
        let id = match (&game, &position) {
            (Some(game), Ok(position)) => game.id_at(position.ply()),
            _ => number.into(),
        };
        entry(number, (id, game, position), args)
    })))
}

/// The number of entries of a file, for the progress bar.
pub fn count(source: &RecordFile, args: &AnalyseArgs) -> usize {
    let selection = args.position.selection().unwrap_or(GameSelection::All);
    let games = selection.games(source).into_iter().flatten().filter(|(number, _)| is_in_shard(args.shard, *number));
    games.map(|(_, reading)| position_count(&reading, args)).sum()
}

/// The number of entries of a game.
fn position_count(reading: &Result<ParsedGame, RecordError>, args: &AnalyseArgs) -> usize {
    match reading {
        Ok(reading) if args.every_ply => match args.position.position_in_game(&reading.game) {
            Ok(last) => last.history_len() + 1 + usize::from(!reading.errors.is_empty()),
            Err(_) => 1,
        },
        _ => 1,
    }
}

/// A position of the command line, or every one of its game.
pub fn of_position<'a>(game_position: &GamePosition, args: &'a AnalyseArgs) -> Entries<'a> {
    let positions = match args.every_ply {
        true => game_position.all().collect(),
        false => vec![game_position.clone()],
    };
    let numbered = (1..).zip(positions).filter(|(number, _)| is_in_shard(args.shard, *number));
    Box::new(numbered.map(|(number, position)| entry(number, (number.into(), None, Ok(position)), args)))
}

fn entry(number: usize, (id, game, position): Found, args: &AnalyseArgs) -> ListEntry {
    let query = position.and_then(|position| match args.query(position) {
        Ok(query) => Ok(Query { clear_hash: true, report_interval: None, ..with_default_time(query) }),
        Err(error) => {
            print_error(|| error.to_string());
            Err(Language::ENGLISH.with(|| error.to_string()))
        }
    });
    ListEntry { number, id, game, query }
}

/// Every position of a game as far as it can be read, and then what is wrong with the rest.
fn every_position(game: NumberedGame, args: &AnalyseArgs, faults: &mut FaultPrinter) -> Vec<Found> {
    let number = game.0;
    let fault = game.1.as_ref().map_or_else(Some, |reading| reading.errors.first()).map(ToString::to_string);
    let (game, position) = last_position((number, game.1), args, faults);
    let Ok(last) = position else {
        return vec![(Value::from(format!("{number}:0")), game, position)];
    };
    let id_at = |ply| Value::from(format!("{number}:{ply}"));
    let positions = last.all().map(|position| (id_at(position.ply()), game.clone(), Ok(position)));
    let fault = fault.map(|fault| (id_at(last.plies() + 1), game.clone(), Err(fault)));
    positions.chain(fault).collect()
}

/// The position of a game that the options select; of every ply the last one that can be reached.
fn last_position(
    (number, reading): NumberedGame,
    args: &AnalyseArgs,
    faults: &mut FaultPrinter,
) -> (Option<Arc<SourceGame>>, Result<GamePosition, String>) {
    let reading = match reading {
        Ok(reading) => reading,
        Err(fault) => {
            faults.print(&fault);
            return (None, Err(fault.to_string()));
        }
    };
    let game = Some(SourceGame::of(number, &reading.game));
    reading.errors.iter().for_each(|fault| faults.print(fault));
    // A position whose moves cannot be played is a different one, so it is left out.
    if let Some(fault) = reading.errors.first().filter(|_| !args.every_ply) {
        return (game, Err(fault.to_string()));
    }
    match args.position.position_in_game(&reading.game) {
        Ok(position) => (game, Ok(GamePosition::from_position(&position))),
        Err(error) => {
            faults.print_text(&error);
            (game, Err(Language::ENGLISH.with(|| error.to_string())))
        }
    }
}
