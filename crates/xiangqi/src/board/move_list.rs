//! Outputs of move generation: a list on the stack, or a count.

use crate::types::{Move, Square};
use arrayvec::ArrayVec;
use std::fmt;
use std::ops::{Deref, DerefMut};

/// More than the moves that sixteen pieces can have.
const MAX_MOVES: usize = 272;

/// A move with its score for move ordering.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

impl<'a> IntoIterator for &'a MoveList {
    type Item = Move;
    type IntoIter = std::iter::Map<std::slice::Iter<'a, ScoredMove>, fn(&ScoredMove) -> Move>;

    /// The moves without their scores.
    fn into_iter(self) -> Self::IntoIter {
        self.iter().map(|entry| entry.mv)
    }
}

impl IntoIterator for MoveList {
    type Item = Move;
    type IntoIter = std::iter::Map<arrayvec::IntoIter<ScoredMove, MAX_MOVES>, fn(ScoredMove) -> Move>;

    /// The moves without their scores.
    fn into_iter(self) -> Self::IntoIter {
        self.moves.into_iter().map(|entry| entry.mv)
    }
}

impl fmt::Debug for MoveList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self).finish()
    }
}

impl MoveSink for MoveList {
    #[inline]
    fn push(&mut self, from: Square, to: Square) {
        self.add(Move::new(from, to));
    }
}
