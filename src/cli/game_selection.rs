//! `--game`: which games of a file a command is about; and `--shard`: which of them this machine does.

use chuhe_lab::arena::spec::Shard;
use chuhe_support::language::tr;
use std::str::FromStr;
use thiserror::Error;
use xiangqi_record::{ParsedGame, RecordError, RecordFile, RecordFileError};

/// Which games of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameSelection {
    All,
    /// From 1, or from -1 backwards from the end.
    One(i64),
    /// From the first number to the second one, or to the end of the file.
    Range(usize, Option<usize>),
}

/// A word that selects no games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("{}", tr!("expected the number of a game (1 is the first, -1 the last), a range such as 3..8 or 3.., or all"))]
pub struct GameSelectionError;

impl FromStr for GameSelection {
    type Err = GameSelectionError;

    fn from_str(text: &str) -> Result<GameSelection, GameSelectionError> {
        let number = |text: &str| text.parse().ok().filter(|&number: &usize| number > 0).ok_or(GameSelectionError);
        if text.eq_ignore_ascii_case("all") {
            return Ok(GameSelection::All);
        }
        if let Some((first, last)) = text.split_once("..") {
            let first = number(first)?;
            let last = if last.is_empty() { None } else { Some(number(last)?) };
            return if last.is_some_and(|last| last < first) {
                Err(GameSelectionError)
            } else {
                Ok(GameSelection::Range(first, last))
            };
        }
        text.parse().ok().filter(|&number| number != 0).map(GameSelection::One).ok_or(GameSelectionError)
    }
}

/// A command is about one game, and several were selected.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("{}", tr!("this command is about one game: --game N takes its number"))]
pub struct SeveralGamesError;

/// A game of a file, as far as it can be read, with its number from 1.
pub type NumberedGame = (usize, Result<ParsedGame, RecordError>);

impl GameSelection {
    /// The number of the game, from 1 or from -1, for a command about one game.
    pub fn single(self) -> Result<i64, SeveralGamesError> {
        if let GameSelection::One(number) = self { Ok(number) } else { Err(SeveralGamesError) }
    }

    /// The games of a file, read one after the other; an error if one of these numbers is not there.
    pub fn games(self, source: &RecordFile) -> Result<Box<dyn Iterator<Item = NumberedGame> + '_>, RecordFileError> {
        let (first, last) = match self {
            GameSelection::All => (1, None),
            GameSelection::Range(first, last) => (first, last),
            GameSelection::One(number) => {
                // From the end: how many are there?
                let count = if number < 0 { source.games().count() as i64 + 1 } else { 0 };
                let only = usize::try_from(count + number).ok().filter(|&only| only > 0);
                let only = only.ok_or_else(|| no_game(source, number))?;
                (only, Some(only))
            }
        };
        let required = last.unwrap_or(first);
        if source.games().nth(required - 1).is_none() {
            return Err(no_game(source, if let GameSelection::One(number) = self { number } else { required as i64 }));
        }
        let count = last.map_or(usize::MAX, |last| last - first + 1);
        Ok(Box::new((1..).zip(source.games()).skip(first - 1).take(count)))
    }
}

fn no_game(source: &RecordFile, number: i64) -> RecordFileError {
    match source.games().count() as i64 {
        0 => RecordFileError::NoGame,
        count => RecordFileError::TooFew { number, count },
    }
}

/// Whether this machine does a game, or a position of a list, by its number from 1.
pub fn is_in_shard(shard: Option<Shard>, number: usize) -> bool {
    shard.is_none_or(|shard| shard.contains(number - 1))
}
