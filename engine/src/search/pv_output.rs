//! What the main thread tells of its lines, and what it knows of them in the end.

use super::probing::Probing;
use super::report::{Bound, Info, Reporter};
use super::worker::Worker;
use crate::types::score::MAX_PLY;
use crate::types::{Move, Score};

impl Worker<'_> {
    /// Tells of a line.
    pub(super) fn report(&mut self, reporter: &mut dyn Reporter, index: usize, bound: Bound) {
        if !reporter.listens() {
            return;
        }
        let mut pv = std::mem::take(&mut self.root_moves[index].pv);
        self.complete_pv(&mut pv);
        self.root_moves[index].pv = pv;
        if index == 0 {
            self.hashfull = self.table.hashfull();
        }
        let root_move = &self.root_moves[index];
        let found = root_move.score;
        let score = self
            .shared
            .tables
            .as_ref()
            .map_or(found, |tables| tables.word(&self.position, root_move.mv, found));
        reporter.info(&Info {
            seldepth: root_move.seldepth.max(root_move.pv.len() as u32),
            // What a table knows is no bound.
            bound: if score == found { bound } else { Bound::Exact },
            ..self.line(index, score, &root_move.pv)
        });
        if index == 0 {
            self.told = root_move.mv;
        }
    }

    /// Ends the search with this line: names the expected answer if the hash table knows one, and tells of the
    /// line if the last one told began with another move.
    pub fn conclude(&mut self, pv: &mut Vec<Move>, score: Score, depth: i32, reporter: &mut dyn Reporter) {
        self.complete_pv(pv);
        // A lone move is followed by the answer that the hash table thinks of, sure or not.
        self.follow(pv, 2, |_| true);
        if self.told != pv[0] && self.shared.lines == 1 && reporter.listens() {
            self.hashfull = self.table.hashfull();
            reporter.info(&Info { depth: depth.max(1) as u32, ..self.line(0, score, pv) });
        }
    }

    /// What there is to tell of a line; its score is exact unless the caller knows better.
    fn line<'p>(&self, index: usize, score: Score, pv: &'p [Move]) -> Info<'p> {
        Info {
            depth: self.root_depth as u32,
            seldepth: self.seldepth.max(pv.len()) as u32,
            multipv: index + 1,
            score,
            bound: Bound::Exact,
            nodes: self.shared.total_nodes().max(self.nodes),
            table_hits: self.shared.tables.as_ref().map_or(0, Probing::hits),
            time: self.plan.elapsed(),
            hashfull: self.hashfull,
            pv,
        }
    }

    /// A variation that ends early is continued from the hash table as far as that is sure of itself.
    fn complete_pv(&mut self, pv: &mut Vec<Move>) {
        let wanted = (self.root_depth as usize).min(MAX_PLY);
        self.follow(pv, wanted, |bound| bound == Bound::Exact);
        if let Some(tables) = &self.shared.tables {
            tables.follow(&self.position, pv);
        }
    }

    /// Continues a variation up to this length by moves of the hash table whose scores are good enough.
    fn follow(&mut self, pv: &mut Vec<Move>, wanted: usize, is_good: impl Fn(Bound) -> bool) {
        let position = &mut self.position;
        let before = position.history_len();
        for &mv in pv.iter() {
            position.make(mv);
        }
        while pv.len() < wanted {
            let Some(entry) = self.table.get(position.key()) else { break };
            let usable =
                is_good(entry.bound) && position.is_pseudo_legal(entry.mv) && position.is_legal(entry.mv);
            if !usable {
                break;
            }
            position.make(entry.mv);
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
