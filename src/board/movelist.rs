//! A list of moves that lives on the stack.

use super::movegen::Sink;
use crate::types::{Move, Square};
use std::ops::{Deref, DerefMut};

/// More moves than sixteen pieces of one side can have.
const CAPACITY: usize = 272;

/// A move and what the move picker thinks of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ScoredMove {
    /// The move.
    pub mv: Move,
    /// Its place in the order, for whoever sorts.
    pub score: i32,
}

/// Up to 272 moves, no allocation.
pub struct MoveList {
    len: usize,
    moves: [ScoredMove; CAPACITY],
}

impl MoveList {
    /// An empty list.
    #[inline]
    pub fn new() -> MoveList {
        MoveList { len: 0, moves: [ScoredMove { mv: Move::NONE, score: 0 }; CAPACITY] }
    }

    /// Adds a move at the end.
    #[inline]
    pub fn add(&mut self, mv: Move) {
        self.moves[self.len] = ScoredMove { mv, score: 0 };
        self.len += 1;
    }

    /// Forgets all moves.
    #[inline]
    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// Keeps, of the moves from index `start` on, those that the judge accepts, in their order.
    #[inline]
    pub fn retain_from(&mut self, start: usize, mut keep: impl FnMut(Move) -> bool) {
        let mut kept = start;
        for index in start..self.len {
            let entry = self.moves[index];
            if keep(entry.mv) {
                self.moves[kept] = entry;
                kept += 1;
            }
        }
        self.len = kept;
    }

    /// The moves without their scores.
    pub fn moves(&self) -> impl Iterator<Item = Move> + '_ {
        self.iter().map(|entry| entry.mv)
    }

    /// True if this move is in the list.
    pub fn has(&self, mv: Move) -> bool {
        self.moves().any(|other| other == mv)
    }
}

impl Default for MoveList {
    fn default() -> Self {
        MoveList::new()
    }
}

impl Deref for MoveList {
    type Target = [ScoredMove];
    #[inline]
    fn deref(&self) -> &[ScoredMove] {
        &self.moves[..self.len]
    }
}

impl DerefMut for MoveList {
    #[inline]
    fn deref_mut(&mut self) -> &mut [ScoredMove] {
        &mut self.moves[..self.len]
    }
}

impl Sink for MoveList {
    #[inline]
    fn push(&mut self, from: Square, to: Square) {
        self.add(Move::new(from, to));
    }
}
