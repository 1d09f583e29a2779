//! Endgame tables in the search: what they say of a node becomes its score, and at the root only the best moves by their
//! word are searched.

use crate::board::Position;
use crate::tablebase::{ProbeResult, Tablebase};
use crate::types::score::{self, DRAW, TABLEBASE_WIN, mate_in, mated_in};
use crate::types::{Color, Move, Score};
use std::sync::atomic::{AtomicU64, Ordering};

/// The longest line that tables add to a variation.
const MAX_TABLEBASE_PV: usize = 120;

/// The tables as one search uses them.
pub struct TablebaseProbe<'a> {
    tablebase: &'a Tablebase,
    /// Plies without a capture that draw the game; 0: never.
    natural_limit: usize,
    /// What the tables know of the root, if its moves are chosen by it.
    root_result: Option<ProbeResult>,
    /// How many pieces stand at the root.
    root_pieces: usize,
    hits: AtomicU64,
}

/// All pieces on the board.
fn total_pieces(position: &Position) -> usize {
    Color::ALL.into_iter().map(|color| position.pieces(color).count()).sum()
}

impl<'a> TablebaseProbe<'a> {
    /// Tables for a search from this position. `ranks` tells that one line only is worked out, so that moves worse than the
    /// best need not be searched.
    pub fn new(shelf: &'a Tablebase, position: &Position, natural_limit: usize, ranks: bool) -> TablebaseProbe<'a> {
        let root = if ranks { shelf.probe(position) } else { None };
        TablebaseProbe {
            tablebase: shelf,
            natural_limit,
            root_result: root,
            root_pieces: total_pieces(position),
            hits: AtomicU64::new(0),
        }
    }

    /// How often a table knew the answer.
    pub fn hits(&self) -> u64 {
        self.hits.load(Ordering::Relaxed)
    }

    /// What a root move that the search found to be worth so much is said to be worth: the word of the tables is the last,
    /// wherever it decides.
    pub fn tb_score(&self, root: &Position, mv: Move, found: Score) -> Score {
        // Only the search sees a repetition that began before the root.
        if score::is_rule_score(found) {
            return found;
        }
        let mut next = root.clone();
        next.make_unchecked(mv);
        match self.tablebase.probe(&next) {
            Some(ProbeResult::Draw) => DRAW,
            Some(ProbeResult::Loss(Some(plies))) if self.is_mate_within_limit(&next, plies) => {
                mate_in(usize::from(plies) + 1)
            }
            Some(ProbeResult::Win(Some(plies))) if self.is_mate_within_limit(&next, plies) => {
                mated_in(usize::from(plies) + 1)
            }
            Some(ProbeResult::Loss(None)) if self.is_win_within_limit(&next) => found.max(TABLEBASE_WIN),
            Some(ProbeResult::Win(None)) if self.is_win_within_limit(&next) => found.min(-TABLEBASE_WIN),
            _ => found,
        }
    }

    /// Whether a mate in so many plies comes before the natural limit.
    fn is_mate_within_limit(&self, position: &Position, plies: u16) -> bool {
        self.natural_limit == 0 || position.plies_since_capture() + usize::from(plies) <= self.natural_limit
    }

    /// Whether a mate whose distance nobody knows is as good as certain to come before the natural limit: half of it is
    /// left, in which such endings are won. Later the search sees the limit itself.
    fn is_win_within_limit(&self, position: &Position) -> bool {
        self.natural_limit == 0 || 2 * position.plies_since_capture() <= self.natural_limit
    }

    /// The score of a node, if a table knows it.
    #[inline]
    pub fn probe_score(&self, position: &Position, ply: usize) -> Option<Score> {
        if ply == 0 || !self.tablebase.may_probe(position) { None } else { self.probe_node(position, ply) }
    }

    fn probe_node(&self, position: &Position, ply: usize) -> Option<Score> {
        let answer = self.tablebase.probe(position)?;
        self.hits.fetch_add(1, Ordering::Relaxed);
        // Where the root is won or lost and no table counts the plies, only the search finds the way: it is not cut
        // off until a capture has changed something.
        let leads_nowhere = || {
            matches!(self.root_result, Some(ProbeResult::Win(None) | ProbeResult::Loss(None)))
                && total_pieces(position) == self.root_pieces
        };
        match answer {
            ProbeResult::Win(Some(plies)) if self.is_mate_within_limit(position, plies) => {
                Some(mate_in(ply + usize::from(plies)))
            }
            ProbeResult::Loss(Some(plies)) if self.is_mate_within_limit(position, plies) => {
                Some(mated_in(ply + usize::from(plies)))
            }
            ProbeResult::Win(None) if leads_nowhere() => None,
            ProbeResult::Loss(None) if leads_nowhere() => None,
            ProbeResult::Win(_) => Some(TABLEBASE_WIN - ply as Score),
            ProbeResult::Loss(_) => Some(ply as Score - TABLEBASE_WIN),
            // Among drawn moves the search looks for the one that is hardest to answer.
            ProbeResult::Draw if self.root_result == Some(ProbeResult::Draw) => None,
            ProbeResult::Draw => Some(DRAW),
            ProbeResult::Doubtful => None,
        }
    }

    /// The root moves that are best by the tables: the shortest wins, the draws, or the longest defences; all of them if
    /// the tables do not know the root.
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

    /// How good a move is by the tables; larger is better.
    fn rank_root_move(&self, position: &Position, mv: Move) -> i32 {
        let mut next = position.clone();
        next.make_unchecked(mv);
        match self.tablebase.probe(&next) {
            Some(ProbeResult::Loss(plies)) => 20_000 - i32::from(plies.unwrap_or(9_999)),
            Some(ProbeResult::Draw) => 2,
            Some(ProbeResult::Doubtful) => 1,
            None => 0,
            Some(ProbeResult::Win(plies)) => i32::from(plies.unwrap_or(0)) - 20_000,
        }
    }

    /// Continues a variation to the mate that the tables see at its end.
    pub fn extend_pv(&self, position: &Position, pv: &mut Vec<Move>) {
        let mut position = position.clone();
        pv.iter().for_each(|&mv| position.make_unchecked(mv));
        while pv.len() < MAX_TABLEBASE_PV
            && self.tablebase.may_probe(&position)
            && let Some(ProbeResult::Win(Some(1..)) | ProbeResult::Loss(Some(1..))) = self.tablebase.probe(&position)
            && let Some(best) = position.legal_moves().moves().max_by_key(|&mv| self.rank_root_move(&position, mv))
        {
            position.make_unchecked(best);
            pv.push(best);
        }
    }
}
