//! Builds an opening book by search: drop-out expansion.
//!
//! * `graph` holds the searched positions, the moves between them and their values, backed up by minimax, and extracts
//!   the book.
//! * `builder_workers` chooses the next searches (deeper along the best lines, wider where little is lost, all named systems,
//!   and a longer proof search of every book position) and runs them on several threads. It writes every
//!   search to disk, so that each run continues the last one.

mod builder_workers;
mod graph;

pub use builder_workers::{BuildPlan, BuildProgress, Journal, JournalError, run};
use chuhe_engine::score::Score;
use chuhe_study::book::MirrorKey;
pub use graph::{Graph, extract_book};
use xiangqi::{Move, Position};

/// The kind of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SearchKind {
    /// MultiPV, to score the moves.
    Survey,
    /// One PV with more nodes, to confirm the best move.
    Proof,
}

/// The result of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SearchRecord {
    pub kind: SearchKind,
    /// Board and side to move, in the book's orientation (see [`canonical_fen`]).
    pub fen: String,
    pub depth: u32,
    /// Moves with their scores, the best first.
    pub lines: Vec<(Move, Score)>,
}

/// Board and side to move of a position or of its mirror image, whichever the book stores.
pub fn canonical_fen(position: &Position) -> String {
    let fen = if MirrorKey::of(position).mirrored { position.mirrored().fen() } else { position.fen() };
    fen.split(' ').take(2).collect::<Vec<_>>().join(" ")
}
