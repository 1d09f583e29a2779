//! Keys of parts of a position: what positions of a kind have in common, so that the search can learn where the
//! evaluation errs in them (correction history).

use crate::board::{Position, piece_key};
use crate::types::{Color, Key, Piece, PieceKind, Square};

/// How many keys of the structure there are.
pub const CORRECTION_KEYS: usize = 4;

/// Keys of the pawns, of the guards (king, advisors, bishops), and of either side's attackers. The attackers of both
/// sides together would be nearly the whole position, of which there is nothing to learn for others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CorrectionKeys(pub [Key; CORRECTION_KEYS]);

impl CorrectionKeys {
    pub fn of(position: &Position) -> CorrectionKeys {
        let mut structure = CorrectionKeys::default();
        for color in Color::ALL {
            for (kind, square) in position.pieces(color) {
                structure.toggle(Piece::new(color, kind), square);
            }
        }
        structure
    }

    /// A piece comes to a square, or leaves it.
    #[inline]
    pub fn toggle(&mut self, piece: Piece, square: Square) {
        let index = match piece.kind_unchecked() {
            PieceKind::Pawn => 0,
            PieceKind::King | PieceKind::Advisor | PieceKind::Bishop => 1,
            PieceKind::Horse | PieceKind::Rook | PieceKind::Cannon => 2 + usize::from(piece.is(Color::Black)),
        };
        self.0[index] ^= piece_key(piece, square);
    }
}
