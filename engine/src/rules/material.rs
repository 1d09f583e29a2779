//! Draws for want of material.

use crate::board::Position;
use crate::types::{Color, PieceKind};

/// False if neither side can ever give mate: no rook, horse, cannon or pawn is left, or only a cannon that
/// finds no screen, because its owner has no advisor and the other king is bare (§1.2).
pub fn can_anyone_win(position: &Position) -> bool {
    let count = |kind: PieceKind| position.count(Color::Red, kind) + position.count(Color::Black, kind);
    if [PieceKind::Rook, PieceKind::Pawn, PieceKind::Horse].into_iter().any(|kind| count(kind) > 0) {
        return true;
    }
    // In the promotion variant these can still become pawns.
    if position.promotion() && count(PieceKind::Advisor) + count(PieceKind::Bishop) > 0 {
        return true;
    }
    match count(PieceKind::Cannon) {
        0 => false,
        1 => {
            let red_has_it = position.count(Color::Red, PieceKind::Cannon) == 1;
            let owner = if red_has_it { Color::Red } else { Color::Black };
            position.count(owner, PieceKind::Advisor) > 0
                || position.count(!owner, PieceKind::Advisor) > 0
                || position.count(!owner, PieceKind::Bishop) > 0
        }
        _ => true,
    }
}
