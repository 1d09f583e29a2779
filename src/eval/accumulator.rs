//! What the evaluation keeps up to date while moves are made: piece-square sums, the phase, structure keys.

use super::features::square_feature;
use super::{Pair, WEIGHTS};
use crate::board::{BoardObserver, Position, piece_key};
use crate::types::{Color, Key, Piece, PieceKind, Square};

/// Sums over the pieces on the board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Accumulator {
    /// Piece-square values, red minus black.
    squares: Pair,
    phase: i32,
    /// Keys of the pawns, of the guards (king, advisors, bishops), and of either side's attackers.
    keys: [Key; STRUCTURE_KEYS],
}

/// How many keys of the structure there are.
pub const STRUCTURE_KEYS: usize = 4;

const PHASES: [i32; 7] = [0, 0, 0, 3, 6, 3, 0];

/// Which key a piece belongs to. The attackers of both sides together would be nearly the whole position, of
/// which there is nothing to learn for others.
#[inline]
fn key_of(kind: PieceKind, color: Color) -> usize {
    match kind {
        PieceKind::Pawn => 0,
        PieceKind::King | PieceKind::Advisor | PieceKind::Bishop => 1,
        PieceKind::Horse | PieceKind::Rook | PieceKind::Cannon => 2 + color as usize,
    }
}

impl Accumulator {
    /// Counted afresh.
    pub fn of(position: &Position) -> Accumulator {
        let mut sums = Accumulator::default();
        for color in Color::ALL {
            for (kind, square) in position.pieces(color) {
                sums.change(Piece::new(color, kind), square, 1);
            }
        }
        sums
    }

    #[inline]
    fn change(&mut self, piece: Piece, square: Square, sign: i32) {
        let kind = piece.kind_unchecked();
        let (color, side) = if piece.is(Color::Red) { (Color::Red, sign) } else { (Color::Black, -sign) };
        self.squares += WEIGHTS[square_feature(kind, square, color)] * side;
        self.phase += PHASES[kind] * sign;
        self.keys[key_of(kind, color)] ^= piece_key(piece, square);
    }

    /// Piece-square values, red minus black.
    #[inline]
    pub fn squares(&self) -> Pair {
        self.squares
    }

    /// 0 in a bare ending, `FULL_PHASE` with everything on the board.
    #[inline]
    pub fn phase(&self) -> i32 {
        self.phase
    }

    /// Keys of the position's structure: pawns, guards, red attackers, black attackers.
    #[inline]
    pub fn keys(&self) -> &[Key; STRUCTURE_KEYS] {
        &self.keys
    }
}

/// One accumulator per move made; the board tells it what moves.
#[derive(Clone, Debug)]
pub struct Accumulators {
    stack: Vec<Accumulator>,
}

impl Accumulators {
    /// For a position, with room for a deep line.
    pub fn new(position: &Position) -> Accumulators {
        let mut stack = Vec::with_capacity(512);
        stack.push(Accumulator::of(position));
        Accumulators { stack }
    }

    /// The sums of the position as it is now.
    #[inline]
    pub fn top(&self) -> &Accumulator {
        &self.stack[self.stack.len() - 1]
    }

    /// A move was taken back.
    #[inline]
    pub fn pop(&mut self) {
        self.stack.pop();
    }

    #[inline]
    fn top_mut(&mut self) -> &mut Accumulator {
        let last = self.stack.len() - 1;
        &mut self.stack[last]
    }
}

impl BoardObserver for Accumulators {
    #[inline]
    fn begin(&mut self) {
        self.stack.push(*self.top());
    }

    #[inline]
    fn removed(&mut self, piece: Piece, square: Square) {
        self.top_mut().change(piece, square, -1);
    }

    #[inline]
    fn added(&mut self, piece: Piece, square: Square) {
        self.top_mut().change(piece, square, 1);
    }

    #[inline]
    fn moved(&mut self, piece: Piece, from: Square, to: Square) {
        let sums = self.top_mut();
        sums.change(piece, from, -1);
        sums.change(piece, to, 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn incremental_sums_equal_fresh_ones() {
        let mut position = Position::start();
        let mut sums = Accumulators::new(&position);
        let mut seed = 0x1234_5678_u64;
        for _ in 0..300 {
            let moves: Vec<_> = position.legal_moves().moves().collect();
            if moves.is_empty() {
                break;
            }
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            position.make_observed(moves[(seed >> 33) as usize % moves.len()], &mut sums);
            assert_eq!(*sums.top(), Accumulator::of(&position), "{}", position.fen());
        }
        while position.history_len() > 0 {
            position.unmake();
            sums.pop();
        }
        assert_eq!(*sums.top(), Accumulator::of(&position));
    }
}
