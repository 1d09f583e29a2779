//! How a piece moves, written once for every board: that of a game, the diagram of the judge, the walker of the tables.

use super::attack_tables::horse_leg;
use crate::types::{Color, PieceKind, Square};

/// A board as moves see it: which squares are free.
pub trait Occupancy {
    /// True if nothing stands on this square of the board.
    fn is_free(&self, square: Square) -> bool;

    /// How many pieces stand strictly between two squares of one line; `None` if they share none.
    fn pieces_between(&self, from: Square, to: Square) -> Option<u32>;

    /// True if a piece of this kind and side could capture an enemy on the other square, its king's safety aside.
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
                matches!(step.abs(), 30 | 34) && to.is_home(color) && self.is_free(from.offset(step / 2))
            }
        }
    }
}
