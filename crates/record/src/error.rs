//! The result of reading a record file: games and errors with their locations.

use super::game::Game;
use super::notation::NotationError;
use chuhe_base::language::{Phrase, tr};
use std::fmt;
use thiserror::Error;
use xiangqi::{FenError, MoveError};

/// A location in a file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Location {
    /// A line of a text, from 1.
    Line(usize),
    /// A byte offset, from 0.
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

/// An error in a record.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum RecordErrorKind {
    /// Invalid start position.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// A word is not a move.
    #[error("{}", tr!("move {number}: {source}", number, source))]
    Notation {
        /// The full move number, from 1.
        number: usize,
        source: NotationError,
    },
    /// An illegal move.
    #[error("{}", tr!("move {number}: {source}", number, source))]
    Move {
        /// The full move number, from 1.
        number: usize,
        source: MoveError,
    },
    /// Unexpected content.
    #[error("{}", tr!("expected {expected}, found {found}", expected, found))]
    Expected { expected: Phrase, found: String },
    /// Unexpected end of file.
    #[error("{}", tr!("the file ends within {part}", part = _0))]
    UnexpectedEnd(Phrase),
}

/// An error in a record file, with its location.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{}", tr!("game {game}, {place}: {flaw}", game, place = location, flaw = kind))]
pub struct RecordError {
    /// The number of the game, from 1.
    pub game: usize,
    pub location: Location,
    pub kind: RecordErrorKind,
    /// The main line ends here; other errors affect only a variation or a comment.
    pub ends_main_line: bool,
}

/// A game that was read, as far as it is valid.
#[derive(Clone)]
pub struct ParsedGame {
    pub game: Game,
    /// The errors in file order.
    pub errors: Vec<RecordError>,
}

impl ParsedGame {
    /// The same game without control characters in tags and comments.
    pub(super) fn sanitized(mut self) -> ParsedGame {
        self.game.sanitize();
        self
    }

    /// The game, unless an error ended its main line; errors in variations and comments are ignored.
    pub fn into_complete_game(self) -> Result<Game, RecordError> {
        match self.errors.into_iter().find(|fault| fault.ends_main_line) {
            Some(fault) => Err(fault),
            None => Ok(self.game),
        }
    }
}
