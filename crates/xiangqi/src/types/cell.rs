//! The byte stored on a mailbox square.

use super::{Color, Piece, PieceKind};

/// The content of a mailbox square: empty, a piece, or the rim around the board.
///
/// Bit 3 marks red and bit 4 black; the rim has both, so one test of the own colour bit rejects own pieces and the rim
/// alike. An empty square is 0.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Cell(u8);

impl Cell {
    /// An empty square of the board.
    pub(crate) const EMPTY: Cell = Cell(0);
    /// A square outside the board.
    pub(crate) const RIM: Cell = Cell(31);

    /// A square with a piece.
    #[inline]
    pub(crate) const fn of(piece: Piece) -> Cell {
        Cell(piece.index() as u8)
    }

    /// The piece on a square of the board.
    #[inline]
    pub(crate) const fn piece(self) -> Option<Piece> {
        Piece::from_bits(self.0)
    }

    /// True for an empty square of the board, false for a piece and for the rim.
    #[inline]
    pub(crate) const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// True for a piece of this side.
    #[inline]
    pub(crate) const fn is(self, color: Color) -> bool {
        self.0 & (Piece::RED_BIT | Piece::BLACK_BIT) == Piece::color_bit(color)
    }

    /// True if a piece of this side could land here: the square is empty or holds an enemy piece.
    #[inline]
    pub(crate) const fn admits(self, color: Color) -> bool {
        self.0 & Piece::color_bit(color) == 0
    }

    /// The kind of the piece; meaningless for an empty square and the rim.
    #[inline]
    pub(crate) const fn kind_unchecked(self) -> PieceKind {
        PieceKind::of_bits(self.0)
    }
}

impl PartialEq<Piece> for Cell {
    #[inline]
    fn eq(&self, piece: &Piece) -> bool {
        *self == Cell::of(*piece)
    }
}
