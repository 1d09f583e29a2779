//! Queries and pools for the tests.

use crate::CHINESE;
use chuhe_engine::tablebase::Tablebase;
use chuhe_study::analyse::{
    Analysis, AnalysisReport, AnalysisUpdate, AnalystPool, AnalystResources, GamePosition, Query, QueryId, SearchBudget,
};
use chuhe_study::book::{self, EMBEDDED_BOOK_NAME};
use chuhe_support::language::Language;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver};
use std::time::Duration;
use xiangqi_record::PositionSpec;

/// Long enough for any machine.
pub const PATIENCE: Duration = Duration::from_secs(120);

pub fn equipment() -> AnalystResources {
    let book = book::open_book(Path::new(EMBEDDED_BOOK_NAME)).expect("the book inside the program");
    AnalystResources {
        version: "test",
        threads: 1,
        hash_mb: 1,
        tablebases: Arc::new(Tablebase::built_in()),
        books: vec![book],
    }
}

pub fn spot(line: &str) -> GamePosition {
    GamePosition::from_position(&PositionSpec::parse_line(line).position().expect(line))
}

/// A query about this position with a node limit.
pub fn query(line: &str, nodes: u64) -> Query {
    Query { budget: SearchBudget { nodes: Some(nodes), ..SearchBudget::default() }, ..Query::new(spot(line)) }
}

/// The updates of a submitted query.
pub struct Answers {
    pub ticket: QueryId,
    words: Receiver<AnalysisUpdate>,
}

impl Answers {
    /// Submits a query.
    pub fn to(pool: &AnalystPool, query: Query, priority: i64) -> Answers {
        let (sender, words) = mpsc::channel();
        // A test may stop receiving early.
        let asker = Box::new(move |word| drop(sender.send(word)));
        Answers { ticket: pool.submit(query, priority, asker), words }
    }

    /// The next update.
    pub fn next(&self) -> AnalysisUpdate {
        self.words.recv_timeout(PATIENCE).expect("a word")
    }

    /// The final update, and the number of updates before it. Checks that none follows.
    pub fn last(&self) -> (Analysis, usize) {
        let mut before = 0;
        loop {
            match self.next() {
                AnalysisUpdate::Partial(_) => before += 1,
                AnalysisUpdate::Final(analysis) => {
                    assert!(self.words.recv_timeout(PATIENCE).is_err(), "a word behind the last one");
                    return (analysis, before);
                }
            }
        }
    }
}

/// The answer to a query.
pub fn answer(query: Query) -> Analysis {
    Answers::to(&AnalystPool::open(1, &equipment()).expect("a pool"), query, 0).last().0
}

pub fn json(analysis: &Analysis) -> serde_json::Value {
    Language::CHINESE.install(|| CHINESE.to_vec());
    serde_json::to_value(AnalysisReport::of(analysis, &equipment())).expect("JSON")
}
