//! How each piece captures, shared by the game's position, the chase rules' board and the tablebase's board.

use super::attack_tables::horse_leg;
use crate::types::{Color, PieceKind, Square};

/// The occupancy of a board, as piece movement needs it.
pub trait Occupancy {
    /// True if this square of the board is empty.
    fn is_free(&self, square: Square) -> bool;

    /// The number of pieces strictly between two squares of one line; `None` if they share no line.
    fn pieces_between(&self, from: Square, to: Square) -> Option<u32>;

    /// True if a piece of this kind and side could capture on the other square, its king's safety ignored.
    #[inline]
    fn can_take(&self, kind: PieceKind, color: Color, from: Square, to: Square) -> bool {
        let step = i32::from(to.0) - i32::from(from.0);
        match kind {
            PieceKind::Rook => self.pieces_between(from, to) == Some(0),
            PieceKind::Cannon => self.pieces_between(from, to) == Some(1),
            PieceKind::Horse => horse_leg(from, to).is_some_and(|leg| self.is_free(leg)),
            PieceKind::Pawn => step == color.forward() || step.abs() == 1 && !from.is_home(color),
            PieceKind::Advisor => matches!(step.abs(), 15 | 17) && to.in_palace(),
            PieceKind::King => matches!(step.abs(), 1 | 16) && to.in_palace(),
            PieceKind::Bishop => {
                matches!(step.abs(), 30 | 34) && to.is_home(color) && self.is_free(from.step(step / 2))
            }
        }
    }
}
