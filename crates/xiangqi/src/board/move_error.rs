//! The error of a rejected move.

use crate::types::{Color, Move};
use chuhe_base::language::tr;
use thiserror::Error;

/// The reason why a move from outside was rejected.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum MoveError {
    /// No piece of the side to move can make this move.
    #[error("{}", self.message_for(&.0.to_string()))]
    NotAMove(Move, Color),
    /// The move leaves the own king in check, or the kings facing.
    #[error("{}", self.message_for(&.0.to_string()))]
    InCheck(Move, Color),
}

impl MoveError {
    /// The rejected move.
    pub const fn refused(&self) -> Move {
        match self {
            MoveError::NotAMove(mv, _) | MoveError::InCheck(mv, _) => *mv,
        }
    }

    /// The error message, with the move in the caller's notation.
    pub fn message_for(&self, mv: &str) -> String {
        match self {
            MoveError::NotAMove(_, side) => {
                tr!("{mv} is not a move of {side} in this position", mv, side = side.name())
            }
            MoveError::InCheck(_, side) => {
                tr!("{mv} leaves the {side} king in check", mv, side = side.name())
            }
        }
    }
}
