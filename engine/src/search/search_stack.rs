//! The stack of a line: what each node leaves for its children and its parents, and the variations that they hand up.

use super::history::PieceTo;
use crate::types::Move;
use crate::types::score::{self, MAX_PLY, Score};
use std::ops::{Index, IndexMut};

/// What a node leaves for its children and parents.
#[derive(Clone, Copy)]
pub(super) struct StackEntry {
    /// The move being searched; none at a null move.
    pub current_move: Move,
    /// Its number in the order.
    pub move_number: i32,
    /// Its piece and where that goes; `None` at a null move.
    pub piece_to: Option<PieceTo>,
    /// Corrected; `score::NONE` in check.
    pub static_eval: Score,
    /// Quiet moves that cut off last.
    pub killers: [Move; 2],
    /// Left out by the singular search.
    pub excluded: Move,
    /// Beta cutoffs among this node's children.
    pub cutoff_count: u32,
}

impl StackEntry {
    const EMPTY: StackEntry = StackEntry {
        current_move: Move::NONE,
        move_number: 0,
        piece_to: None,
        static_eval: score::NONE,
        killers: [Move::NONE; 2],
        excluded: Move::NONE,
        cutoff_count: 0,
    };
}

/// The best line from a node, as its principal variation hands it up. Few nodes have one, so it does not stand in the
/// frame, which every node touches.
#[derive(Clone, Copy)]
struct PvLine {
    len: usize,
    moves: [Move; MAX_PLY + 1],
}

/// The frames of all plies, by ply.
pub(super) struct SearchStack {
    entries: Vec<StackEntry>,
    pv_lines: Vec<PvLine>,
}

/// Frames before the root, so that looking back four plies needs no test.
const ENTRIES_BEFORE_ROOT: usize = 4;
/// Frames beyond the last ply, which a node prepares for its children.
const ENTRIES_AFTER_MAX_PLY: usize = 4;

impl SearchStack {
    /// Nothing has been searched.
    pub fn new() -> SearchStack {
        let nothing = PvLine { len: 0, moves: [Move::NONE; MAX_PLY + 1] };
        SearchStack {
            entries: vec![StackEntry::EMPTY; ENTRIES_BEFORE_ROOT + MAX_PLY + ENTRIES_AFTER_MAX_PLY],
            pv_lines: vec![nothing; MAX_PLY + ENTRIES_AFTER_MAX_PLY],
        }
    }

    /// The frame this many plies before `ply`; exists for up to four, also at the root.
    #[inline]
    pub fn entry_before(&self, ply: usize, back: usize) -> &StackEntry {
        &self.entries[ply + ENTRIES_BEFORE_ROOT - back]
    }

    /// Pieces and targets of the moves one, two and four plies before: what continuation history goes by.
    #[inline]
    pub fn continuation_keys(&self, ply: usize) -> [Option<PieceTo>; 3] {
        [self.entry_before(ply, 1).piece_to, self.entry_before(ply, 2).piece_to, self.entry_before(ply, 4).piece_to]
    }

    /// Makes `mv` the head of this node's principal variation and its child's variation the tail.
    #[inline]
    pub fn update_pv(&mut self, ply: usize, mv: Move) {
        let (upper, lower) = self.pv_lines.split_at_mut(ply + 1);
        let (node, child) = (&mut upper[ply], &lower[0]);
        let len = child.len.min(MAX_PLY);
        node.moves[0] = mv;
        node.moves[1..=len].copy_from_slice(&child.moves[..len]);
        node.len = len + 1;
    }

    /// A node is begun, and has no variation yet.
    #[inline]
    pub fn clear_pv(&mut self, ply: usize) {
        self.pv_lines[ply].len = 0;
    }

    /// The best line from this node.
    pub fn pv(&self, ply: usize) -> &[Move] {
        let line = &self.pv_lines[ply];
        &line.moves[..line.len.min(MAX_PLY)]
    }

    /// Whether the static evaluation is better than two plies ago, or than four where that was in check.
    #[inline]
    pub fn is_improving(&self, ply: usize) -> bool {
        let now = self[ply].static_eval;
        let earlier = |back| match self.entry_before(ply, back).static_eval {
            score::NONE => None,
            eval if ply >= back => Some(eval),
            _ => None,
        };
        earlier(2).or_else(|| earlier(4)).is_none_or(|eval| now > eval)
    }
}

impl Index<usize> for SearchStack {
    type Output = StackEntry;
    #[inline]
    fn index(&self, ply: usize) -> &StackEntry {
        &self.entries[ply + ENTRIES_BEFORE_ROOT]
    }
}

impl IndexMut<usize> for SearchStack {
    #[inline]
    fn index_mut(&mut self, ply: usize) -> &mut StackEntry {
        &mut self.entries[ply + ENTRIES_BEFORE_ROOT]
    }
}
