//! A position in 29 bytes, for large sets of them:
//!
//! ```text
//! 12 bytes  occupied squares, one bit each, a0 to i0 first
//! 16 bytes  the pieces on them in this order, four bits each: red's kinds from 0, black's from 7
//!  1 byte   bit 0 black to move, bit 1 promotion variant
//! ```

use super::position::Position;
use super::setup::{Setup, SetupError};
use crate::types::{Color, Piece, PieceKind, Square};

const BLACK_TO_MOVE: u8 = 1;
const PROMOTION: u8 = 2;

/// A position in 29 bytes: pieces, side to move and variant, as two positions are compared; no counters, no history.
///
/// ```
/// use xiangqi::{PackedPosition, Position};
///
/// let packed = PackedPosition::from(&Position::start());
/// assert_eq!(Position::try_from(packed)?, Position::start());
/// # Ok::<(), xiangqi::SetupError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PackedPosition([u8; PackedPosition::SIZE]);

impl PackedPosition {
    /// The number of bytes.
    pub const SIZE: usize = 29;

    /// The bytes.
    pub const fn bytes(&self) -> &[u8; PackedPosition::SIZE] {
        &self.0
    }

    /// What has these bytes; whether that is a position is seen when it is unpacked.
    pub const fn from_bytes(bytes: [u8; PackedPosition::SIZE]) -> PackedPosition {
        PackedPosition(bytes)
    }
}

impl From<&Position> for PackedPosition {
    fn from(position: &Position) -> PackedPosition {
        let mut numbers = [0; 90];
        let mut occupied = 0u128;
        for color in Color::ALL {
            for (kind, square) in position.pieces(color) {
                numbers[square.dense()] = (kind.index() + 7 * color.index()) as u128;
                occupied |= 1 << square.dense();
            }
        }
        let (mut pieces, mut rest) = (0u128, occupied);
        for shift in (0..128).step_by(4).take(occupied.count_ones() as usize) {
            pieces |= numbers[rest.trailing_zeros() as usize] << shift;
            rest &= rest - 1;
        }
        let mut bytes = [0; PackedPosition::SIZE];
        bytes[..12].copy_from_slice(&occupied.to_le_bytes()[..12]);
        bytes[12..28].copy_from_slice(&pieces.to_le_bytes());
        let promotion = if position.promotion() { PROMOTION } else { 0 };
        bytes[28] = if position.side() == Color::Black { promotion | BLACK_TO_MOVE } else { promotion };
        PackedPosition(bytes)
    }
}

impl From<PackedPosition> for Setup {
    /// Pieces beyond the 32nd, and numbers of no piece, are left out.
    fn from(packed: PackedPosition) -> Setup {
        let number = |bytes: &[u8]| bytes.iter().rev().fold(0u128, |sum, &byte| sum << 8 | u128::from(byte));
        let (occupied, mut pieces) = (number(&packed.0[..12]), number(&packed.0[12..28]));
        let flags = packed.0[28];
        let side = if flags & BLACK_TO_MOVE != 0 { Color::Black } else { Color::Red };
        let mut setup = Setup::empty();
        setup.side = side;
        setup.promotion = flags & PROMOTION != 0;
        for square in Square::all().filter(|square| occupied >> square.dense() & 1 != 0).take(32) {
            let piece = (pieces & 15) as usize;
            if let (Some(&kind), Some(&color)) = (PieceKind::ALL.get(piece % 7), Color::ALL.get(piece / 7)) {
                setup.place(Piece::new(color, kind), square);
            }
            pieces >>= 4;
        }
        setup
    }
}

impl TryFrom<PackedPosition> for Position {
    type Error = SetupError;

    fn try_from(packed: PackedPosition) -> Result<Position, SetupError> {
        Position::try_from(Setup::from(packed))
    }
}
