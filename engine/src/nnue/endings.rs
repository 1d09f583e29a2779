//! What nobody can win any more, whatever the evaluation guesses.

use crate::board::Position;
use crate::types::{Color, PieceKind};

/// Whether a side has anything left to win with. How hard that is the network has learned from its games.
#[inline]
pub fn can_win(position: &Position, side: Color) -> bool {
    let count = |kind| position.count(side, kind);
    let has_others = count(PieceKind::Rook) + count(PieceKind::Horse) + count(PieceKind::Pawn) > 0;
    // A lone cannon needs an advisor of its own as a screen, even against a bare king.
    let cannons = count(PieceKind::Cannon);
    has_others || cannons > 1 || cannons == 1 && count(PieceKind::Advisor) > 0
}
