//! Helpers shared by the search tests.

use chuhe_engine::search::{Control, Limits, NoReporter, Options, SearchResult, Searcher};
use xiangqi::Position;

/// A searcher with a small transposition table.
pub fn searcher() -> Searcher {
    Searcher::new(Options::default(), 4).expect("four megabytes")
}

/// Searches without a reporter.
pub fn search(searcher: &mut Searcher, position: &Position, limits: &Limits) -> SearchResult {
    searcher.search(position, limits, &Control::new(limits.ponder), &mut NoReporter)
}
