//! Search output: the types of [`Reporter`], and how the main thread reports its lines and the final result.

use super::search_thread::SearchThread;
use super::tablebase_probe::TablebaseProbe;
use crate::score::{MAX_PLY, Score};
use std::time::Duration;
use xiangqi::{Color, Move};

/// Root moves and bounds are reported only after this time.
pub(super) const LONG_SEARCH: Duration = Duration::from_secs(3);

impl SearchThread<'_> {
    /// Reports a PV line.
    pub(super) fn report_line(&mut self, reporter: &mut dyn Reporter, index: usize, bound: Bound) {
        if !reporter.wants_info() {
            return;
        }
        let mut pv = std::mem::take(&mut self.root_moves[index].pv);
        self.extend_pv(&mut pv);
        self.root_moves[index].pv = pv;
        if index == 0 {
            self.hashfull = self.tt.hashfull();
        }
        let root_move = &self.root_moves[index];
        let found = root_move.score;
        let score =
            self.shared.tablebase.as_ref().map_or(found, |tables| tables.tb_score(&self.position, root_move.mv, found));
        reporter.info(&Info {
            seldepth: root_move.seldepth.max(root_move.pv.len() as u32),
            // Tablebase scores are exact.
            bound: if score == found { bound } else { Bound::Exact },
            ..self.line_info(index, score, &root_move.pv)
        });
        if index == 0 {
            self.last_reported = Some(root_move.mv);
        }
    }

    /// Ends the search with this line: extends it by a ponder move from the transposition table, and reports the line
    /// if the last reported one began with another move.
    pub fn report_final(&mut self, pv: &mut Vec<Move>, score: Score, depth: i32, reporter: &mut dyn Reporter) {
        self.extend_pv(pv);
        // For the ponder move any bound is good enough.
        self.extend_pv_from_tt(pv, 2, |_| true);
        if self.last_reported != Some(pv[0]) && self.shared.multi_pv == 1 && reporter.wants_info() {
            self.hashfull = self.tt.hashfull();
            reporter.info(&Info { depth: depth.max(1) as u32, ..self.line_info(0, score, pv) });
        }
    }

    /// The info of a PV line with an exact score.
    fn line_info<'p>(&self, index: usize, score: Score, pv: &'p [Move]) -> Info<'p> {
        Info {
            depth: self.root_depth as u32,
            seldepth: self.seldepth.max(pv.len()) as u32,
            multipv: index + 1,
            score,
            bound: Bound::Exact,
            nodes: self.shared.total_nodes().max(self.nodes),
            tablebase_hits: self.shared.tablebase.as_ref().map_or(0, TablebaseProbe::hits),
            time: self.time.elapsed(),
            hashfull: self.hashfull,
            pv,
        }
    }

    /// Extends a short variation from exact entries of the transposition table and from tablebases.
    fn extend_pv(&mut self, pv: &mut Vec<Move>) {
        let length = (self.root_depth as usize).min(MAX_PLY);
        self.extend_pv_from_tt(pv, length, |bound| bound == Bound::Exact);
        if let Some(tables) = &self.shared.tablebase {
            tables.extend_pv(&self.position, pv);
        }
    }

    /// Extends a variation to this length from transposition table entries whose bound `is_good`.
    fn extend_pv_from_tt(&mut self, pv: &mut Vec<Move>, length: usize, is_good: impl Fn(Bound) -> bool) {
        let position = &mut self.position;
        let before = position.history_len();
        for &mv in pv.iter() {
            position.play_unchecked(mv);
        }
        while pv.len() < length {
            let Some(entry) = self.tt.probe(position.key()) else { break };
            let legal = entry.mv.filter(|&mv| position.is_pseudo_legal(mv) && position.is_legal(mv));
            let Some(mv) = legal.filter(|_| is_good(entry.bound)) else { break };
            position.play_unchecked(mv);
            if position.repetition_distance().is_some() {
                break;
            }
            pv.push(mv);
        }
        while position.history_len() > before {
            position.undo();
        }
    }
}

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
    /// Converts the bound between the view of red and that of `side`.
    pub fn from_red(self, side: Color) -> Bound {
        match (self, side) {
            (Bound::Lower, Color::Black) => Bound::Upper,
            (Bound::Upper, Color::Black) => Bound::Lower,
            (bound, _) => bound,
        }
    }

    /// Sign to print before a score.
    pub fn sign(self) -> &'static str {
        match self {
            Bound::Exact => "",
            Bound::Lower => "≥",
            Bound::Upper => "≤",
        }
    }

    /// The bound of a score that was searched with this window.
    #[inline]
    pub(super) fn from_window(score: Score, alpha: Score, beta: Score) -> Bound {
        if score >= beta {
            Bound::Lower
        } else if score > alpha {
            Bound::Exact
        } else {
            Bound::Upper
        }
    }

    /// Whether a stored score with this bound cuts off a search with this window.
    #[inline]
    pub(super) fn cuts_off(self, score: Score, alpha: Score, beta: Score) -> bool {
        match self {
            Bound::Exact => true,
            Bound::Lower => score >= beta,
            Bound::Upper => score <= alpha,
        }
    }

    /// Whether a score with this bound is a better estimate than this static evaluation.
    #[inline]
    pub(super) fn improves(self, score: Score, eval: Score) -> bool {
        match self {
            Bound::Exact => true,
            Bound::Lower => score > eval,
            Bound::Upper => score < eval,
        }
    }
}

/// A PV line after an iteration, or at a fail-high or fail-low inside one.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Info<'a> {
    /// Nominal depth of the iteration.
    pub depth: u32,
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
    pub asked: u32,
    /// Shortest known mate, in moves.
    pub found: Option<u32>,
    /// There is no mate within this many moves.
    pub ruled_out: u32,
    /// The mate search has ended.
    pub finished: bool,
}

/// Receives search info. All calls come from the thread that called [`Searcher::search`](super::Searcher::search).
pub trait Reporter {
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
