//! The root moves: what is known about each move of the position that is searched.

use super::report::Bound;
use crate::types::score::{INFINITE, MAX_PLY};
use crate::types::{Move, Score};

/// A move of the root and what is known about it.
#[derive(Clone, Debug)]
pub(super) struct RootMove {
    pub mv: Move,
    /// Of this iteration; `-INFINITE` until searched.
    pub score: Score,
    /// What the score is.
    pub bound: Bound,
    /// Of the iteration before.
    pub previous: Score,
    /// Deepest ply reached below it.
    pub seldepth: u32,
    /// All nodes ever searched below it.
    pub nodes: u64,
    /// The best line that begins with it.
    pub pv: Vec<Move>,
}

impl RootMove {
    /// A move that has not been searched.
    pub fn new(mv: Move) -> RootMove {
        let mut pv = Vec::with_capacity(MAX_PLY + 1);
        pv.push(mv);
        let (score, previous) = (-INFINITE, -INFINITE);
        RootMove { mv, score, bound: Bound::Exact, previous, seldepth: 0, nodes: 0, pv }
    }

    /// A new iteration begins.
    pub fn grow_old(&mut self) {
        self.previous = self.score;
        self.score = -INFINITE;
    }

    /// What was found below it.
    pub fn set(&mut self, score: Score, seldepth: u32, tail: &[Move]) {
        (self.score, self.bound, self.seldepth) = (score, Bound::Exact, seldepth);
        self.pv.truncate(1);
        self.pv.extend_from_slice(tail);
    }
}
