//! Where generated moves go: a list of moves that lives on the stack, or merely a count.

use crate::types::{Move, Square};
use arrayvec::ArrayVec;
use std::ops::{Deref, DerefMut};

/// More moves than sixteen pieces of one side can have.
const MAX_MOVES: usize = 272;

/// A move and what the move picker thinks of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ScoredMove {
    pub mv: Move,
    /// Its place in the order, for whoever sorts.
    pub score: i32,
}

/// Where generated moves go: into a list, or merely into a count.
pub trait MoveSink {
    fn push(&mut self, from: Square, to: Square);

    /// Moves of a slider: columns of its rank and rows of its file.
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

/// Up to 272 moves, no allocation.
#[derive(Default)]
pub struct MoveList {
    moves: ArrayVec<ScoredMove, MAX_MOVES>,
}

impl MoveList {
    #[inline]
    pub fn new() -> MoveList {
        MoveList { moves: ArrayVec::new() }
    }

    /// Adds a move at the end.
    #[inline]
    pub fn add(&mut self, mv: Move) {
        self.moves.push(ScoredMove { mv, score: 0 });
    }

    #[inline]
    pub fn clear(&mut self) {
        self.moves.clear();
    }

    /// Keeps, of the moves from index `start` on, those that the judge accepts, in their order.
    #[inline]
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
