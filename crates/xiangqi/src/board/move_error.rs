//! The error of a rejected move.

use crate::types::{Color, Move};
use thiserror::Error;

/// The reason why a move from outside was rejected.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum MoveError {
    /// No piece of the side to move can make this move.
    #[error("{}", self.text_with(&.0.to_string()))]
    NotAMove(Move, Color),
    /// The move leaves the own king in check, or the kings facing.
    #[error("{}", self.text_with(&.0.to_string()))]
    InCheck(Move, Color),
}

impl MoveError {
    /// The message, with the move as the caller writes it.
    pub fn text_with(&self, mv: &str) -> String {
        match self {
            MoveError::NotAMove(_, side) => format!("{mv} is not a move of {side} in this position"),
            MoveError::InCheck(_, side) => format!("{mv} leaves the {side} king in check"),
        }
    }

    /// The rejected move.
    pub const fn rejected_move(&self) -> Move {
        match self {
            MoveError::NotAMove(mv, _) | MoveError::InCheck(mv, _) => *mv,
        }
    }
}
