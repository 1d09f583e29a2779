//! Is this 16-bit value a move at all? The guard for moves from hash tables, killers, books and hosts.

use super::attack_tables::{self, between, bishop_eye, horse_leg};
use super::position::Position;
use crate::types::{Move, PieceKind, Square};

impl Position {
    /// True if the generators would produce this move, its king's safety aside. Any value may be asked.
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

    /// True if the piece on `from` moves to `to` by its own rules, whoever is to move and whatever it takes.
    ///
    /// A cannon reaches an empty square by sliding and an occupied one over a screen.
    pub fn reaches(&self, from: Square, to: Square) -> bool {
        let piece = self.board[from];
        let (Some(kind), Some(color)) = (piece.kind(), piece.color()) else { return false };
        match kind {
            PieceKind::King => attack_tables::KING[from].squares().contains(&to),
            PieceKind::Advisor => attack_tables::ADVISOR[from].squares().contains(&to),
            PieceKind::Bishop => {
                attack_tables::BISHOP[from].squares().contains(&to)
                    && self.board[bishop_eye(from, to)].is_none()
            }
            PieceKind::Horse => {
                to.on_board() && horse_leg(from, to).is_some_and(|leg| self.board[leg].is_none())
            }
            PieceKind::Rook => self.pieces_between(from, to) == Some(0),
            PieceKind::Cannon => {
                let screens = if self.board[to].is_none() { 0 } else { 1 };
                self.pieces_between(from, to) == Some(screens)
            }
            PieceKind::Pawn => attack_tables::PAWN[color][from].squares().contains(&to),
        }
    }

    /// How many pieces stand strictly between two squares of one line; `None` if they share none.
    pub fn pieces_between(&self, a: Square, b: Square) -> Option<u32> {
        if a == b || !a.on_board() || !b.on_board() {
            None
        } else if a.row() == b.row() {
            Some((self.rank_occupancy(a.row()) & between(a.col(), b.col())).count_ones())
        } else if a.col() == b.col() {
            Some((self.file_occupancy(a.col()) & between(a.row(), b.row())).count_ones())
        } else {
            None
        }
    }

    /// The promotion variant: an advisor or bishop on its own back rank turns into a pawn, when its side has
    /// fewer than five pawns and is not in check.
    pub(super) fn may_promote(&self, square: Square) -> bool {
        let us = self.side();
        self.promotion()
            && square.rank_for(us) == 0
            && matches!(self.board[square].kind(), Some(PieceKind::Advisor | PieceKind::Bishop))
            && self.count(us, PieceKind::Pawn) < 5
            && !self.in_check()
    }
}
