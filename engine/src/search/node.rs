//! The kinds of nodes, and what is known about a node and its moves when they are decided about.

use crate::types::{Move, Score};

/// Kinds of nodes, as types: the compiler makes a search for each.
pub trait Node {
    /// On the principal variation: the window is open.
    const PV: bool;
}

/// On the principal variation.
pub struct Pv;
/// Off it: a null window.
pub struct NonPv;

impl Node for Pv {
    const PV: bool = true;
}
impl Node for NonPv {
    const PV: bool = false;
}

/// What is known about a node when its moves are decided about.
#[derive(Clone, Copy)]
pub(super) struct NodeFacts {
    /// Plies still to be searched.
    pub depth: i32,
    /// What a move must better.
    pub alpha: Score,
    /// The static evaluation, corrected.
    pub static_eval: Score,
    /// The window is one that static evaluations may prune in.
    pub is_estimable: bool,
    /// The side to move is in check.
    pub in_check: bool,
    /// The static evaluation is better than two plies ago.
    pub improving: bool,
    /// It is, or once was, on a principal variation.
    pub was_pv: bool,
    /// It is expected to fail high.
    pub cut_node: bool,
    /// The hash table knows a move.
    pub has_table_move: bool,
    /// That move is a capture.
    pub table_is_capture: bool,
    /// The hash table knows a score, and it betters alpha.
    pub table_is_better: bool,
    /// How many of its children have cut off.
    pub cutoffs: u32,
}

/// What is known about a move before it is made.
#[derive(Clone, Copy)]
pub(super) struct MoveFacts {
    pub mv: Move,
    /// Its number in the order, from 1.
    pub number: i32,
    pub is_capture: bool,
    /// It attacks the king.
    pub gives_check: bool,
    /// What the histories think of it.
    pub history: i32,
}
