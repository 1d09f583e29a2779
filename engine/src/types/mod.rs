//! Basic `Copy` types: color, piece, square, move and score.

mod color;
mod moves;
mod piece;
pub mod score;
mod square;

pub use color::Color;
pub use moves::{Move, ParseMoveError};
pub use piece::{Piece, PieceKind};
pub use score::Score;
pub use square::{Square, SquareSet};

/// A 64-bit Zobrist key; positions with equal board and side to move have equal keys.
pub type Key = u64;
