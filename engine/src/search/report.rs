//! What a search tells while it runs, and what it answers at the end.

use crate::types::{Color, Move, Score};
use std::time::Duration;

/// Whether a score is exact or a bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    Exact,
    /// At least this (a fail-high).
    Lower,
    /// At most this (a fail-low).
    Upper,
}

impl Bound {
    /// What it is on the same score seen from red, if that is now seen from this side.
    pub fn from_red(self, side: Color) -> Bound {
        match (self, side) {
            (Bound::Lower, Color::Black) => Bound::Upper,
            (Bound::Upper, Color::Black) => Bound::Lower,
            (bound, _) => bound,
        }
    }

    /// What stands before such a score.
    pub fn sign(self) -> &'static str {
        match self {
            Bound::Exact => "",
            Bound::Lower => "≥",
            Bound::Upper => "≤",
        }
    }

    /// What a score says about the window it was searched with.
    #[inline]
    pub(super) fn of(score: Score, alpha: Score, beta: Score) -> Bound {
        if score >= beta {
            Bound::Lower
        } else if score > alpha {
            Bound::Exact
        } else {
            Bound::Upper
        }
    }

    /// Whether a score of this kind says all that a search of this window wants to know.
    #[inline]
    pub(super) fn decides(self, score: Score, alpha: Score, beta: Score) -> bool {
        match self {
            Bound::Exact => true,
            Bound::Lower => score >= beta,
            Bound::Upper => score <= alpha,
        }
    }

    /// Whether a score of this kind says more than this static evaluation.
    #[inline]
    pub(super) fn betters(self, score: Score, eval: Score) -> bool {
        match self {
            Bound::Exact => true,
            Bound::Lower => score > eval,
            Bound::Upper => score < eval,
        }
    }
}

/// The state of the search after an iteration, or at a fail-high or fail-low inside one.
#[derive(Clone, Debug)]
pub struct Info<'a> {
    /// Nominal depth of the iteration.
    pub depth: u32,
    pub seldepth: u32,
    /// 1 for the best line, 2 for the second …
    pub multipv: usize,
    /// From the side to move; what endgame tables know of the move counts more than what was searched.
    pub score: Score,
    /// Exact, or marked as a bound.
    pub bound: Bound,
    /// Nodes of all threads.
    pub nodes: u64,
    /// Nodes whose score an endgame table told.
    pub table_hits: u64,
    /// Since the search began.
    pub time: Duration,
    /// Fill of the hash table, 0 to 1000; the same in all lines of an iteration.
    pub hashfull: u32,
    /// The principal variation, never empty.
    pub pv: &'a [Move],
}

/// How the search for a mate stands, under `Limits::mate`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MateSearch {
    /// A mate in at most so many moves was asked for.
    pub asked: u32,
    /// The length in moves of the shortest mate that is known.
    pub found: Option<u32>,
    /// There is no mate in so many moves.
    pub ruled_out: u32,
    /// The search ends here.
    pub over: bool,
}

/// Whoever listens to a search. All calls come from the thread that called `Searcher::search`.
pub trait Reporter {
    /// Whether there is anyone to prepare lines for.
    fn listens(&self) -> bool {
        true
    }
    /// A line of the search.
    fn info(&mut self, _info: &Info) {}
    /// The main thread starts on a root move: its number counts from 1. Called after three seconds only.
    fn current_move(&mut self, _depth: u32, _mv: Move, _number: usize) {}
    /// The search for a mate has ruled a length out, or has ended.
    fn mate_search(&mut self, _search: &MateSearch) {}
    /// The search has ended, with so many nodes of all threads and after this time.
    fn ended(&mut self, _nodes: u64, _time: Duration) {}
}

/// Nobody: what counts is the outcome.
pub struct Silent;

impl Reporter for Silent {
    fn listens(&self) -> bool {
        false
    }
}

/// What a search answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The move to play; `None` only if there is no legal move.
    pub best: Option<Move>,
    pub ponder: Option<Move>,
    /// Score of the best line, from the side to move.
    pub score: Score,
    /// Depth of the last finished iteration.
    pub depth: u32,
    /// Nodes of all threads.
    pub nodes: u64,
    pub pv: Vec<Move>,
}
