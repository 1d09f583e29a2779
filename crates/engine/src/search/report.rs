//! How the main thread reports its lines and the final result.
//!
//! What a search tells: lines while it runs, and its result.

use super::search_thread::{RootMove, SearchThread};
use super::tablebase_probe::TablebaseProbe;
use crate::score::{Bound, INFINITE, MATE, MAX_PLY, Score};
use std::time::Duration;
use xiangqi::Move;

/// Root moves and bounds are reported only after this time.
pub(super) const LONG_SEARCH: Duration = Duration::from_secs(3);

impl SearchThread<'_> {
    /// Reports a PV line.
    pub(super) fn report_line(&mut self, reporter: &mut dyn Reporter, index: usize) {
        if !reporter.wants_info() {
            return;
        }
        let mut pv = std::mem::take(&mut self.root_moves[index].pv);
        self.extend_pv(&mut pv);
        self.root_moves[index].pv = pv;
        if index == 0 {
            self.hashfull = self.tt.hashfull();
        }
        let info = self.line_info(index, &self.root_moves[index]);
        let told = (info.pv[0], info.score, info.depth);
        reporter.info(&info);
        match self.reported.get_mut(index) {
            Some(reported) => *reported = told,
            None => self.reported.push(told),
        }
    }

    /// The lines of this thread at its end, best first: as many as are shown, if they were searched.
    pub fn final_lines(&self) -> Vec<RootMove> {
        let count = self.shared.options.multi_pv.clamp(1, self.root_moves.len());
        let searched = self.root_moves[1..count].iter().filter(|line| line.score != -INFINITE);
        std::iter::once(&self.root_moves[0]).chain(searched).cloned().collect()
    }

    /// Ends the search with these lines: extends the first by a ponder move from the transposition table, and reports them
    /// if they are not those that were reported last. `is_chosen`: limited skill has chosen the line, which may not be
    /// the best one that was reported.
    pub fn report_final(&mut self, lines: &mut [RootMove], is_chosen: bool, reporter: &mut dyn Reporter) {
        for line in &mut *lines {
            line.bound = Bound::Exact;
            self.extend_pv(&mut line.pv);
        }
        // For the ponder move any bound is good enough.
        self.extend_pv_from_tt(&mut lines[0].pv, 2, |_| true);
        let has_news = match &self.reported[..] {
            [] => true,
            _ if is_chosen => false,
            [(mv, ..), ..] if self.shared.multi_pv == 1 => *mv != lines[0].mv,
            reported => !reported.iter().copied().eq(lines.iter().map(|line| {
                let info = self.line_info(0, line);
                (line.mv, info.score, info.depth)
            })),
        };
        if has_news && reporter.wants_info() {
            self.hashfull = self.tt.hashfull();
            lines.iter().enumerate().for_each(|(index, line)| reporter.info(&self.line_info(index, line)));
        }
    }

    /// The score of a line as it is reported: tablebases may know better than the search.
    pub(super) fn reported_score(&self, line: &RootMove) -> Score {
        let tables = self.shared.tablebase.as_ref();
        tables.map_or(line.score, |tables| tables.tb_score(&self.position, line.mv, line.score))
    }

    fn line_info<'p>(&self, index: usize, line: &'p RootMove) -> Info<'p> {
        let score = self.reported_score(line);
        Info {
            depth: line.depth.max(1) as u32,
            seldepth: line.seldepth.max(line.pv.len() as u32),
            multipv: index + 1,
            score,
            // Tablebase scores are exact.
            bound: if score == line.score { line.bound } else { Bound::Exact },
            nodes: self.shared.total_nodes().max(self.nodes),
            tablebase_hits: self.shared.tablebase.as_ref().map_or(0, TablebaseProbe::hits),
            time: self.time.elapsed(),
            hashfull: self.hashfull,
            pv: &line.pv,
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
