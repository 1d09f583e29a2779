//! A root move with its score, principal variation and node count.

use crate::score::{Bound, INFINITE, MAX_PLY, Score};
use xiangqi::Move;

/// A root move and its results.
#[derive(Clone, Debug)]
pub(super) struct RootMove {
    pub mv: Move,
    /// Score of this iteration; `-INFINITE` until searched.
    pub score: Score,
    /// Whether the score is exact or a bound.
    pub bound: Bound,
    /// Depth of the iteration that the score is from.
    pub depth: i32,
    /// Score of the previous iteration.
    pub previous_score: Score,
    /// Deepest ply reached below it.
    pub seldepth: u32,
    /// Nodes searched below it in all iterations.
    pub nodes: u64,
    /// The principal variation, beginning with `mv`.
    pub pv: Vec<Move>,
}

impl RootMove {
    pub fn new(mv: Move) -> RootMove {
        let mut pv = Vec::with_capacity(MAX_PLY + 1);
        pv.push(mv);
        let (score, previous_score) = (-INFINITE, -INFINITE);
        RootMove { mv, score, bound: Bound::Exact, depth: 0, previous_score, seldepth: 0, nodes: 0, pv }
    }

    /// Saves the score and resets it for a new iteration.
    pub fn begin_iteration(&mut self) {
        self.previous_score = self.score;
        self.score = -INFINITE;
    }

    /// Sets the result of an iteration of this depth; `tail` is the variation after the move.
    pub fn set_result(&mut self, (score, bound): (Score, Bound), depth: i32, seldepth: u32, tail: &[Move]) {
        (self.score, self.bound, self.depth, self.seldepth) = (score, bound, depth, seldepth);
        self.pv.truncate(1);
        self.pv.extend_from_slice(tail);
    }
}
