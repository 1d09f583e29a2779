//! What a search tells: lines while it runs, and its result.

use crate::score::{Bound, MATE, Score};
use std::time::Duration;
use xiangqi::Move;

/// A PV line after an iteration, or at a fail-high or fail-low inside one.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Info<'a> {
    /// Nominal depth of the iteration.
    pub depth: u32,
    /// The deepest ply reached.
    pub seldepth: u32,
    /// 1 for the best line, 2 for the second …
    pub multipv: usize,
    /// From the side to move; a tablebase score of the move replaces the searched score.
    pub score: Score,
    /// Whether the score is exact or a bound.
    pub bound: Bound,
    /// Nodes of all threads.
    pub nodes: u64,
    /// Nodes scored by a tablebase.
    pub tablebase_hits: u64,
    /// Time since the search began.
    pub time: Duration,
    /// Hash usage per thousand; the same in all lines of an iteration.
    pub hashfull: u32,
    /// The principal variation, never empty.
    pub pv: &'a [Move],
}

impl<'a> Info<'a> {
    /// A score without a search behind it, such as the one of a book move: depth, nodes and time are 0.
    pub const fn without_search(score: Score, pv: &'a [Move]) -> Info<'a> {
        Info {
            depth: 0,
            seldepth: 0,
            multipv: 1,
            score,
            bound: Bound::Exact,
            nodes: 0,
            tablebase_hits: 0,
            time: Duration::ZERO,
            hashfull: 0,
            pv,
        }
    }
}

/// State of a mate search under [`Limits::mate`](super::Limits::mate).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct MateProgress {
    /// Longest mate asked for, in moves.
    pub requested: u32,
    /// Shortest known mate, in moves.
    pub found: Option<u32>,
    /// There is no mate within this many moves.
    pub ruled_out: u32,
    /// The mate search has ended.
    pub finished: bool,
}

/// Receives search info. All calls come from one thread, that of the search.
pub trait Reporter: Send {
    /// Whether `info` is used; if not, the search does not prepare lines.
    fn wants_info(&self) -> bool {
        true
    }
    /// A PV line.
    fn info(&mut self, _info: &Info) {}
    /// The main thread starts a root move; `number` counts from 1. Called after three seconds only.
    fn current_move(&mut self, _depth: u32, _mv: Move, _number: usize) {}
    /// The mate search has ruled out a length, or has ended.
    fn mate_progress(&mut self, _search: &MateProgress) {}
    /// The search has ended; nodes of all threads, and its duration.
    fn finished(&mut self, _nodes: u64, _time: Duration) {}
}

/// A reporter that ignores everything.
#[derive(Clone, Copy, Debug)]
pub struct NoReporter;

impl Reporter for NoReporter {
    fn wants_info(&self) -> bool {
        false
    }
}

/// Result of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SearchResult {
    /// The move to play; `None` only if there is no legal move.
    pub best_move: Option<Move>,
    /// The expected reply.
    pub ponder_move: Option<Move>,
    /// Score of the best line, from the side to move.
    pub score: Score,
    /// Depth of the last finished iteration.
    pub depth: u32,
    /// Nodes of all threads.
    pub nodes: u64,
    /// The principal variation.
    pub pv: Vec<Move>,
}

impl SearchResult {
    /// Mate or stalemate: there is nothing to search.
    pub(super) fn without_moves() -> SearchResult {
        SearchResult { best_move: None, ponder_move: None, score: -MATE, depth: 0, nodes: 0, pv: Vec::new() }
    }
}
