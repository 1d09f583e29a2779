//! What the main thread tells of its lines, and what it knows of them in the end.
//!
//! What a search tells while it runs, and what it answers at the end.

use super::search_thread::SearchThread;
use super::tablebase_probe::TablebaseProbe;
use crate::types::score::MAX_PLY;
use crate::types::{Color, Move, Score};
use std::time::Duration;

impl SearchThread<'_> {
    /// Tells of a line.
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
            // What a table knows is no bound.
            bound: if score == found { bound } else { Bound::Exact },
            ..self.line_info(index, score, &root_move.pv)
        });
        if index == 0 {
            self.last_reported = root_move.mv;
        }
    }

    /// Ends the search with this line: names the expected answer if the hash table knows one, and tells of the
    /// line if the last one told began with another move.
    pub fn report_final(&mut self, pv: &mut Vec<Move>, score: Score, depth: i32, reporter: &mut dyn Reporter) {
        self.extend_pv(pv);
        // A lone move is followed by the answer that the hash table thinks of, sure or not.
        self.extend_pv_from_tt(pv, 2, |_| true);
        if self.last_reported != pv[0] && self.shared.multi_pv == 1 && reporter.wants_info() {
            self.hashfull = self.tt.hashfull();
            reporter.info(&Info { depth: depth.max(1) as u32, ..self.line_info(0, score, pv) });
        }
    }

    /// What there is to tell of a line; its score is exact unless the caller knows better.
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

    /// A variation that ends early is continued from the hash table as far as that is sure of itself.
    fn extend_pv(&mut self, pv: &mut Vec<Move>) {
        let wanted = (self.root_depth as usize).min(MAX_PLY);
        self.extend_pv_from_tt(pv, wanted, |bound| bound == Bound::Exact);
        if let Some(tables) = &self.shared.tablebase {
            tables.extend_pv(&self.position, pv);
        }
    }

    /// Continues a variation up to this length by moves of the hash table whose scores are good enough.
    fn extend_pv_from_tt(&mut self, pv: &mut Vec<Move>, wanted: usize, is_good: impl Fn(Bound) -> bool) {
        let position = &mut self.position;
        let before = position.history_len();
        for &mv in pv.iter() {
            position.make_unchecked(mv);
        }
        while pv.len() < wanted {
            let Some(entry) = self.tt.probe(position.key()) else { break };
            let usable = is_good(entry.bound) && position.is_pseudo_legal(entry.mv) && position.is_legal(entry.mv);
            if !usable {
                break;
            }
            position.make_unchecked(entry.mv);
            if position.repetition_distance().is_some() {
                break;
            }
            pv.push(entry.mv);
        }
        while position.history_len() > before {
            position.unmake();
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
    pub(super) fn from_window(score: Score, alpha: Score, beta: Score) -> Bound {
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
    pub(super) fn cuts_off(self, score: Score, alpha: Score, beta: Score) -> bool {
        match self {
            Bound::Exact => true,
            Bound::Lower => score >= beta,
            Bound::Upper => score <= alpha,
        }
    }

    /// Whether a score of this kind says more than this static evaluation.
    #[inline]
    pub(super) fn improves(self, score: Score, eval: Score) -> bool {
        match self {
            Bound::Exact => true,
            Bound::Lower => score > eval,
            Bound::Upper => score < eval,
        }
    }
}

/// The state of the search after an iteration, or at a fail-high or fail-low inside one.
#[derive(Clone, Debug)]
#[non_exhaustive]
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
    pub tablebase_hits: u64,
    /// Since the search began.
    pub time: Duration,
    /// Fill of the hash table, 0 to 1000; the same in all lines of an iteration.
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

/// How the search for a mate stands, under `Limits::mate`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct MateProgress {
    /// A mate in at most so many moves was asked for.
    pub asked: u32,
    /// The length in moves of the shortest mate that is known.
    pub found: Option<u32>,
    /// There is no mate in so many moves.
    pub ruled_out: u32,
    /// The search ends here.
    pub finished: bool,
}

/// Whoever listens to a search. All calls come from the thread that called `Searcher::search`.
pub trait Reporter {
    /// Whether there is anyone to prepare lines for.
    fn wants_info(&self) -> bool {
        true
    }
    /// A line of the search.
    fn info(&mut self, _info: &Info) {}
    /// The main thread starts on a root move: its number counts from 1. Called after three seconds only.
    fn current_move(&mut self, _depth: u32, _mv: Move, _number: usize) {}
    /// The search for a mate has ruled a length out, or has ended.
    fn mate_progress(&mut self, _search: &MateProgress) {}
    /// The search has ended, with so many nodes of all threads and after this time.
    fn finished(&mut self, _nodes: u64, _time: Duration) {}
}

/// Nobody: what counts is the outcome.
pub struct NoReporter;

impl Reporter for NoReporter {
    fn wants_info(&self) -> bool {
        false
    }
}

/// What a search answers.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SearchResult {
    /// The move to play; `None` only if there is no legal move.
    pub best_move: Option<Move>,
    pub ponder_move: Option<Move>,
    /// Score of the best line, from the side to move.
    pub score: Score,
    /// Depth of the last finished iteration.
    pub depth: u32,
    /// Nodes of all threads.
    pub nodes: u64,
    pub pv: Vec<Move>,
}
