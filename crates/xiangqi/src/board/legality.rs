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
//!
//! Why a move is not legal, for people who tried to play it.
//!
//! Tells why a move is not legal.

use super::attacks::{Occupancy, between, bishop_eye, horse_leg, pawn_origins};
use super::mailbox::NoObserver;
use super::position::Position;
use crate::types::{Cell, Color, Move, Piece, PieceKind, Square};
use crate::{worded_error, words};

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

/// A move that is not legal, and why.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IllegalMove {
    /// The move.
    pub mv: Move,
    /// Why it is not legal.
    pub reason: IllegalMoveReason,
}

/// Why a move is not legal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum IllegalMoveReason {
    /// Nothing stands on this square.
    NoPiece(Square),
    /// The piece on this square is the opponent's.
    NotOwn(Square),
    /// A piece of the same side stands on the target.
    OwnTarget(Square),
    /// The leg of the horse is blocked here.
    HorseLeg(Square),
    /// The eye of the bishop is blocked here.
    BishopEye(Square),
    /// A piece stands in between.
    Blocked(Square),
    /// A cannon captures over exactly one piece.
    Screen,
    /// A bishop does not cross the river.
    River,
    /// A king or advisor does not leave the palace.
    Palace(PieceKind),
    /// A pawn never goes back.
    PawnBack,
    /// A pawn moves sideways only beyond the river.
    PawnSideways,
    /// The piece does not move so.
    Shape(PieceKind),
    /// The kings would face each other.
    FacingKings,
    /// The king is in check, and stays so.
    StillInCheck,
    /// The piece is pinned by the one on this square.
    Pinned(Square),
    /// The king would be attacked by the piece on this square.
    IntoCheck(Square),
}

worded_error!(IllegalMove, |error| words!("{mv} is not legal: {reason}", mv = &error.mv, reason = &error.reason));

worded_error!(IllegalMoveReason, |why| match why {
    IllegalMoveReason::NoPiece(square) => words!("there is no piece on {square}", square),
    IllegalMoveReason::NotOwn(square) => words!("the piece on {square} is the other side's", square),
    IllegalMoveReason::OwnTarget(square) => words!("a piece of the same side stands on {square}", square),
    IllegalMoveReason::HorseLeg(square) => words!("the leg of the horse is blocked on {square}", square),
    IllegalMoveReason::BishopEye(square) => words!("the eye of the bishop is blocked on {square}", square),
    IllegalMoveReason::Blocked(square) => words!("a piece stands in between, on {square}", square),
    IllegalMoveReason::Screen => words!("a cannon takes over exactly one piece in between"),
    IllegalMoveReason::River => words!("a bishop does not cross the river"),
    IllegalMoveReason::Palace(piece) => words!("the {piece} does not leave the palace", piece),
    IllegalMoveReason::PawnBack => words!("a pawn never goes back"),
    IllegalMoveReason::PawnSideways => words!("a pawn goes sideways only beyond the river"),
    IllegalMoveReason::Shape(piece) => words!("the {piece} does not move like that", piece),
    IllegalMoveReason::FacingKings => words!("the kings would face each other"),
    IllegalMoveReason::StillInCheck => words!("the king is in check and would stay so"),
    IllegalMoveReason::Pinned(square) =>
        words!("the piece is pinned: the king would be in check from {square}", square),
    IllegalMoveReason::IntoCheck(square) => words!("the king would be in check from {square}", square),
});

impl IllegalMoveReason {
    /// The square that the reason names.
    pub const fn square(self) -> Option<Square> {
        match self {
            IllegalMoveReason::NoPiece(square)
            | IllegalMoveReason::NotOwn(square)
            | IllegalMoveReason::OwnTarget(square)
            | IllegalMoveReason::HorseLeg(square)
            | IllegalMoveReason::BishopEye(square)
            | IllegalMoveReason::Blocked(square)
            | IllegalMoveReason::Pinned(square)
            | IllegalMoveReason::IntoCheck(square) => Some(square),
            _ => None,
        }
    }
}

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
