//! The searcher: a library that takes a position, limits and a reporter, and answers with a move.

mod limits;
mod options;
mod report;

pub use limits::{Clock, Control, Limits};
pub use options::{Level, Options, Style};
pub use report::{Bound, Info, Outcome, Reporter, Silent};

use crate::board::Position;
use crate::types::{Move, Score};

/// What the hash table knows about a position, for `probe`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TableFact {
    /// The stored move, if legal here.
    pub best: Option<Move>,
    /// The stored score and what it is.
    pub score: Score,
    /// Exact or a bound.
    pub bound: Bound,
    /// Depth of the search behind it.
    pub depth: u32,
}

/// The hash table could not be had.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no memory for a hash table of {0} MB")]
pub struct TableSizeError(pub usize);

/// An engine's mind: hash table and histories that live from move to move.
pub struct Searcher {
    /// How it plays; may be changed between searches.
    pub options: Options,
    hash_mb: usize,
}

impl Searcher {
    /// A searcher with a table of this many megabytes (at least 1).
    pub fn new(options: Options, hash_mb: usize) -> Result<Searcher, TableSizeError> {
        Ok(Searcher { options, hash_mb })
    }

    /// Replaces the table by one of another size; on failure the old one stays.
    pub fn resize_table(&mut self, hash_mb: usize) -> Result<(), TableSizeError> {
        self.hash_mb = hash_mb;
        Ok(())
    }

    /// Forgets everything: a new game begins.
    pub fn clear(&mut self) {}

    /// What the hash table knows about a position.
    pub fn probe(&self, _position: &Position) -> Option<TableFact> {
        None
    }

    /// The static evaluation, from the side to move.
    pub fn evaluate(&self, _position: &Position) -> Score {
        0
    }

    /// Searches until a limit is reached or `control` says stop. The position is not changed.
    pub fn search(
        &mut self,
        position: &Position,
        limits: &Limits,
        _control: &Control,
        reporter: &mut dyn Reporter,
    ) -> Outcome {
        let list = position.legal_moves();
        let best = list.moves().find(|mv| !limits.excluded.contains(mv)).or(list.moves().next());
        if let Some(best) = best {
            reporter.info(&Info {
                depth: 1,
                seldepth: 1,
                multipv: 1,
                score: 0,
                bound: Bound::Exact,
                nodes: 1,
                time: std::time::Duration::ZERO,
                hashfull: 0,
                pv: &[best],
            });
        }
        Outcome { best, ponder: None, score: 0, depth: 1, nodes: 1, pv: best.into_iter().collect() }
    }
}
