//! The basic types: small `Copy` values that depend on nothing else.
//!
//! ```
//! use xiangqi::{Color, Move, Piece, PieceKind, Square};
//!
//! let mv: Move = "h2e2".parse()?;
//! assert_eq!(mv.from(), Square::new(7, 2)); // file 0 is a, rank 0 is red's back rank
//! assert_eq!(mv.mirror().to_string(), "b2e2");
//! assert_eq!(Piece::from_letter('c'), Some(Piece::new(Color::Black, PieceKind::Cannon)));
//! assert_eq!(!Color::Red, Color::Black);
//! # Ok::<(), xiangqi::ParseMoveError>(())
//! ```

mod color;
mod moves;
mod piece;
mod square;
mod square_set;

pub use color::Color;
pub use moves::{Move, ParseMoveError};
pub use piece::{Piece, PieceKind};
pub use square::{ParseSquareError, Square};
pub use square_set::{SquareIter, SquareSet};

pub(crate) use piece::Cell;

use crate::{worded_error, words};

/// The text is not one of a few names.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ParseNameError {
    /// An excerpt of the text.
    pub text: String,
    /// What was expected: `side` or `piece`.
    pub kind: &'static str,
    /// The names.
    pub expected: &'static str,
}

worded_error!(ParseNameError, |error| words!(
    "'{text}' is no {kind}: expected {expected}",
    text = &error.text,
    kind = error.kind,
    expected = error.expected
));

/// The beginning of a text that could not be read, for its error; control characters, which a terminal would interpret,
/// are replaced.
pub(crate) fn excerpt(text: &str) -> String {
    text.chars().take(16).map(|letter| if letter.is_control() { '?' } else { letter }).collect()
}
