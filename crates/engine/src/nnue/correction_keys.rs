//! Keys of parts of a position, for the correction history of the search.

use xiangqi::{Color, Key, Piece, PieceKind, Position, Square, piece_key};

/// The number of correction keys.
pub const CORRECTION_KEYS: usize = 4;

/// The keys of the pawns, of the guards (king, advisors, bishops), and of each side's attackers. One key of all
/// attackers would be too specific to generalise.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CorrectionKeys(pub [Key; CORRECTION_KEYS]);

impl CorrectionKeys {
    /// Computes the keys of a position.
    pub fn of(position: &Position) -> CorrectionKeys {
        let mut structure = CorrectionKeys::default();
        for color in Color::ALL {
            for (kind, square) in position.pieces(color) {
                structure.toggle(Piece::new(color, kind), square);
            }
        }
        structure
    }

    /// Adds or removes a piece on a square.
    #[inline]
    pub fn toggle(&mut self, piece: Piece, square: Square) {
        let index = match piece.kind() {
            PieceKind::Pawn => 0,
            PieceKind::King | PieceKind::Advisor | PieceKind::Bishop => 1,
            PieceKind::Horse | PieceKind::Rook | PieceKind::Cannon => 2 + usize::from(piece.color() == Color::Black),
        };
        self.0[index] ^= piece_key(piece, square);
    }
}
