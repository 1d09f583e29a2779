//! What an advantage is worth when little is left to win with.

use crate::board::Position;
use crate::types::{Color, PieceKind};

/// How much of an advantage `winner` can hope to turn into a win, in 64ths.
#[inline]
pub fn winning_chances(position: &Position, winner: Color) -> i32 {
    let count = |kind| position.count(winner, kind);
    let heavy = count(PieceKind::Rook) * 2 + count(PieceKind::Horse) + count(PieceKind::Cannon);
    let guards = |loser| position.count(loser, PieceKind::Advisor) + position.count(loser, PieceKind::Bishop);
    if heavy >= 2 {
        // A lone rook does not get past both advisors and both bishops.
        let lone_rook = heavy == 2 && count(PieceKind::Rook) == 1 && count(PieceKind::Pawn) == 0;
        return if lone_rook && guards(!winner) == 4 { 6 } else { 64 };
    }
    let defenders = guards(!winner);
    let by_defenders = |chances: [i32; 5]| chances[defenders.min(4)];
    match (heavy, count(PieceKind::Pawn)) {
        (0, 0) => 0,
        // A lone cannon needs an advisor of its own as a screen, even against a bare king.
        (1, 0) if count(PieceKind::Cannon) == 1 && count(PieceKind::Advisor) == 0 => 0,
        (1, 0) => by_defenders([48, 32, 16, 8, 6]),
        (1, 1) => by_defenders([60, 56, 48, 32, 20]),
        (0, 1) => by_defenders([40, 10, 6, 4, 2]),
        (0, 2) => by_defenders([48, 40, 24, 12, 8]),
        (0, _) => by_defenders([56, 52, 44, 36, 24]),
        _ => 60,
    }
}
