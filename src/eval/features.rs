//! The numbering of features: where in the table of weights each has its place.

use crate::types::{Color, PieceKind, Square};

/// Squares of half a board, mirrored left to right: rank × 5 + distance from the edge.
pub const HALF: usize = 50;

/// A piece on a square: 7 kinds × 50.
pub const SQUARES: usize = 0;
/// Squares a rook reaches, 0 to 17.
pub const ROOK_MOBILITY: usize = SQUARES + 7 * HALF;
/// Squares a cannon reaches without capturing, 0 to 17.
pub const CANNON_MOBILITY: usize = ROOK_MOBILITY + 18;
/// Squares a horse reaches, 0 to 8.
pub const HORSE_MOBILITY: usize = CANNON_MOBILITY + 18;
/// An attacker (rook, cannon, horse, pawn) attacks an enemy piece: 4 × 7 victims.
pub const THREATS: usize = HORSE_MOBILITY + 9;
/// A defender (rook, cannon, horse, pawn) covers a piece of its own: 4 × 7.
pub const COVERS: usize = THREATS + 28;
/// Attacks on the points of the enemy palace, weighed by attacker: 0 to 23.
pub const PALACE_ATTACK: usize = COVERS + 28;
/// A cannon looks at the enemy king along an empty file, an empty rank.
pub const HOLLOW_CANNON: usize = PALACE_ATTACK + 24;
/// A cannon, two screens, the enemy king: on a file, on a rank.
pub const LOADED_CANNON: usize = HOLLOW_CANNON + 2;
/// A rook, one piece in between, the enemy king: on a file, on a rank.
pub const ROOK_PIN: usize = LOADED_CANNON + 2;
/// A cannon on the enemy back rank while the enemy king stands on it.
pub const BOTTOM_CANNON: usize = ROOK_PIN + 2;
/// Enemy advisors missing (1, 2) times own rooks, cannons, horses (each 1, 2).
pub const ADVISORS_MISSING: usize = BOTTOM_CANNON + 1;
/// Enemy bishops missing, likewise.
pub const BISHOPS_MISSING: usize = ADVISORS_MISSING + 12;
/// A rook on a file without pawns, with enemy pawns only.
pub const ROOK_FILE: usize = BISHOPS_MISSING + 12;
/// Two crossed pawns side by side.
pub const PAWN_PAIR: usize = ROOK_FILE + 2;
/// A crossed pawn with a rook or a cannon behind it on its file.
pub const PAWN_SUPPORTED: usize = PAWN_PAIR + 1;
/// A cannon, per quarter-dozen of pieces on the board: 0 to 7.
pub const CANNON_CROWD: usize = PAWN_SUPPORTED + 1;
/// A horse, likewise.
pub const HORSE_CROWD: usize = CANNON_CROWD + 8;
/// Number of attackers (rooks, horses, cannons), 0 to 6.
pub const ATTACKERS: usize = HORSE_CROWD + 8;
/// Both rooks, both cannons, both horses, a horse and a cannon.
pub const COMBINATIONS: usize = ATTACKERS + 7;
/// Being on move.
pub const TEMPO: usize = COMBINATIONS + 4;
/// How many features there are.
pub const COUNT: usize = TEMPO + 1;

/// The feature of a piece of this kind and side on this square.
#[inline]
pub const fn square_feature(kind: PieceKind, square: Square, color: Color) -> usize {
    let file = square.file();
    let edge = if file > 4 { 8 - file } else { file };
    SQUARES + kind as usize * HALF + square.rank_for(color) as usize * 5 + edge as usize
}
