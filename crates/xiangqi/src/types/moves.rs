//! Moves in 16 bits and their text form.

use super::Square;
use chuhe_base::language::tr;
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// A move, as its from and to squares; zero means "no move".
///
/// In the promotion variant, a move with equal from and to turns the piece on that square into a pawn.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, PartialOrd, Ord)]
pub struct Move(u16);

impl Move {
    /// The value that means "no move".
    pub const NONE: Move = Move(0);

    /// Creates the move between two squares.
    #[inline]
    pub const fn new(from: Square, to: Square) -> Move {
        Move(from.0 as u16 | (to.0 as u16) << 8)
    }

    /// Decodes `from | to << 8`; any value is accepted, so check it with
    /// [`Position::is_pseudo_legal`](crate::board::Position::is_pseudo_legal).
    #[inline]
    pub const fn from_bits(bits: u16) -> Move {
        Move(bits)
    }

    /// Encodes the move as `from | to << 8`.
    #[inline]
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// The square that the piece leaves.
    #[inline]
    pub const fn from(self) -> Square {
        Square(self.0 as u8)
    }

    #[inline]
    /// The square that the piece goes to.
    pub const fn to(self) -> Square {
        Square((self.0 >> 8) as u8)
    }

    /// True for "no move".
    #[inline]
    pub const fn is_none(self) -> bool {
        self.0 == 0
    }

    /// True for a real move.
    #[inline]
    pub const fn is_some(self) -> bool {
        self.0 != 0
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
        if self.is_none() { f.write_str("0000") } else { write!(f, "{}{}", self.from(), self.to()) }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The text is not a move; holds an excerpt of it.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{}", tr!("'{text}' is not a move: expected four characters such as h2e2", text = _0))]
pub struct ParseMoveError(pub String);

impl ParseMoveError {
    /// Creates the error for this text.
    pub fn of(text: &str) -> ParseMoveError {
        // Keep an excerpt, and replace control characters that a terminal would interpret.
        let shown = |letter: char| if letter.is_control() { '?' } else { letter };
        ParseMoveError(text.chars().take(16).map(shown).collect())
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
        match (from.and_then(Square::parse), to.and_then(Square::parse)) {
            (Some(from), Some(to)) => Ok(Move::new(from, to)),
            _ => Err(fail()),
        }
    }
}
