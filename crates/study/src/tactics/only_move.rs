//! Whether a position has one best move, by a search of two lines.
//!
//! Another move is a *second solution* if it mates as fast, or if it leaves chances that are less than 15 % lower. Every
//! mate is worth all chances: a slower one is a second solution, too.

use crate::review::expected_score;
use chuhe_engine::score;
use chuhe_engine::search::{Bound, Control, HashSizeError, Info, Limits, Options, Reporter, Searcher};
use std::time::Duration;
use xiangqi::{Move, Position};

/// A move whose chances are this much lower than those of the best one, or more, is no second solution.
pub const SECOND_SOLUTION: f64 = 0.15;

/// What the best move is worth, and how much more than any other.
#[derive(Clone, Debug)]
pub struct BestMove {
    pub mv: Move,
    /// The expected result of the side to move, 0 to 1.
    pub chance: f64,
    /// What the next best move is worth less; all if there is no other.
    pub margin: f64,
    /// The moves until mate if it mates.
    pub mate: Option<u32>,
    /// The expected answer.
    pub reply: Option<Move>,
}

/// Searches positions with two lines.
pub struct TwoLines {
    searcher: Searcher,
}

impl TwoLines {
    pub fn new(hash_mb: usize) -> Result<TwoLines, HashSizeError> {
        let options = Options { multi_pv: 2, overhead: Duration::ZERO, ..Options::default() };
        Ok(TwoLines { searcher: Searcher::new(options, hash_mb)? })
    }

    /// Forgets what was searched, so that an answer does not depend on the questions before.
    pub fn forget(&mut self) {
        self.searcher.new_game();
    }

    /// The best move by so many nodes; nothing if there is none, or if it was stopped.
    pub fn best(&mut self, position: &Position, nodes: u64, control: &Control) -> Option<BestMove> {
        let mut lines = LastLines::default();
        self.searcher.options.multi_pv = 2;
        let found = self.searcher.search(position, &Limits::nodes(nodes), control, &mut lines);
        let mv = found.best_move.filter(|_| !control.stopped())?;
        let chance = expected_score(found.score, position);
        let second = lines.0.iter().find(|line| line.mv != mv);
        let margin = match second {
            Some(second) => chance - expected_score(second.score, position),
            None if position.count_legal() == 1 => 1.0,
            None => 0.0,
        };
        let mate = score::mate_plies(found.score).and_then(|plies| u32::try_from(score::plies_to_moves(plies)).ok());
        Some(BestMove { mv, chance, margin, mate, reply: found.pv.get(1).copied() })
    }

    /// The chance of the side to move, by a search of one line.
    pub fn chance(&mut self, position: &Position, nodes: u64, control: &Control) -> Option<f64> {
        self.searcher.options.multi_pv = 1;
        let found = self.searcher.search(position, &Limits::nodes(nodes), control, &mut LastLines::default());
        (!control.stopped()).then(|| expected_score(found.score, position))
    }

    /// The best move of the side to move, by a search of one line.
    pub fn reply(&mut self, position: &Position, nodes: u64, control: &Control) -> Option<Move> {
        self.searcher.options.multi_pv = 1;
        let found = self.searcher.search(position, &Limits::nodes(nodes), control, &mut LastLines::default());
        found.best_move.filter(|_| !control.stopped())
    }
}

/// A first move with its score.
#[derive(Clone, Copy)]
struct ScoredMove {
    mv: Move,
    score: score::Score,
}

/// The lines as they were told last.
#[derive(Default)]
struct LastLines(Vec<ScoredMove>);

impl Reporter for LastLines {
    fn info(&mut self, info: &Info) {
        if info.bound != Bound::Exact {
            return;
        }
        let line = ScoredMove { mv: info.pv[0], score: info.score };
        match self.0.get_mut(info.multipv - 1) {
            Some(place) => *place = line,
            None => self.0.push(line),
        }
    }
}
