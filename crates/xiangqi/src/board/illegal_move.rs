//! Why a move is not legal, for people who tried to play it.

use crate::types::{Move, PieceKind, Square};
use crate::{worded_error, words};

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
