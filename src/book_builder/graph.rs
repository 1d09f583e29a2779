//! The positions that were searched, the moves between them, and what they are worth.

use super::{Errand, Finding, page_fen};
use chuhe_engine::board::{FenError, Position};
use chuhe_engine::types::score::MATE;
use chuhe_engine::types::{Key, Move, Score};
use chuhe_toolkit::book::fold::Folded;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap};

/// A ply costs as much as so many points of score: what is expanded first lies few plies deep or loses little.
const PLY: u32 = 4;
/// Values are carried back at most so often: positions that repeat each other could go on for ever.
const SWEEPS: usize = 64;
/// Longer lines belong to no opening.
const LONGEST: u32 = 60;

/// A move of a position.
#[derive(Clone, Debug)]
pub struct Edge {
    /// The move, in the orientation of the book.
    pub mv: Move,
    /// What the search of the position said of it.
    pub score: Option<Score>,
    pub child: Key,
    /// It belongs to a named system.
    pub is_named: bool,
}

/// A position that was searched.
#[derive(Clone, Debug)]
pub struct Node {
    /// Board and side, in the orientation of the book.
    pub fen: String,
    pub edges: Vec<Edge>,
    /// The best move by the long search, once there was one.
    pub proof: Option<Move>,
    /// What it is worth to the side to move.
    pub value: Score,
}

/// Everything that is known.
#[derive(Default)]
pub struct Graph {
    index: HashMap<Key, usize>,
    nodes: Vec<Node>,
    /// The moves of the named systems, by the position that they are made in.
    named: HashMap<Key, BTreeSet<Move>>,
    /// The positions of the named systems that are not searched yet, the nearest to the start first.
    wanted: BTreeMap<(usize, Key), String>,
    /// Where the named systems end, and after how many plies.
    ends: Vec<(usize, Key)>,
    proofs: usize,
}

/// A position that may be searched, with what it costs to get there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Leaf {
    pub key: Key,
    pub fen: String,
}

impl Graph {
    /// An empty graph that wants these systems to be in the book: lines of moves from the start position.
    pub fn new(systems: &[Vec<Move>]) -> Graph {
        let mut graph = Graph::default();
        let start = Position::start();
        graph.wanted.insert((0, Folded::of(&start).key), page_fen(&start));
        for line in systems {
            let mut position = start.clone();
            for (ply, &mv) in line.iter().enumerate() {
                let folded = Folded::of(&position);
                graph.named.entry(folded.key).or_default().insert(folded.fold(mv));
                if position.play(mv).is_err() {
                    break;
                }
                graph.wanted.insert((ply + 1, Folded::of(&position).key), page_fen(&position));
            }
            graph.ends.push((position.history_len(), Folded::of(&position).key));
        }
        // The same position may belong to lines of different lengths.
        let mut seen = BTreeSet::new();
        graph.wanted.retain(|(_, key), _| seen.insert(*key));
        graph
    }

    /// The positions that were searched.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The position of this key, if it was searched.
    pub fn node(&self, key: Key) -> Option<&Node> {
        self.index.get(&key).map(|&index| &self.nodes[index])
    }

    /// How many positions have their proof.
    pub fn proofs(&self) -> usize {
        self.proofs
    }

    /// Positions of the named systems that are not searched yet.
    pub fn wanted(&self) -> impl Iterator<Item = Leaf> {
        self.wanted.iter().map(|((_, key), fen)| Leaf { key: *key, fen: fen.clone() })
    }

    /// The ends of the lines along which the named systems are played best, as far as they have fewer plies. What the
    /// search of each position says counts, not what was found behind it: otherwise the lines would change all the time.
    pub fn short_lines(&self, plies: usize) -> Vec<Leaf> {
        let end = |&(from, key): &(usize, Key)| {
            let mut node = self.node(key)?;
            for _ in from..plies {
                let scored = node.edges.iter().filter_map(|edge| Some((edge.score?, edge)));
                let (_, best) = scored.max_by_key(|(score, edge)| (*score, Reverse(edge.mv)))?;
                match self.node(best.child) {
                    Some(child) => node = child,
                    None => return leaf(node, best.mv),
                }
            }
            None
        };
        self.ends.iter().filter_map(end).collect()
    }

    /// Takes in what a search found. A proof of what was never surveyed is passed over.
    pub fn add(&mut self, finding: &Finding) -> Result<(), FenError> {
        let position = Position::from_fen(&finding.fen)?;
        let folded = Folded::of(&position);
        match finding.errand {
            Errand::Survey if !self.index.contains_key(&folded.key) => {
                let edges = self.edges(&position, &finding.lines);
                let value = finding.lines.first().map_or(-MATE, |&(_, score)| score);
                self.wanted.retain(|(_, key), _| *key != folded.key);
                self.index.insert(folded.key, self.nodes.len());
                self.nodes.push(Node { fen: finding.fen.clone(), edges, proof: None, value });
            }
            Errand::Proof => {
                if let (Some(&index), Some(&(mv, score))) =
                    (self.index.get(&folded.key), finding.lines.first())
                {
                    let node = &mut self.nodes[index];
                    self.proofs += usize::from(node.proof.is_none());
                    node.prove(&position, mv, score);
                }
            }
            Errand::Survey => {}
        }
        Ok(())
    }

    fn edges(&self, position: &Position, lines: &[(Move, Score)]) -> Vec<Edge> {
        let folded = Folded::of(position);
        let named = self.named.get(&folded.key);
        let mut edges: Vec<Edge> = Vec::new();
        let searched = lines.iter().map(|&(mv, score)| (folded.fold(mv), Some(score)));
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

    /// What a move is worth to the side that makes it: by the position that it leads to, if that was searched.
    pub fn value(&self, edge: &Edge) -> Option<Score> {
        match self.node(edge.child) {
            Some(child) => Some(-child.value),
            None => edge.score,
        }
    }

    /// Carries the values of all positions back to the start.
    pub fn minimax(&mut self) {
        for _ in 0..SWEEPS {
            let mut changed = false;
            // Most positions were found after those that lead to them.
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

    /// The positions that were searched, and those that their moves lead to, each list the cheapest first: by the plies
    /// from the start and by what is lost on the way.
    pub fn by_cost(&self) -> (Vec<usize>, Vec<Leaf>) {
        let mut done: HashMap<Key, ()> = HashMap::new();
        let (mut order, mut leaves) = (Vec::new(), Vec::new());
        let mut heap = BinaryHeap::new();
        let root = Folded::of(&Position::start()).key;
        heap.push(Reverse((0, 0, root, usize::MAX, Move::NONE)));
        while let Some(Reverse((cost, plies, key, parent, mv))) = heap.pop() {
            if done.insert(key, ()).is_some() {
                continue;
            }
            let Some(&index) = self.index.get(&key) else {
                if let Some(leaf) = self.nodes.get(parent).and_then(|node| leaf(node, mv)) {
                    leaves.push(leaf);
                }
                continue;
            };
            order.push(index);
            if plies >= LONGEST {
                continue;
            }
            let node = &self.nodes[index];
            for edge in &node.edges {
                if let Some(value) = self.value(edge) {
                    let loss = if edge.is_named { 0 } else { (node.value - value).max(0) as u32 };
                    heap.push(Reverse((cost + PLY + loss, plies + 1, edge.child, index, edge.mv)));
                }
            }
        }
        (order, leaves)
    }
}

impl Node {
    /// A longer search says which move is best, and what it is worth: the other moves are worth as much less as before,
    /// and never more.
    fn prove(&mut self, position: &Position, mv: Move, score: Score) {
        let mv = Folded::of(position).fold(mv);
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

fn leaf(node: &Node, mv: Move) -> Option<Leaf> {
    let mut position = Position::from_fen(&node.fen).ok()?;
    position.play(mv).ok()?;
    Some(Leaf { key: Folded::of(&position).key, fen: page_fen(&position) })
}

/// The folded key of the position that a move leads to; `None` if it cannot be made.
fn key_after(position: &Position, mv: Move) -> Option<Key> {
    let mut next = position.clone();
    next.play(mv).ok()?;
    Some(Folded::of(&next).key)
}
