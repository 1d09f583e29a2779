//! The interface by which the board reports piece changes to an evaluation.

use crate::types::{Piece, Square};

/// Receives every change of the mailbox while a move is made.
///
/// [`Position::play_unchecked_observed`](super::Position::play_unchecked_observed) calls `begin` once, then one method
/// per changed piece. Unmaking is not reported: an observer keeps a stack with one entry per move and drops the top
/// when the move is unmade. Null moves change no piece, are not reported, and have no entry.
pub trait BoardObserver {
    /// A move is about to be made.
    fn begin(&mut self) {}
    /// A piece was removed: captured, or replaced in a promotion.
    fn removed(&mut self, _piece: Piece, _square: Square) {}
    /// A piece was added: the pawn of a promotion.
    fn added(&mut self, _piece: Piece, _square: Square) {}
    /// A piece moved from one square to another.
    fn moved(&mut self, _piece: Piece, _from: Square, _to: Square) {}
}

/// An observer that ignores all changes.
pub struct NoObserver;

impl BoardObserver for NoObserver {}
