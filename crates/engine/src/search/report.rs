//! How the main thread reports its lines and the final result.

use super::info::{Info, Reporter};
use super::search_thread::SearchThread;
use super::tablebase_probe::TablebaseProbe;
use crate::score::{Bound, MAX_PLY, Score};
use std::time::Duration;
use xiangqi::Move;

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
        let searched = root_move.score;
        let score = self
            .shared
            .tablebase
            .as_ref()
            .map_or(searched, |tables| tables.tb_score(&self.position, root_move.mv, searched));
        reporter.info(&Info {
            seldepth: root_move.seldepth.max(root_move.pv.len() as u32),
            // Tablebase scores are exact.
            bound: if score == searched { bound } else { Bound::Exact },
            ..self.line_info(index, score, &root_move.pv)
        });
        if index == 0 {
            self.last_reported = Some(root_move.mv);
        }
    }

    /// Ends the search with this line: extends it by a ponder move from the transposition table, and reports the line
    /// if nothing was reported, or the last reported one began with another move.
    pub fn report_final(&mut self, pv: &mut Vec<Move>, score: Score, depth: i32, reporter: &mut dyn Reporter) {
        self.extend_pv(pv);
        // For the ponder move any bound is good enough.
        self.extend_pv_from_tt(pv, 2, |_| true);
        // Limited skill searches several lines and may play another than the first.
        let has_news = match self.last_reported {
            None => true,
            Some(reported) => reported != pv[0] && self.shared.multi_pv == 1,
        };
        if has_news && reporter.wants_info() {
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
