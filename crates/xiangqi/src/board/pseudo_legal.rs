//! The pseudo-legality test for moves from the transposition table, killers, books and hosts.

use super::geometry::Occupancy;
use super::position::Position;
use crate::types::{Move, PieceKind, Square};

impl Position {
    /// True if the generators would produce this move, the king's safety ignored; any value may be passed.
    pub fn is_pseudo_legal(&self, mv: Move) -> bool {
        let (from, to) = (mv.from(), mv.to());
        let us = self.side();
        if !self.board[from].is(us) {
            return false;
        }
        if from == to {
            return self.may_promote(from);
        }
        self.board[to].admits(us) && self.reaches(from, to)
    }

    /// True if the piece on `from` can move to `to`, a square of the board.
    pub fn reaches(&self, from: Square, to: Square) -> bool {
        let Some(piece) = self.piece_at(from) else { return false };
        let (kind, color) = (piece.kind(), piece.color());
        if from == to {
            return false;
        }
        if kind == PieceKind::Cannon && self.is_free(to) {
            // A cannon slides like a rook, and jumps only to capture.
            return self.pieces_between(from, to) == Some(0);
        }
        self.can_take(kind, color, from, to)
    }

    /// True if the piece can promote: in the promotion variant, an advisor or bishop on its own back rank, with fewer
    /// than five own pawns and no check.
    pub(super) fn may_promote(&self, square: Square) -> bool {
        let us = self.side();
        self.promotion()
            && square.rank_for(us) == 0
            && matches!(self.board[square].kind_unchecked(), PieceKind::Advisor | PieceKind::Bishop)
            && self.board[square].is(us)
            && self.count(us, PieceKind::Pawn) < 5
            && !self.in_check()
    }
}

impl Occupancy for Position {
    #[inline]
    fn is_free(&self, square: Square) -> bool {
        self.board.is_free(square)
    }

    #[inline]
    fn pieces_between(&self, from: Square, to: Square) -> Option<u32> {
        self.board.pieces_between(from, to)
    }
}
