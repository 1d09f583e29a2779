//! Outputs of move generation: a list on the stack, or a count.

use crate::types::{Move, Square};
use arrayvec::ArrayVec;
use std::fmt;
use std::ops::{Deref, DerefMut};

/// More than the moves that sixteen pieces can have.
const MAX_MOVES: usize = 272;

/// An entry of a [`MoveList`]: a move, alone or with what a search keeps beside it.
#[doc(hidden)]
pub trait MoveEntry: Copy {
    /// The entry of a generated move.
    fn of(mv: Move) -> Self;
    /// Its move.
    fn mv(self) -> Move;
}

impl MoveEntry for Move {
    #[inline]
    fn of(mv: Move) -> Move {
        mv
    }
    #[inline]
    fn mv(self) -> Move {
        self
    }
}

/// Receives generated moves.
pub trait MoveSink {
    /// Adds a move.
    fn push(&mut self, from: Square, to: Square);

    /// Adds the moves of a slider: columns of its rank and rows of its file.
    #[inline]
    fn push_lines(&mut self, from: Square, cols: u16, rows: u16) {
        let mut cols = cols as u32;
        while cols != 0 {
            self.push(from, Square((from.0 & 0xF0) | cols.trailing_zeros() as u8));
            cols &= cols - 1;
        }
        let mut rows = rows as u32;
        while rows != 0 {
            self.push(from, Square((rows.trailing_zeros() as u8) << 4 | (from.0 & 0x0F)));
            rows &= rows - 1;
        }
    }
}

/// A list of up to 272 moves without allocation; used as a slice of them.
///
/// ```
/// let moves = xiangqi::Position::start().legal_moves();
/// assert_eq!(moves.len(), 44);
/// assert!(moves.contains(&"h2e2".parse()?) && moves.iter().all(|mv| mv.from().rank() < 4));
/// # Ok::<(), xiangqi::ParseMoveError>(())
/// ```
#[derive(Clone)]
pub struct MoveList<T: MoveEntry = Move>(ArrayVec<T, MAX_MOVES>);

impl<T: MoveEntry> MoveList<T> {
    /// Appends a move.
    #[inline]
    pub fn add(&mut self, mv: Move) {
        self.0.push(T::of(mv));
    }

    /// Removes all moves.
    #[inline]
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Keeps the first moves alone, so many.
    #[inline]
    pub fn truncate(&mut self, len: usize) {
        self.0.truncate(len);
    }

    /// Keeps, from index `start` on, the moves for which `keep` is true, in their order.
    #[inline]
    #[doc(hidden)]
    pub fn retain_from(&mut self, start: usize, mut keep: impl FnMut(Move) -> bool) {
        let mut kept = start;
        for index in start..self.0.len() {
            let entry = self.0[index];
            if keep(entry.mv()) {
                self.0[kept] = entry;
                kept += 1;
            }
        }
        self.0.truncate(kept);
    }
}

impl MoveList {
    /// Creates an empty list.
    #[inline]
    pub fn new() -> MoveList {
        MoveList::default()
    }

    /// Keeps the moves for which `keep` is true, in their order.
    pub fn retain(&mut self, keep: impl FnMut(Move) -> bool) {
        self.retain_from(0, keep);
    }
}

impl<T: MoveEntry> Default for MoveList<T> {
    #[inline]
    fn default() -> MoveList<T> {
        MoveList(ArrayVec::new())
    }
}

impl<T: MoveEntry> Deref for MoveList<T> {
    type Target = [T];
    #[inline]
    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<T: MoveEntry> DerefMut for MoveList<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.0
    }
}

impl<'a> IntoIterator for &'a MoveList {
    type Item = Move;
    type IntoIter = std::iter::Copied<std::slice::Iter<'a, Move>>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter().copied()
    }
}

impl IntoIterator for MoveList {
    type Item = Move;
    type IntoIter = arrayvec::IntoIter<Move, MAX_MOVES>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl fmt::Debug for MoveList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self).finish()
    }
}

impl<T: MoveEntry> MoveSink for MoveList<T> {
    #[inline]
    fn push(&mut self, from: Square, to: Square) {
        self.add(Move::new(from, to));
    }
}
