//! What a proof number search runs in: a thread of the main search, or a prover of its own.

use crate::score::{self, Bound};
use crate::search::search_thread::SearchThread;
use crate::search::transposition_table::TranspositionTable;
use xiangqi::Position;

/// Holds the position, counts nodes and knows when to stop.
pub(super) trait ProofHost {
    fn position(&self) -> &Position;
    fn position_mut(&mut self) -> &mut Position;
    /// Nodes so far.
    fn nodes(&self) -> u64;
    /// Counts a node; true if the search is to stop.
    fn count_node(&mut self) -> bool;
    /// Whether somebody has seen a mate against the side to move: no proof, but a move worth trying first.
    fn expects_mate(&self) -> bool;
}

impl ProofHost for SearchThread<'_> {
    #[inline]
    fn position(&self) -> &Position {
        &self.position
    }

    #[inline]
    fn position_mut(&mut self) -> &mut Position {
        &mut self.position
    }

    #[inline]
    fn nodes(&self) -> u64 {
        self.nodes
    }

    #[inline]
    fn count_node(&mut self) -> bool {
        SearchThread::count_node(self)
    }

    fn expects_mate(&self) -> bool {
        holds_mate(self.tt, &self.position)
    }
}

/// Whether the transposition table has a mate against the side to move.
pub(super) fn holds_mate(table: &TranspositionTable, position: &Position) -> bool {
    let entry = table.probe(position.key());
    entry.is_some_and(|entry| entry.score <= -score::MATE_BOUND && entry.bound != Bound::Lower)
}
