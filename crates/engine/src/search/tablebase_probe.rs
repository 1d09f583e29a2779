//! Tablebase probing in the search: scores of nodes, and filtering of root moves.

use crate::score::{self, DRAW, Score, TABLEBASE_WIN, mate_in, mated_in};
use crate::tablebase::{ProbeResult, Tablebase};
use std::sync::atomic::{AtomicU64, Ordering};
use xiangqi::{Color, Move, Position, Rules};

/// Longest variation that tablebases extend.
const MAX_TABLEBASE_PV: usize = 120;

/// Tablebase access of one search.
pub struct TablebaseProbe<'a> {
    tablebase: &'a Tablebase,
    /// Whose natural limit decides whether a win is reached in time.
    rules: Rules,
    /// Tablebase result of the root, if root moves are filtered by it.
    root_result: Option<ProbeResult>,
    /// Pieces on the board at the root.
    root_pieces: usize,
    hits: AtomicU64,
}

/// All pieces on the board.
fn total_pieces(position: &Position) -> usize {
    Color::ALL.into_iter().map(|color| position.pieces(color).count()).sum()
}

impl<'a> TablebaseProbe<'a> {
    /// Prepares probing for a search from this position. `filters_root`: a single PV line is searched, so root moves
    /// worse than the best need not be searched.
    pub fn new(tablebase: &'a Tablebase, position: &Position, rules: &Rules, filters_root: bool) -> TablebaseProbe<'a> {
        let root = if filters_root { tablebase.probe(position) } else { None };
        TablebaseProbe {
            tablebase,
            rules: *rules,
            root_result: root,
            root_pieces: total_pieces(position),
            hits: AtomicU64::new(0),
        }
    }

    /// Whether the tables say that the root is drawn.
    pub fn is_root_drawn(&self) -> bool {
        self.root_result == Some(ProbeResult::Draw)
    }

    /// Number of successful probes.
    pub fn hits(&self) -> u64 {
        self.hits.load(Ordering::Relaxed)
    }

    /// Score of a root move: the tablebase score if it decides, else `searched`, the score of the search.
    pub fn tb_score(&self, root: &Position, mv: Move, searched: Score) -> Score {
        // Tablebases ignore repetitions that began before the root.
        if score::is_rule_score(searched) {
            return searched;
        }
        let mut next = root.clone();
        next.play_unchecked(mv);
        match self.tablebase.probe(&next) {
            Some(ProbeResult::Draw) => DRAW,
            Some(ProbeResult::Loss(Some(plies))) if self.is_mate_within_limit(&next, plies) => {
                mate_in(usize::from(plies) + 1)
            }
            Some(ProbeResult::Win(Some(plies))) if self.is_mate_within_limit(&next, plies) => {
                mated_in(usize::from(plies) + 1)
            }
            Some(ProbeResult::Loss(None)) if self.is_win_within_limit(&next) => searched.max(TABLEBASE_WIN),
            Some(ProbeResult::Win(None)) if self.is_win_within_limit(&next) => searched.min(-TABLEBASE_WIN),
            _ => searched,
        }
    }

    /// Whether a mate in this many plies comes before the natural limit.
    fn is_mate_within_limit(&self, position: &Position, plies: u16) -> bool {
        let limit = self.rules.natural_limit;
        limit == 0 || position.plies_since_capture() + usize::from(plies) <= limit
    }

    /// Whether a win of unknown distance comes before the natural limit. It is assumed to while at least half of the
    /// limit is left.
    fn is_win_within_limit(&self, position: &Position) -> bool {
        let limit = self.rules.natural_limit;
        limit == 0 || 2 * position.plies_since_capture() <= limit
    }

    /// Tablebase score of a node.
    #[inline]
    pub fn probe_score(&self, position: &Position, ply: usize) -> Option<Score> {
        if ply == 0 || !self.tablebase.may_probe(position) { None } else { self.probe_node(position, ply) }
    }

    fn probe_node(&self, position: &Position, ply: usize) -> Option<Score> {
        let result = self.tablebase.probe(position)?;
        self.hits.fetch_add(1, Ordering::Relaxed);
        // If the root is won or lost and the distance is unknown, the search must find the way: do not cut off before a
        // capture.
        let has_no_progress = || {
            matches!(self.root_result, Some(ProbeResult::Win(None) | ProbeResult::Loss(None)))
                && total_pieces(position) == self.root_pieces
        };
        match result {
            ProbeResult::Win(Some(plies)) if self.is_mate_within_limit(position, plies) => {
                Some(mate_in(ply + usize::from(plies)))
            }
            ProbeResult::Loss(Some(plies)) if self.is_mate_within_limit(position, plies) => {
                Some(mated_in(ply + usize::from(plies)))
            }
            ProbeResult::Win(None) if has_no_progress() => None,
            ProbeResult::Loss(None) if has_no_progress() => None,
            ProbeResult::Win(_) => Some(TABLEBASE_WIN - ply as Score),
            ProbeResult::Loss(_) => Some(ply as Score - TABLEBASE_WIN),
            // At a drawn root the search chooses among the drawn moves.
            ProbeResult::Draw if self.root_result == Some(ProbeResult::Draw) => None,
            ProbeResult::Draw => Some(DRAW),
            ProbeResult::Doubtful => None,
        }
    }

    /// The best root moves by tablebase result and distance; all of them if the root is not in the tablebases.
    pub fn filter_root_moves(&self, position: &Position, moves: Vec<Move>) -> Vec<Move> {
        if self.root_result.is_none() {
            return moves;
        }
        let ranked: Vec<(i32, Move)> = moves.iter().map(|&mv| (self.rank_root_move(position, mv), mv)).collect();
        match ranked.iter().map(|(rank, _)| *rank).max() {
            Some(best) => ranked.into_iter().filter(|(rank, _)| *rank == best).map(|(_, mv)| mv).collect(),
            None => moves,
        }
    }

    /// Rank of a move by tablebase result and distance; larger is better.
    fn rank_root_move(&self, position: &Position, mv: Move) -> i32 {
        let mut next = position.clone();
        next.play_unchecked(mv);
        match self.tablebase.probe(&next) {
            Some(ProbeResult::Loss(plies)) => 20_000 - i32::from(plies.unwrap_or(9_999)),
            Some(ProbeResult::Draw) => 2,
            Some(ProbeResult::Doubtful) => 1,
            None => 0,
            Some(ProbeResult::Win(plies)) => i32::from(plies.unwrap_or(0)) - 20_000,
        }
    }

    /// Extends a variation to the mate by DTM tablebases.
    pub fn extend_pv(&self, position: &Position, pv: &mut Vec<Move>) {
        let mut position = position.clone();
        pv.iter().for_each(|&mv| position.play_unchecked(mv));
        while pv.len() < MAX_TABLEBASE_PV
            && self.tablebase.may_probe(&position)
            && let Some(ProbeResult::Win(Some(1..)) | ProbeResult::Loss(Some(1..))) = self.tablebase.probe(&position)
            && let Some(best) = position.legal_moves().into_iter().max_by_key(|&mv| self.rank_root_move(&position, mv))
        {
            position.play_unchecked(best);
            pv.push(best);
        }
    }
}
