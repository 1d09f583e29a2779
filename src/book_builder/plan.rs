//! What is to be searched next.

use super::Errand;
use super::graph::Graph;
use chuhe_engine::types::Key;
use std::collections::HashSet;

/// Of so many positions one at most waits for its proof, so that the book can be picked at any time …
const WAITING: usize = 8;
/// … and a few more in the beginning.
const WAITING_ALWAYS: usize = 24;

/// The named systems are followed for so many plies before anything else.
const NAMED_PLIES: usize = 8;

/// What the maker of a book wants.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Plan {
    /// Positions that the book is to have.
    pub positions: usize,
    /// Nodes for getting to know a position's moves.
    pub survey: u64,
    /// Nodes for being sure of the best one.
    pub proof: u64,
    /// Moves to get to know.
    pub lines: usize,
}

/// A search to be made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Job {
    pub errand: Errand,
    pub key: Key,
    pub fen: String,
}

impl Plan {
    /// The next searches, the most important first, without those that are being made; none if all is done. Not many at
    /// a time, because each may change what is important.
    pub fn next(&self, graph: &mut Graph, busy: &HashSet<Key>) -> Vec<Job> {
        graph.minimax();
        let positions = graph.nodes().len();
        let some = 1 + positions / 200;
        let idle = |key: &Key| !busy.contains(key);
        let survey = |leaf: super::graph::Leaf| Job { errand: Errand::Survey, key: leaf.key, fen: leaf.fen };
        let wanted: Vec<Job> = graph.wanted().filter(|leaf| idle(&leaf.key)).take(some).map(survey).collect();
        if !wanted.is_empty() {
            return wanted;
        }
        let short: Vec<Job> =
            graph.short_lines(NAMED_PLIES).into_iter().filter(|leaf| idle(&leaf.key)).map(survey).collect();
        if let Some(job) = short.into_iter().next() {
            return vec![job];
        }
        let (order, leaves) = graph.by_cost();
        let unproven = positions - graph.proofs();
        let is_enough = positions >= self.positions;
        if !is_enough && unproven <= WAITING_ALWAYS + positions / WAITING {
            let next: Vec<Job> =
                leaves.into_iter().filter(|leaf| idle(&leaf.key)).take(some).map(survey).collect();
            if !next.is_empty() {
                return next;
            }
        }
        let nodes = order.into_iter().map(|index| &graph.nodes()[index]);
        let unproven = nodes.filter(|node| node.proof.is_none() && !node.edges.is_empty());
        unproven
            .filter_map(|node| {
                let position = chuhe_engine::board::Position::from_fen(&node.fen).ok()?;
                let key = chuhe_toolkit::book::fold::Folded::of(&position).key;
                idle(&key).then(|| Job { errand: Errand::Proof, key, fen: node.fen.clone() })
            })
            .take(some.max(8))
            .collect()
    }
}
