//! The words of the game: small `Copy` types that know nothing of each other's rooms.

mod color;
mod key;
mod moves;
mod piece;
pub mod score;
mod square;

pub use color::Color;
pub use key::Key;
pub use moves::{Move, ParseMoveError};
pub use piece::{Piece, PieceKind};
pub use score::Score;
pub use square::{Square, SquareSet};
