//! Picking the book from the graph: which positions, which of their moves, and how often each is to be played.

use super::graph::{Edge, Graph, Node};
use chuhe_engine::board::Position;
use chuhe_engine::types::Score;
use chuhe_toolkit::book::fold::Folded;
use chuhe_toolkit::book::pages::{Entry, Pages};
use std::collections::BTreeMap;

/// Points that a move may lose and still be played …
const MARGIN: Score = 8;
/// … and if it belongs to a named system.
const NAMED_MARGIN: Score = 12;
/// The weight of a move that loses nothing …
const FULL: f64 = 1000.0;
/// … is halved by each of so many points.
const HALF: f64 = 3.0;

/// The book that the graph has become so far: every position with a proof. A move is played if a long search has found
/// it best, or if it loses little and leads to a position that has a proof of its own; those that lead to the book's
/// other positions are known and not played.
pub fn harvest(graph: &Graph) -> Pages {
    let mut pages = Pages::default();
    for node in graph.nodes().iter().filter(|node| node.proof.is_some()) {
        let Ok(position) = Position::from_fen(&node.fen) else { continue };
        let moves = moves(graph, node);
        if !moves.is_empty() {
            pages.positions.insert(Folded::of(&position).key, moves);
        }
    }
    pages
}

fn moves(graph: &Graph, node: &Node) -> BTreeMap<chuhe_engine::types::Move, Entry> {
    let is_known = |edge: &Edge| graph.node(edge.child).is_some_and(|child| child.proof.is_some());
    let is_sound = |edge: &Edge| is_known(edge) || node.proof == Some(edge.mv);
    let valued = || {
        let sound = node.edges.iter().filter(|edge| is_sound(edge));
        sound.filter_map(|edge| graph.value(edge).map(|value| (edge, value)))
    };
    let Some(best) = valued().map(|(_, value)| value).max() else { return BTreeMap::new() };
    valued()
        .map(|(edge, value)| {
            let loss = best - value;
            let margin = if edge.is_named { NAMED_MARGIN } else { MARGIN };
            let weight =
                if loss > margin { 0 } else { (FULL * (-f64::from(loss) / HALF).exp2()).max(1.0) as u16 };
            (edge.mv, Entry { weight, score: Some(Entry::pack_score(value)), ..Entry::default() })
        })
        .collect()
}
