//! Why a move is not legal, for people who tried to play it.

use crate::types::{Move, PieceKind, Square};
use thiserror::Error;

/// A move that is not legal, and why.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("{mv} is not legal: {reason}")]
pub struct IllegalMove {
    /// The move.
    pub mv: Move,
    /// Why it is not legal.
    pub reason: IllegalMoveReason,
}

/// Why a move is not legal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum IllegalMoveReason {
    /// Nothing stands on this square.
    #[error("there is no piece on {0}")]
    NoPiece(Square),
    /// The piece on this square is the opponent's.
    #[error("the piece on {0} is the other side's")]
    NotOwn(Square),
    /// A piece of the same side stands on the target.
    #[error("a piece of the same side stands on {0}")]
    OwnTarget(Square),
    /// The leg of the horse is blocked here.
    #[error("the leg of the horse is blocked on {0}")]
    HorseLeg(Square),
    /// The eye of the bishop is blocked here.
    #[error("the eye of the bishop is blocked on {0}")]
    BishopEye(Square),
    /// A piece stands in between.
    #[error("a piece stands in between, on {0}")]
    Blocked(Square),
    /// A cannon captures over exactly one piece.
    #[error("a cannon takes over exactly one piece in between")]
    Screen,
    /// A bishop does not cross the river.
    #[error("a bishop does not cross the river")]
    River,
    /// A king or advisor does not leave the palace.
    #[error("the {0} does not leave the palace")]
    Palace(PieceKind),
    /// A pawn never goes back.
    #[error("a pawn never goes back")]
    PawnBack,
    /// A pawn moves sideways only beyond the river.
    #[error("a pawn goes sideways only beyond the river")]
    PawnSideways,
    /// The piece does not move so.
    #[error("the {0} does not move like that")]
    Shape(PieceKind),
    /// The kings would face each other.
    #[error("the kings would face each other")]
    FacingKings,
    /// The king is in check, and stays so.
    #[error("the king is in check and would stay so")]
    StillInCheck,
    /// The piece is pinned by the one on this square.
    #[error("the piece is pinned: the king would be in check from {0}")]
    Pinned(Square),
    /// The king would be attacked by the piece on this square.
    #[error("the king would be in check from {0}")]
    IntoCheck(Square),
}

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
