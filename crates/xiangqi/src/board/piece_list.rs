//! Piece lists: the squares of all pieces of one kind and side.

use crate::types::Square;

/// The maximum number of pieces of one side.
pub const MAX_SIDE_PIECES: usize = 16;

/// The squares of all pieces of one kind and side, unordered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct PieceList {
    pub(super) squares: [Square; MAX_SIDE_PIECES],
    pub(super) len: u8,
}

impl PieceList {
    pub(super) const EMPTY: PieceList = PieceList { squares: [Square(0); MAX_SIDE_PIECES], len: 0 };

    #[inline]
    pub(super) fn as_slice(&self) -> &[Square] {
        &self.squares[..(self.len as usize).min(MAX_SIDE_PIECES)]
    }
}
