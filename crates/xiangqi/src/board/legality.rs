//! Whether a move is pseudo-legal, as for moves of the transposition table, killers, books and hosts, and whether it is
//! legal.
//!
//! Each node computes the pins once, so that most moves are known to be legal without a test. A move can expose its own
//! king only if
//!
//! * the king moves, or is in check;
//! * the piece is *pinned*: the only piece between the king and a rook (or the other king), one of the two between the
//!   king and a cannon, or the blocked leg of a horse;
//! * it steps between the king and a *hollow* cannon and becomes its screen.

use super::attack_tables::{between, horse_leg};
use super::check_info::pawn_origins;
use super::geometry::Occupancy;
use super::position::Position;
use crate::types::{Cell, Color, Move, Piece, PieceKind, Square};

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

    /// True if a pseudo-legal move does not leave its own king in check.
    #[inline]
    pub fn is_legal(&self, mv: Move) -> bool {
        let checks = &self.state.checks;
        let from = mv.from();
        let king = self.king(self.side());
        let certain = checks.checkers == 0
            && !checks.pinned.contains(from)
            && !(checks.has_hollow() && checks.is_hollow(mv.to(), king))
            && from != king;
        certain || !self.king_attacked_after(self.side(), mv)
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

    /// True if the king of `color` is attacked after this pseudo-legal move of either side.
    ///
    /// Works without making the move: only the occupancy words are adjusted.
    pub(super) fn king_attacked_after(&self, color: Color, mv: Move) -> bool {
        let (from, to) = (mv.from(), mv.to());
        let them = !color;
        let mut king = self.king(color);
        if king == from {
            king = to;
        }
        let after = |bit_from: bool, bit_to: bool, mut word: u16, from_at: usize, to_at: usize| {
            if bit_from {
                word &= !(1 << from_at);
            }
            if bit_to {
                word |= 1 << to_at;
            }
            word
        };
        let (row, col) = (king.row(), king.col());
        let rank_word = after(from.row() == row, to.row() == row, self.rank_occupancy(row), from.col(), to.col());
        let file_word = after(from.col() == col, to.col() == col, self.file_occupancy(col), from.row(), to.row());
        // The square of an enemy piece after the move; `None` if it is captured.
        let now = |square: Square| match square {
            s if s == from => Some(to),
            s if s == to => None,
            s => Some(s),
        };

        let enemy_king = self.king(them);
        if enemy_king.col() == col && file_word & between(enemy_king.row(), row) == 0 {
            return true;
        }
        for &rook in self.squares(them, PieceKind::Rook) {
            let Some(rook) = now(rook) else { continue };
            if rook.row() == row {
                if rank_word & between(rook.col(), col) == 0 {
                    return true;
                }
            } else if rook.col() == col && file_word & between(rook.row(), row) == 0 {
                return true;
            }
        }
        for &cannon in self.squares(them, PieceKind::Cannon) {
            let Some(cannon) = now(cannon) else { continue };
            let blockers = if cannon.row() == row {
                rank_word & between(cannon.col(), col)
            } else if cannon.col() == col {
                file_word & between(cannon.row(), row)
            } else {
                0
            };
            if blockers != 0 && blockers & (blockers - 1) == 0 {
                return true;
            }
        }
        for &horse in self.squares(them, PieceKind::Horse) {
            let Some(horse) = now(horse) else { continue };
            if let Some(leg) = horse_leg(horse, king)
                && leg != to
                && (leg == from || self.board[leg].is_empty())
            {
                return true;
            }
        }
        let pawn = Piece::new(them, PieceKind::Pawn);
        pawn_origins(king, them).into_iter().any(|square| {
            let standing = match square {
                s if s == to => self.board[from],
                s if s == from => Cell::EMPTY,
                s => self.board[s],
            };
            standing == pawn
        })
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
