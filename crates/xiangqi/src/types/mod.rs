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

mod piece;
mod square;

pub(crate) use piece::Cell;
pub use piece::{Color, Piece, PieceKind};
pub use square::{ParseSquareError, Square, SquareIter, SquareSet};

use crate::{worded_error, words};
use std::fmt;
use std::num::NonZeroU16;
use std::str::FromStr;

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

// Moves in 16 bits and their text form.

/// A move, as its from and to squares. `Option<Move>` takes no more space.
///
/// In the promotion variant, a move with equal from and to turns the piece on that square into a pawn.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move(NonZeroU16);

impl Move {
    /// Creates the move between two squares.
    #[inline]
    pub const fn new(from: Square, to: Square) -> Move {
        // The squares of the board begin at 0x33.
        match NonZeroU16::new(from.0 as u16 | (to.0 as u16) << 8) {
            Some(bits) => Move(bits),
            None => panic!("no square of the board has index 0"),
        }
    }

    /// Decodes `from | to << 8`; `None` if that names no two squares of the board. Whether the move is one of a position
    /// tells [`Position::is_pseudo_legal`](crate::Position::is_pseudo_legal).
    #[inline]
    pub const fn from_bits(bits: u16) -> Option<Move> {
        match (Square::from_index(bits as u8), Square::from_index((bits >> 8) as u8)) {
            (Some(from), Some(to)) => Some(Move::new(from, to)),
            _ => None,
        }
    }

    /// Encodes the move as `from | to << 8`.
    #[inline]
    pub const fn bits(self) -> u16 {
        self.0.get()
    }

    /// The square that the piece leaves.
    #[inline]
    pub const fn from(self) -> Square {
        Square(self.0.get() as u8)
    }

    /// The square that the piece goes to.
    #[inline]
    pub const fn to(self) -> Square {
        Square((self.0.get() >> 8) as u8)
    }

    /// The left-right mirror image.
    pub const fn mirror(self) -> Move {
        Move::new(self.from().mirror(), self.to().mirror())
    }

    /// The same move with the ranks turned over, as for the other side.
    pub const fn flip(self) -> Move {
        Move::new(self.from().flip(), self.to().flip())
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from(), self.to())
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The text is not a move; holds an excerpt of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseMoveError(pub String);

worded_error!(ParseMoveError, |error| words!(
    "'{text}' is not a move: expected four characters such as h2e2",
    text = &error.0
));

impl ParseMoveError {
    /// Creates the error for this text.
    pub fn of(text: &str) -> ParseMoveError {
        ParseMoveError(excerpt(text))
    }
}

impl FromStr for Move {
    type Err = ParseMoveError;

    /// Parses `h2e2`, and `H2-E2` as in game records.
    fn from_str(text: &str) -> Result<Move, ParseMoveError> {
        let fail = || ParseMoveError::of(text);
        let (from, to) = match text.len() {
            4 => (text.get(0..2), text.get(2..4)),
            5 if text.as_bytes()[2] == b'-' => (text.get(0..2), text.get(3..5)),
            _ => return Err(fail()),
        };
        let square = |text: Option<&str>| text.and_then(|text| text.parse().ok()).ok_or_else(fail);
        Ok(Move::new(square(from)?, square(to)?))
    }
}
