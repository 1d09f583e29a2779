//! Outputs of move generation: a list on the stack, or a count.

use crate::types::{Move, Square};
use arrayvec::ArrayVec;
use std::ops::{Deref, DerefMut};

/// More than the moves that sixteen pieces can have.
const MAX_MOVES: usize = 272;

/// A move with its score for move ordering.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ScoredMove {
    /// The move.
    pub mv: Move,
    /// The score for move ordering.
    pub score: i32,
}

/// Receives generated moves.
pub trait MoveSink {
    /// Adds a move.
    fn push(&mut self, from: Square, to: Square);

    /// Adds the moves of a slider: columns of its rank and rows of its file.
    #[inline]
    fn push_lines(&mut self, from: Square, cols: u16, rows: u16) {
        let mut cols = cols as u32;
        while cols != 0 {
            self.push(from, Square((from.0 & 0xF0) | cols.trailing_zeros() as u8));
            cols &= cols - 1;
        }
        let mut rows = rows as u32;
        while rows != 0 {
            self.push(from, Square((rows.trailing_zeros() as u8) << 4 | (from.0 & 0x0F)));
            rows &= rows - 1;
        }
    }
}

/// A list of up to 272 moves without allocation.
#[derive(Default)]
pub struct MoveList {
    moves: ArrayVec<ScoredMove, MAX_MOVES>,
}

impl MoveList {
    /// Creates an empty list.
    #[inline]
    pub fn new() -> MoveList {
        MoveList { moves: ArrayVec::new() }
    }

    /// Appends a move.
    #[inline]
    pub fn add(&mut self, mv: Move) {
        self.moves.push(ScoredMove { mv, score: 0 });
    }

    /// Removes all moves.
    #[inline]
    pub fn clear(&mut self) {
        self.moves.clear();
    }

    /// Keeps, from index `start` on, the moves for which `keep` is true, in their order.
    #[inline]
    #[doc(hidden)]
    pub fn retain_from(&mut self, start: usize, mut keep: impl FnMut(Move) -> bool) {
        let mut kept = start;
        for index in start..self.moves.len() {
            let entry = self.moves[index];
            if keep(entry.mv) {
                self.moves[kept] = entry;
                kept += 1;
            }
        }
        self.moves.truncate(kept);
    }

    /// The moves without their scores.
    pub fn moves(&self) -> impl Iterator<Item = Move> + '_ {
        self.iter().map(|entry| entry.mv)
    }

    /// True if this move is in the list.
    pub fn contains_move(&self, mv: Move) -> bool {
        self.moves().any(|other| other == mv)
    }
}

impl Deref for MoveList {
    type Target = [ScoredMove];
    #[inline]
    fn deref(&self) -> &[ScoredMove] {
        &self.moves
    }
}

impl DerefMut for MoveList {
    #[inline]
    fn deref_mut(&mut self) -> &mut [ScoredMove] {
        &mut self.moves
    }
}

impl MoveSink for MoveList {
    #[inline]
    fn push(&mut self, from: Square, to: Square) {
        self.add(Move::new(from, to));
    }
}
