//! The graph of searched positions with their moves and values, and the extraction of the book from it.

use super::{SearchKind, SearchRecord, canonical_fen};
use chuhe_engine::score::{MATE, Score};
use chuhe_study::book::{BookEntry, MemoryBook, MirrorKey};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap};
use xiangqi::{Move, Position, fen::FenError, zobrist::Key};

/// Expansion cost of a ply in score points; positions that are near the start or lose little are expanded first.
const PLY_COST: u32 = 4;
/// Maximum sweeps of the value backup, which may not converge on cycles.
const MAX_SWEEPS: usize = 64;
/// Maximum length of a line.
const MAX_LINE_PLIES: u32 = 60;

/// A move of a position.
#[derive(Clone, Debug)]
pub struct Edge {
    /// The move, in the book's orientation.
    pub mv: Move,
    /// Its score by the search of the position.
    pub score: Option<Score>,
    pub child: Key,
    /// The move belongs to a named system.
    pub is_named: bool,
}

/// A position that was searched.
#[derive(Clone, Debug)]
pub struct GraphNode {
    /// Board and side to move, in the book's orientation.
    pub fen: String,
    pub edges: Vec<Edge>,
    /// The best move by the proof search, if it was made.
    pub proof: Option<Move>,
    /// The value for the side to move.
    pub value: Score,
}

/// All searched positions.
#[derive(Default)]
pub struct Graph {
    index: HashMap<Key, usize>,
    nodes: Vec<GraphNode>,
    /// The moves of the named systems, by position.
    named: HashMap<Key, BTreeSet<Move>>,
    /// Positions of the named systems that are not searched yet, sorted by ply.
    wanted: BTreeMap<(usize, Key), String>,
    /// Ply and position of the end of each named system.
    named_ends: Vec<(usize, Key)>,
    proofs: usize,
}

/// A position that may be searched next.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GraphPlace {
    pub key: Key,
    pub fen: String,
}

impl Graph {
    /// Creates an empty graph that must include these named systems, given as moves from the start position.
    pub fn new(systems: &[Vec<Move>]) -> Graph {
        let mut graph = Graph::default();
        let start = Position::start();
        graph.wanted.insert((0, MirrorKey::of(&start).key), canonical_fen(&start));
        for line in systems {
            let mut position = start.clone();
            for (ply, &mv) in line.iter().enumerate() {
                let folded = MirrorKey::of(&position);
                graph.named.entry(folded.key).or_default().insert(folded.to_book_move(mv));
                if position.play(mv).is_err() {
                    break;
                }
                graph.wanted.insert((ply + 1, MirrorKey::of(&position).key), canonical_fen(&position));
            }
            graph.named_ends.push((position.history_len(), MirrorKey::of(&position).key));
        }
        // The same position may occur at different plies; keep the first.
        let mut seen = BTreeSet::new();
        graph.wanted.retain(|(_, key), _| seen.insert(*key));
        graph
    }

    pub fn nodes(&self) -> &[GraphNode] {
        &self.nodes
    }

    /// The node of this key, if the position was searched.
    pub fn node(&self, key: Key) -> Option<&GraphNode> {
        self.index.get(&key).map(|&index| &self.nodes[index])
    }

    /// Number of positions with a proof.
    pub fn proofs(&self) -> usize {
        self.proofs
    }

    /// Positions of the named systems that are not searched yet.
    pub fn unsearched_named(&self) -> impl Iterator<Item = GraphPlace> {
        self.wanted.iter().map(|((_, key), fen)| GraphPlace { key: *key, fen: fen.clone() })
    }

    /// The unsearched ends of the best lines that continue the named systems, up to `plies`. Uses the scores of each
    /// position's own search, not the backed-up values, so that the lines stay stable.
    pub fn named_frontier(&self, plies: usize) -> Vec<GraphPlace> {
        let end = |&(from, key): &(usize, Key)| {
            let mut node = self.node(key)?;
            for _ in from..plies {
                let scored = node.edges.iter().filter_map(|edge| Some((edge.score?, edge)));
                let (_, best) = scored.max_by_key(|(score, edge)| (*score, Reverse(edge.mv)))?;
                match self.node(best.child) {
                    Some(child) => node = child,
                    None => return candidate(node, best.mv),
                }
            }
            None
        };
        self.named_ends.iter().filter_map(end).collect()
    }

    /// Adds a search result. A proof of a position without a survey is ignored.
    pub fn add(&mut self, record: &SearchRecord) -> Result<(), FenError> {
        let position = Position::from_fen(&record.fen)?;
        let folded = MirrorKey::of(&position);
        match record.kind {
            SearchKind::Survey if !self.index.contains_key(&folded.key) => {
                let edges = self.edges(&position, &record.lines);
                let value = record.lines.first().map_or(-MATE, |&(_, score)| score);
                self.wanted.retain(|(_, key), _| *key != folded.key);
                self.index.insert(folded.key, self.nodes.len());
                self.nodes.push(GraphNode { fen: record.fen.clone(), edges, proof: None, value });
            }
            SearchKind::Proof => {
                if let (Some(&index), Some(&(mv, score))) = (self.index.get(&folded.key), record.lines.first()) {
                    let node = &mut self.nodes[index];
                    self.proofs += usize::from(node.proof.is_none());
                    node.apply_proof(&position, mv, score);
                }
            }
            SearchKind::Survey => {}
        }
        Ok(())
    }

    fn edges(&self, position: &Position, lines: &[(Move, Score)]) -> Vec<Edge> {
        let folded = MirrorKey::of(position);
        let named = self.named.get(&folded.key);
        let mut edges: Vec<Edge> = Vec::new();
        let searched = lines.iter().map(|&(mv, score)| (folded.to_book_move(mv), Some(score)));
        for (mv, score) in searched.chain(named.into_iter().flatten().map(|&mv| (mv, None))) {
            let is_named = named.is_some_and(|moves| moves.contains(&mv));
            if edges.iter().all(|edge| edge.mv != mv)
                && let Some(child) = key_after(position, mv)
            {
                edges.push(Edge { mv, score, child, is_named });
            }
        }
        edges
    }

    /// The value of a move for the side that makes it: that of the child if it was searched, otherwise its score.
    pub fn value(&self, edge: &Edge) -> Option<Score> {
        match self.node(edge.child) {
            Some(child) => Some(-child.value),
            None => edge.score,
        }
    }

    /// Backs up the values of all positions by minimax.
    pub fn back_up_values(&mut self) {
        for _ in 0..MAX_SWEEPS {
            let mut changed = false;
            // In reverse order, since most positions were added after their parents.
            for index in (0..self.nodes.len()).rev() {
                let node = &self.nodes[index];
                let best = node.edges.iter().filter_map(|edge| self.value(edge)).max();
                let value = best.unwrap_or(node.value);
                changed |= value != node.value;
                self.nodes[index].value = value;
            }
            if !changed {
                return;
            }
        }
    }

    /// The searched positions and the unsearched children, each in order of cost: plies from the start plus score lost
    /// on the way.
    pub fn expansion_order(&self) -> (Vec<usize>, Vec<GraphPlace>) {
        let mut done: HashMap<Key, ()> = HashMap::new();
        let (mut order, mut leaves) = (Vec::new(), Vec::new());
        let mut heap = BinaryHeap::new();
        let root = MirrorKey::of(&Position::start()).key;
        heap.push(Reverse((0, 0, root, usize::MAX, None)));
        while let Some(Reverse((cost, plies, key, parent, mv))) = heap.pop() {
            if done.insert(key, ()).is_some() {
                continue;
            }
            let Some(&index) = self.index.get(&key) else {
                if let Some(leaf) = self.nodes.get(parent).and_then(|node| candidate(node, mv?)) {
                    leaves.push(leaf);
                }
                continue;
            };
            order.push(index);
            if plies >= MAX_LINE_PLIES {
                continue;
            }
            let node = &self.nodes[index];
            for edge in &node.edges {
                if let Some(value) = self.value(edge) {
                    let loss = if edge.is_named { 0 } else { (node.value - value).max(0) as u32 };
                    heap.push(Reverse((cost + PLY_COST + loss, plies + 1, edge.child, index, Some(edge.mv))));
                }
            }
        }
        (order, leaves)
    }
}

impl GraphNode {
    /// Applies a proof: its move gets the score, and the other moves shift by the same amount but never above it.
    fn apply_proof(&mut self, position: &Position, mv: Move, score: Score) {
        let mv = MirrorKey::of(position).to_book_move(mv);
        let known = self.edges.iter().find(|edge| edge.mv == mv).and_then(|edge| edge.score);
        let best = self.edges.iter().filter_map(|edge| edge.score).max();
        let shift = known.or(best).map_or(0, |before| score - before);
        for edge in &mut self.edges {
            edge.score = edge.score.map(|before| (before + shift).min(score));
        }
        match self.edges.iter_mut().find(|edge| edge.mv == mv) {
            Some(edge) => edge.score = Some(score),
            None => {
                if let Some(child) = key_after(position, mv) {
                    self.edges.push(Edge { mv, score: Some(score), child, is_named: false });
                }
            }
        }
        self.proof = Some(mv);
    }
}

fn candidate(node: &GraphNode, mv: Move) -> Option<GraphPlace> {
    let mut position = Position::from_fen(&node.fen).ok()?;
    position.play(mv).ok()?;
    Some(GraphPlace { key: MirrorKey::of(&position).key, fen: canonical_fen(&position) })
}

/// The mirror key of the position after a move; `None` if the move is illegal.
fn key_after(position: &Position, mv: Move) -> Option<Key> {
    let mut next = position.clone();
    next.play(mv).ok()?;
    Some(MirrorKey::of(&next).key)
}

/// Maximum loss of a move that is played …
const MAX_LOSS: Score = 8;
/// … and of a move of a named system.
const NAMED_MAX_LOSS: Score = 12;
/// The weight of a move without loss …
const FULL_WEIGHT: f64 = 1000.0;
/// … is halved for each loss of this many points.
const WEIGHT_HALF_LIFE: f64 = 3.0;

/// Extracts the book: every position with a proof. A move is played if the proof found it best, or if it loses little
/// and leads to a position with a proof; other moves to positions with a proof get weight 0.
pub fn extract_book(graph: &Graph) -> MemoryBook {
    let mut book = MemoryBook::default();
    for node in graph.nodes().iter().filter(|node| node.proof.is_some()) {
        let Ok(position) = Position::from_fen(&node.fen) else { continue };
        let moves = moves(graph, node);
        if !moves.is_empty() {
            book.positions.insert(MirrorKey::of(&position).key, moves);
        }
    }
    book
}

fn moves(graph: &Graph, node: &GraphNode) -> BTreeMap<xiangqi::Move, BookEntry> {
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
            let margin = if edge.is_named { NAMED_MAX_LOSS } else { MAX_LOSS };
            let weight = if loss > margin {
                0
            } else {
                (FULL_WEIGHT * (-f64::from(loss) / WEIGHT_HALF_LIFE).exp2()).max(1.0) as u16
            };
            (edge.mv, BookEntry { weight, score: Some(BookEntry::clamp_score(value)), ..BookEntry::default() })
        })
        .collect()
}
