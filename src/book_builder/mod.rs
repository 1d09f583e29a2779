//! Growing a book by searching: drop-out expansion.
//!
//! * `graph` holds the positions searched so far, with the moves between them and their values, minimaxed back;
//! * `workers` says what is to be searched next: deeper along the best lines, wider where little is lost, the named
//!   systems in any case, and a proof by a longer search of every position that the book is to answer for;
//! * `journal` keeps every search on disk, so that nothing is lost and any run goes on where the last one was;
//! * `workers` searches, on as many threads as there may be; `graph` picks the book from the graph.

mod graph;
mod journal;
mod workers;

pub use graph::{Graph, extract_book};
pub use journal::{Journal, JournalError};
pub use workers::{BuildPlan, BuildProgress, run};

use chuhe_engine::board::Position;
use chuhe_engine::types::{Move, Score};
use chuhe_toolkit::book::mirror::MirrorKey;

/// How a position was searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SearchKind {
    /// Several lines, to know the moves.
    Survey,
    /// One line, longer, to be sure of the best move.
    Proof,
}

/// What a search found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SearchRecord {
    /// How it was searched.
    pub kind: SearchKind,
    /// Board and side to move of the position, in the orientation of the book.
    pub fen: String,
    pub depth: u32,
    /// The moves with what they are worth, the best first.
    pub lines: Vec<(Move, Score)>,
}

/// Board and side of a position or of its mirror image, whichever the book speaks of.
pub fn canonical_fen(position: &Position) -> String {
    let fen = if MirrorKey::of(position).mirrored { position.mirrored().fen() } else { position.fen() };
    fen.split(' ').take(2).collect::<Vec<_>>().join(" ")
}
