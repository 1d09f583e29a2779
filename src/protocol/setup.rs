//! From a position as text to a position: all of it, or a reason why not.

use super::command::Setup;
use super::words;
use crate::board::{FenError, MoveError, Position};
use crate::types::{Move, ParseMoveError};
use thiserror::Error;

/// Why a position was refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SetupError {
    /// The FEN is broken.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// A word in the list is no move at all.
    #[error("move {number}: {error}")]
    NotAMove {
        /// Its place in the list, from 1.
        number: usize,
        /// What is wrong.
        error: ParseMoveError,
    },
    /// A move in the list cannot be played.
    #[error("move {number}: {error}")]
    Illegal {
        /// Its place in the list, from 1.
        number: usize,
        /// What is wrong.
        error: MoveError,
    },
}

/// Sets the position up and plays its moves.
pub fn build(setup: &Setup, promotion: bool) -> Result<Position, SetupError> {
    let fen = setup.fen.as_deref().unwrap_or(crate::board::START_FEN);
    let mut position = Position::from_fen_of(fen, promotion)?;
    for (index, text) in setup.moves.iter().enumerate() {
        let number = index + 1;
        let mv = read_move(text).map_err(|error| SetupError::NotAMove { number, error })?;
        position.play(mv).map_err(|error| SetupError::Illegal { number, error })?;
    }
    Ok(position)
}

/// Sorts a list of moves from outside into the legal ones and the words that are none.
pub fn legal_only(list: &[String], position: &Position) -> (Vec<Move>, Vec<String>) {
    let legal = position.legal_moves();
    let (mut moves, mut others) = (Vec::new(), Vec::new());
    for text in list {
        match read_move(text) {
            Ok(mv) if legal.has(mv) => moves.push(mv),
            _ => others.push(words::clip(text)),
        }
    }
    (moves, others)
}

fn read_move(text: &str) -> Result<Move, ParseMoveError> {
    text.parse().map_err(|ParseMoveError(text)| ParseMoveError(words::clip(&text)))
}
