//! Tells why a move is not legal.

use super::attack_tables::{bishop_eye, horse_leg};
use super::geometry::Occupancy;
use super::illegal_move::IllegalMoveReason;
use super::mailbox::NoObserver;
use super::position::Position;
use crate::types::{Move, Piece, PieceKind, Square};

impl Position {
    /// True if a piece of the side to move on `from` moves in this shape on an empty board.
    pub fn has_shape_of_move(&self, mv: Move) -> bool {
        let (from, to) = (mv.from(), mv.to());
        let Some(kind) = self.piece_at(from).filter(|piece| piece.color() == self.side()).map(Piece::kind) else {
            return false;
        };
        let step = (i32::from(to.0) - i32::from(from.0)).abs();
        from != to
            && match kind {
                PieceKind::Rook | PieceKind::Cannon => from.row() == to.row() || from.col() == to.col(),
                PieceKind::Horse => horse_leg(from, to).is_some(),
                PieceKind::Bishop => matches!(step, 30 | 34),
                PieceKind::Advisor => matches!(step, 15 | 17),
                PieceKind::King | PieceKind::Pawn => matches!(step, 1 | 16),
            }
    }

    /// Why this move is not legal; `None` if it is.
    pub fn why_illegal(&self, mv: Move) -> Option<IllegalMoveReason> {
        if self.is_pseudo_legal(mv) {
            return if self.is_legal(mv) { None } else { Some(self.why_king_exposed(mv)) };
        }
        let (from, to, us) = (mv.from(), mv.to(), self.side());
        let Some(kind) = self.piece_at(from).map(Piece::kind) else { return Some(IllegalMoveReason::NoPiece(from)) };
        Some(if !self.board[from].is(us) {
            IllegalMoveReason::NotOwn(from)
        } else if from != to && self.board[to].is(us) {
            IllegalMoveReason::OwnTarget(to)
        } else if !self.has_shape_of_move(mv) {
            IllegalMoveReason::Shape(kind)
        } else {
            self.why_not_reached(kind, from, to)
        })
    }

    /// Why a piece of the side to move does not get from one square to the other, in spite of the right shape.
    fn why_not_reached(&self, kind: PieceKind, from: Square, to: Square) -> IllegalMoveReason {
        let us = self.side();
        match kind {
            PieceKind::Horse => horse_leg(from, to).map_or(IllegalMoveReason::Shape(kind), IllegalMoveReason::HorseLeg),
            PieceKind::Bishop if !to.is_home(us) => IllegalMoveReason::River,
            PieceKind::Bishop => IllegalMoveReason::BishopEye(bishop_eye(from, to)),
            PieceKind::Advisor | PieceKind::King => IllegalMoveReason::Palace(kind),
            PieceKind::Pawn if to.rank_for(us) < from.rank_for(us) => IllegalMoveReason::PawnBack,
            PieceKind::Pawn => IllegalMoveReason::PawnSideways,
            PieceKind::Cannon if !self.is_free(to) => IllegalMoveReason::Screen,
            PieceKind::Rook | PieceKind::Cannon => {
                self.first_between(from, to).map_or(IllegalMoveReason::Shape(kind), IllegalMoveReason::Blocked)
            }
        }
    }

    /// The first piece between two squares of a line.
    fn first_between(&self, from: Square, to: Square) -> Option<Square> {
        let distance = i32::from(to.0) - i32::from(from.0);
        let step = if from.row() == to.row() { distance.signum() } else { 16 * distance.signum() };
        (1..)
            .map(|count| from.step(count * step))
            .take_while(|&square| square != to)
            .find(|&square| !self.is_free(square))
    }

    /// Why the king would be attacked after a pseudo-legal move.
    fn why_king_exposed(&self, mv: Move) -> IllegalMoveReason {
        let us = self.side();
        let mut after = self.clone();
        after.make_pseudo_legal(mv, &mut NoObserver);
        let attackers = after.king_attackers(us);
        let enemy_king = after.king(!us);
        let other = attackers.iter().find(|&square| square != enemy_king);
        match other {
            None => IllegalMoveReason::FacingKings,
            Some(_) if self.in_check() && mv.from() != self.king(us) => IllegalMoveReason::StillInCheck,
            Some(square) if mv.from() == self.king(us) => IllegalMoveReason::IntoCheck(square),
            Some(square) => IllegalMoveReason::Pinned(square),
        }
    }
}
