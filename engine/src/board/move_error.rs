//! Why a move from outside was refused.

use crate::language::tr;
use crate::types::{Color, Move};
use thiserror::Error;

/// Why a move from outside was refused.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum MoveError {
    /// No piece of the side to move can go that way.
    #[error("{}", self.message_for(&.0.to_string()))]
    NotAMove(Move, Color),
    /// It would leave the own king in check, or the kings facing.
    #[error("{}", self.message_for(&.0.to_string()))]
    InCheck(Move, Color),
}

impl MoveError {
    /// The move that was refused.
    pub const fn refused(&self) -> Move {
        match self {
            MoveError::NotAMove(mv, _) | MoveError::InCheck(mv, _) => *mv,
        }
    }

    /// What is wrong, with the move as the reader would write it.
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
