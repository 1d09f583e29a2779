//! What comes out of a file of games: games, and what is wrong in it and where.

use super::game::Game;
use super::notation::NotationError;
use chuhe_engine::board::{FenError, MoveError};
use chuhe_engine::language::{Phrase, tr};
use std::fmt;
use thiserror::Error;

/// A place in a file, as people count.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Location {
    /// A line of a text, from 1.
    Line(usize),
    /// A byte of a file, from 0.
    Byte(usize),
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Location::Line(line) => f.write_str(&tr!("line {line}", line)),
            Location::Byte(byte) => f.write_str(&tr!("byte {byte}", byte)),
        }
    }
}

/// What can be wrong there.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum RecordErrorKind {
    /// The game begins with no position.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// A word is no move.
    #[error("{}", tr!("move {number}: {source}", number, source))]
    Notation {
        /// Which full move, from 1.
        number: usize,
        /// What is wrong with it.
        source: NotationError,
    },
    /// A move cannot be played.
    #[error("{}", tr!("move {number}: {source}", number, source))]
    Move {
        /// Which full move, from 1.
        number: usize,
        /// What is wrong with it.
        source: MoveError,
    },
    /// Something else should stand there.
    #[error("{}", tr!("expected {expected}, found {found}", expected, found))]
    Expected { expected: Phrase, found: String },
    /// It ends too early.
    #[error("{}", tr!("the file ends within {part}", part = _0))]
    UnexpectedEnd(Phrase),
}

/// Something wrong in a file of games.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{}", tr!("game {game}, {place}: {flaw}", game, place = location, flaw = kind))]
pub struct RecordError {
    /// In which game, from 1.
    pub game: usize,
    pub location: Location,
    pub kind: RecordErrorKind,
    /// The game as it was played ends here for it; other faults cost a variation or a comment.
    pub ends_main_line: bool,
}

/// A game that was read, as far as it is sound.
#[derive(Clone)]
pub struct ParsedGame {
    pub game: Game,
    /// What was wrong, in the order of the file.
    pub errors: Vec<RecordError>,
}

impl ParsedGame {
    /// The same without anything in its names and comments that a terminal would obey.
    pub(super) fn sanitized(mut self) -> ParsedGame {
        self.game.sanitize();
        self
    }

    /// The game, if it could be read to its end; faults that cost no more than a variation or a comment are forgiven.
    pub fn into_complete_game(self) -> Result<Game, RecordError> {
        match self.errors.into_iter().find(|fault| fault.ends_main_line) {
            Some(fault) => Err(fault),
            None => Ok(self.game),
        }
    }
}
