//! A training position in 32 bytes:
//!
//! ```text
//! 28 bytes  the pieces, as in `xiangqi::PackedPosition`
//!  2 bytes  the score from the side to move
//!  1 byte   bit 0 black to move, bits 1-2 half points of the side to move, bit 3 mirrored first
//!  1 byte   unused
//! ```

use chuhe_engine::score::Score;
use xiangqi::{Color, PieceKind, Position};

/// Bytes of a packed position.
pub const PACKED_SIZE: usize = 32;

/// Bit mask of the piece numbers of rooks, horses and cannons.
const ATTACKER_MASK: u16 = {
    let mut bits = 0;
    let mut number = 0;
    while number < 14 {
        if PieceKind::ALL[number % 7].is_major() {
            bits |= 1 << number;
        }
        number += 1;
    }
    bits
};

/// A position with its score and the result of its game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct PackedSample(pub [u8; PACKED_SIZE]);

/// An unpacked training position.
pub struct TrainingSample {
    pieces: [u16; 32],
    count: u8,
    /// Number of attackers on the board.
    pub attackers: u8,
    /// From the side to move.
    pub score: i16,
    /// Half points of the side to move.
    half_points: u8,
    black: bool,
    mirrored_first: bool,
}

impl PackedSample {
    /// Packs a position. Epochs alternate between the position and its mirror image; `mirrored_first` says which comes
    /// first.
    pub fn of(position: &Position, score: Score, red_half_points: u8, mirrored_first: bool) -> PackedSample {
        let black = position.side() == Color::Black;
        let half_points = if black { 2 - red_half_points } else { red_half_points };
        let mut bytes = [0; PACKED_SIZE];
        bytes[..28].copy_from_slice(&xiangqi::PackedPosition::from(position).bytes()[..28]);
        bytes[28..30].copy_from_slice(&(score as i16).to_le_bytes());
        bytes[30] = u8::from(black) | half_points << 1 | u8::from(mirrored_first) << 3;
        PackedSample(bytes)
    }

    #[inline(always)]
    pub fn unpack(&self) -> TrainingSample {
        let number = |bytes: &[u8]| bytes.iter().rev().fold(0u128, |sum, &byte| sum << 8 | u128::from(byte));
        let (mut occupied, mut numbers) = (number(&self.0[..12]), number(&self.0[12..28]));
        let mut pieces = [0; 32];
        let (mut count, mut attackers) = (0, 0);
        for place in &mut pieces {
            if occupied == 0 {
                break;
            }
            let piece = (numbers & 15) as u16;
            *place = piece * 90 + occupied.trailing_zeros() as u16;
            attackers += (ATTACKER_MASK >> piece & 1) as u8;
            count += 1;
            numbers >>= 4;
            occupied &= occupied - 1;
        }
        let flags = self.0[30];
        TrainingSample {
            pieces,
            count,
            attackers,
            score: i16::from_le_bytes([self.0[28], self.0[29]]),
            half_points: flags >> 1 & 3,
            black: flags & 1 != 0,
            mirrored_first: flags & 8 != 0,
        }
    }
}

impl TrainingSample {
    /// The pieces, each as number × 90 + square.
    pub fn pieces(&self) -> &[u16] {
        &self.pieces[..usize::from(self.count)]
    }

    pub fn side(&self) -> Color {
        if self.black { Color::Black } else { Color::Red }
    }

    /// The result for the side to move, 0 to 1.
    pub fn result(&self) -> f32 {
        f32::from(self.half_points) / 2.0
    }

    /// Whether this epoch uses the mirror image.
    pub fn is_mirrored(&self, pass: usize) -> bool {
        self.mirrored_first == pass.is_multiple_of(2)
    }
}
