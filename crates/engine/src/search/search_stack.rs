//! The search stack: per-ply data that a node shares with its children and ancestors, and the triangular table of
//! principal variations.

use super::history::{CONTINUATION_PLIES, ContinuationKeys, PieceTo};
use crate::score::{self, MAX_PLY, Score};
use std::ops::{Index, IndexMut};
use xiangqi::{Move, Square};

/// Per-ply data, shared with children and ancestors.
#[derive(Clone, Copy)]
pub(super) struct StackEntry {
    /// The move being searched; `None` for a null move.
    pub current_move: Option<Move>,
    /// Position of `current_move` in the move order.
    pub move_number: i32,
    /// Moving piece and target of `current_move`; `None` for a null move.
    pub piece_to: Option<PieceTo>,
    /// Corrected static evaluation; `score::NONE` in check.
    pub static_eval: Score,
    /// Quiet moves that caused the latest cutoffs at this ply, newest first.
    pub killers: [Option<Move>; 2],
    /// The move that a singular search leaves out.
    pub excluded: Option<Move>,
    /// Beta cutoffs of nodes at this ply since their parent was entered.
    pub cutoff_count: u32,
}

impl StackEntry {
    const EMPTY: StackEntry = StackEntry {
        current_move: None,
        move_number: 0,
        piece_to: None,
        static_eval: score::NONE,
        killers: [None; 2],
        excluded: None,
        cutoff_count: 0,
    };
}

/// Principal variation from a ply. Only PV nodes have one, so it is kept out of [`StackEntry`], which every node uses.
#[derive(Clone, Copy)]
struct PvLine {
    len: usize,
    moves: [Move; MAX_PLY + 1],
}

/// Entries and principal variations of all plies.
pub(super) struct SearchStack {
    entries: Vec<StackEntry>,
    pv_lines: Vec<PvLine>,
}

/// Entries before the root, so that looking back four plies needs no check.
const ENTRIES_BEFORE_ROOT: usize = 4;
/// Entries beyond the maximum ply, which a node initializes for its children.
const ENTRIES_AFTER_MAX_PLY: usize = 4;

impl SearchStack {
    pub fn new() -> SearchStack {
        let nothing = PvLine { len: 0, moves: [Move::new(Square::new(0, 0), Square::new(0, 0)); MAX_PLY + 1] };
        SearchStack {
            entries: vec![StackEntry::EMPTY; ENTRIES_BEFORE_ROOT + MAX_PLY + ENTRIES_AFTER_MAX_PLY],
            pv_lines: vec![nothing; MAX_PLY + ENTRIES_AFTER_MAX_PLY],
        }
    }

    /// The entry `back` plies before `ply`; `back` is at most 4.
    #[inline]
    pub fn entry_before(&self, ply: usize, back: usize) -> &StackEntry {
        &self.entries[ply + ENTRIES_BEFORE_ROOT - back]
    }

    /// The moves `CONTINUATION_PLIES` before, the keys of continuation history.
    #[inline]
    pub fn continuation_keys(&self, ply: usize) -> ContinuationKeys {
        CONTINUATION_PLIES.map(|back| self.entry_before(ply, back).piece_to)
    }

    /// Sets the principal variation of `ply` to `mv` followed by that of the child.
    #[inline]
    pub fn update_pv(&mut self, ply: usize, mv: Move) {
        let (upper, lower) = self.pv_lines.split_at_mut(ply + 1);
        let (node, child) = (&mut upper[ply], &lower[0]);
        let len = child.len.min(MAX_PLY);
        node.moves[0] = mv;
        node.moves[1..=len].copy_from_slice(&child.moves[..len]);
        node.len = len + 1;
    }

    /// Empties the principal variation of a new node.
    #[inline]
    pub fn clear_pv(&mut self, ply: usize) {
        self.pv_lines[ply].len = 0;
    }

    /// The principal variation from this ply.
    pub fn pv(&self, ply: usize) -> &[Move] {
        let line = &self.pv_lines[ply];
        &line.moves[..line.len.min(MAX_PLY)]
    }

    /// Whether the static evaluation is better than two plies ago, or than four plies ago if that was in check.
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
