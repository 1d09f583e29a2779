//! An analyst: a searcher with endgame tables and books, who answers queries one after the other.

use super::analysis::Analysis;
use super::gather::Gatherer;
use super::query::{Query, Task};
use crate::book::{Book, BookMove};
use crate::review::{Standing, final_score};
use chuhe_engine::board::Position;
use chuhe_engine::search::{Control, Options, Searcher, TableSizeError};
use chuhe_engine::tablebase::Shelf;
use chuhe_engine::types::Score;
use std::sync::Arc;
use std::time::Duration;

/// What an analyst works with. Tables and books are shared by all.
#[derive(Clone)]
pub struct Equipment {
    /// The version of the program, as reports tell it.
    pub version: &'static str,
    /// How many threads search.
    pub threads: usize,
    /// Megabytes of the hash table.
    pub hash_mb: usize,
    pub tables: Arc<Shelf>,
    /// Books, of which the first is asked that knows the position.
    pub books: Vec<Arc<dyn Book>>,
}

impl Equipment {
    /// What the first book plays that knows the position. One that does not answer any more says nothing.
    pub fn book_moves(&self, position: &Position) -> Vec<BookMove> {
        let asked = self.books.iter().map(|book| book.moves(position).unwrap_or_default());
        asked.into_iter().find(|moves| !moves.is_empty()).unwrap_or_default()
    }
}

pub struct Analyst {
    searcher: Searcher,
    equipment: Equipment,
}

impl Analyst {
    pub fn new(equipment: &Equipment) -> Result<Analyst, TableSizeError> {
        // No host waits behind this clock.
        let options = Options { threads: equipment.threads, overhead: Duration::ZERO, ..Options::default() };
        let mut searcher = Searcher::new(options, equipment.hash_mb)?;
        searcher.tables = Some(Arc::clone(&equipment.tables));
        Ok(Analyst { searcher, equipment: equipment.clone() })
    }

    /// Answers a query, and tells meanwhile what is known so far, as often as the query wants it. Stopped by the control
    /// it answers at once with what it has. To be called on a thread of `search::thread`.
    pub fn analyse(
        &mut self,
        query: &Arc<Query>,
        control: &Control,
        tell: &mut dyn FnMut(&Analysis),
    ) -> Analysis {
        let mut analysis = self.looked_up(query);
        if control.stopped() {
            return analysis;
        }
        if let Some(score) = self.final_score(&analysis) {
            return done(analysis, score);
        }
        if query.afresh {
            self.searcher.clear();
        }
        self.searcher.options.rules = query.rules;
        self.searcher.options.multi_pv = query.lines.max(1);
        if query.task == Task::Evaluate {
            let score = self.searcher.evaluate(&analysis.position);
            analysis.evaluation = Some(score);
            return done(analysis, score);
        }
        let position = analysis.position.clone();
        let shelf = self.searcher.tables.clone();
        let mut gatherer = Gatherer::new(analysis, shelf.as_deref(), tell);
        let outcome = self.searcher.search(&position, &query.limits(), control, &mut gatherer);
        gatherer.conclude(&outcome, control.stopped())
    }

    /// What is known without a search.
    fn looked_up(&self, query: &Arc<Query>) -> Analysis {
        let mut analysis = Analysis::untouched(query);
        let position = &analysis.position;
        analysis.verdict = query.rules.judge(position);
        analysis.losing = query.rules.losing_moves(position);
        analysis.table = self.searcher.tables.as_ref().and_then(|shelf| shelf.probe(position));
        analysis.book = self.equipment.book_moves(position);
        analysis
    }

    /// What the game is worth if it is over here. One that went on all the same is looked at as it was played.
    fn final_score(&self, analysis: &Analysis) -> Option<Score> {
        let ending = analysis.verdict.ending?;
        let is_last = !analysis.query.spot.goes_on() || !analysis.position.has_legal_move();
        is_last.then(|| final_score(ending, analysis.verdict.reason, analysis.position.side()))
    }
}

fn done(analysis: Analysis, score: Score) -> Analysis {
    let standing = Some(Standing::of(score, &analysis.position));
    Analysis { standing, complete: true, ..analysis }
}
