//! Moves, and how they are written.

use super::Square;
use crate::language::tr;
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// A move: from and to, nothing else. Zero is "no move".
///
/// In the promotion variant a move whose from and to are equal turns the piece there into a pawn.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, PartialOrd, Ord)]
pub struct Move(u16);

impl Move {
    /// No move at all.
    pub const NONE: Move = Move(0);

    /// The move between these squares.
    #[inline]
    pub const fn new(from: Square, to: Square) -> Move {
        Move(from.0 as u16 | (to.0 as u16) << 8)
    }

    /// The move stored in 16 bits: `from | to << 8`. Any value is accepted; ask the position whether it is a move.
    #[inline]
    pub const fn from_bits(bits: u16) -> Move {
        Move(bits)
    }

    /// The 16 bits: `from | to << 8`.
    #[inline]
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// Where the piece stands.
    #[inline]
    pub const fn from(self) -> Square {
        Square(self.0 as u8)
    }

    #[inline]
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

    /// The same move seen by the other side.
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

/// What is wrong with the text of a move.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{}", tr!("'{text}' is not a move: expected four characters such as h2e2", text = _0))]
pub struct ParseMoveError(pub String);

impl ParseMoveError {
    /// This text is no move.
    pub fn of(text: &str) -> ParseMoveError {
        // Enough of it to recognise it, and nothing that could disturb a terminal.
        let shown = |letter: char| if letter.is_control() { '?' } else { letter };
        ParseMoveError(text.chars().take(16).map(shown).collect())
    }
}

impl FromStr for Move {
    type Err = ParseMoveError;

    /// Reads `h2e2`, and `H2-E2` as game records write it.
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
