//! How the board tells an evaluation what moved, without knowing the evaluation.

use crate::types::{Piece, Square};

/// Hears of every change of the mailbox while a move is made.
///
/// `Position::make_unchecked_observed` calls `begin` once, then one call per piece that changes. Taking a move back is
/// not told piece by piece: an observer keeps a stack and drops the top when its owner unmakes. Null moves change
/// nothing in the mailbox and are not told at all: there is an entry of the stack for each move made, and none for
/// a null move.
pub trait BoardObserver {
    /// A move is about to be made.
    fn begin(&mut self) {}
    /// A piece left the board: a capture, or the old piece of a promotion.
    fn removed(&mut self, _piece: Piece, _square: Square) {}
    /// A piece appeared: the pawn of a promotion.
    fn added(&mut self, _piece: Piece, _square: Square) {}
    /// A piece went from one square to another.
    fn moved(&mut self, _piece: Piece, _from: Square, _to: Square) {}
}

pub struct NoObserver;

impl BoardObserver for NoObserver {}
