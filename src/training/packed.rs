//! A position with what there is to learn about it: in 32 bytes as it waits in memory or on disk, and taken apart as a
//! model looks at it.
//!
//! ```text
//! 12 bytes  which points are taken, a bit each
//! 16 bytes  the pieces on them in this order, four bits each
//!  2 bytes  the score from the side to move
//!  1 byte   black to move 1, half points of the side to move 2 to 4, mirrored first 8
//!  1 byte   nothing
//! ```

use chuhe_engine::board::Position;
use chuhe_engine::nnue::layout::piece_number;
use chuhe_engine::types::{Color, Piece, PieceKind, Score};

/// Bytes of a packed position.
pub const SIZE: usize = 32;

/// The piece numbers of rooks, horses and cannons, a bit each.
const ATTACKERS: u16 = {
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

/// A position as it waits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Packed(pub [u8; SIZE]);

/// A position taken apart.
pub struct Sample {
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

impl Packed {
    /// Passes turn by turn see it mirrored and as it is; this says which of both comes first.
    pub fn of(position: &Position, score: Score, red_half_points: u8, mirrored_first: bool) -> Packed {
        let mut numbers = [0; 90];
        let mut taken = 0u128;
        for color in Color::ALL {
            for (kind, square) in position.pieces(color) {
                numbers[square.dense()] = piece_number(Piece::new(color, kind)) as u128;
                taken |= 1 << square.dense();
            }
        }
        let (mut pieces, mut rest) = (0u128, taken);
        for shift in (0..128).step_by(4).take(taken.count_ones() as usize) {
            pieces |= numbers[rest.trailing_zeros() as usize] << shift;
            rest &= rest - 1;
        }
        let black = position.side() == Color::Black;
        let half_points = if black { 2 - red_half_points } else { red_half_points };
        let mut bytes = [0; SIZE];
        bytes[..12].copy_from_slice(&taken.to_le_bytes()[..12]);
        bytes[12..28].copy_from_slice(&pieces.to_le_bytes());
        bytes[28..30].copy_from_slice(&(score as i16).to_le_bytes());
        bytes[30] = u8::from(black) | half_points << 1 | u8::from(mirrored_first) << 3;
        Packed(bytes)
    }

    /// Takes it apart.
    #[inline(always)]
    pub fn sample(&self) -> Sample {
        let number = |bytes: &[u8]| bytes.iter().rev().fold(0u128, |sum, &byte| sum << 8 | u128::from(byte));
        let (mut taken, mut numbers) = (number(&self.0[..12]), number(&self.0[12..28]));
        let mut pieces = [0; 32];
        let (mut count, mut attackers) = (0, 0);
        for place in &mut pieces {
            if taken == 0 {
                break;
            }
            let piece = (numbers & 15) as u16;
            *place = piece * 90 + taken.trailing_zeros() as u16;
            attackers += (ATTACKERS >> piece & 1) as u8;
            count += 1;
            numbers >>= 4;
            taken &= taken - 1;
        }
        let flags = self.0[30];
        Sample {
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

impl Sample {
    /// The pieces, as number × 90 + square.
    pub fn pieces(&self) -> &[u16] {
        &self.pieces[..usize::from(self.count)]
    }

    /// Who is to move.
    pub fn side(&self) -> Color {
        if self.black { Color::Black } else { Color::Red }
    }

    /// The result for the side to move, 0 to 1.
    pub fn result(&self) -> f32 {
        f32::from(self.half_points) / 2.0
    }

    /// Whether this pass sees it mirrored.
    pub fn is_mirrored(&self, pass: usize) -> bool {
        self.mirrored_first == pass.is_multiple_of(2)
    }
}
