//! Draws for want of material.

use crate::board::Position;
use crate::types::{Color, PieceKind};

const ATTACKERS: [PieceKind; 4] = [PieceKind::Rook, PieceKind::Horse, PieceKind::Cannon, PieceKind::Pawn];

/// False if neither side can ever give mate: no rook, horse, cannon or pawn is left, or only a cannon that
/// finds no screen, because its owner has no advisor and the other king is bare.
pub fn can_anyone_win(position: &Position) -> bool {
    let attackers =
        |color: Color| -> usize { ATTACKERS.iter().map(|&kind| position.count(color, kind)).sum() };
    let (red, black) = (attackers(Color::Red), attackers(Color::Black));
    match red + black {
        0 => false,
        1 => {
            let owner = if red == 1 { Color::Red } else { Color::Black };
            let guards =
                |color, kinds: &[PieceKind]| kinds.iter().any(|&kind| position.count(color, kind) > 0);
            position.count(owner, PieceKind::Cannon) == 0
                || guards(owner, &[PieceKind::Advisor])
                || guards(!owner, &[PieceKind::Advisor, PieceKind::Bishop])
        }
        _ => true,
    }
}
