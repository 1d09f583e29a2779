//! Simplified ABDADA (Kerrigan after Weill): which moves other threads are searching at this moment, so that the
//! threads divide the work.
//!
//! A thread that comes to a move which another one is searching puts it off: when it comes back to it, the result is
//! in the hash table. A mark that is lost or read too late costs
//! a little work done twice and nothing else, so relaxed loads and stores suffice.

use crate::types::{Key, Move};
use arrayvec::ArrayVec;
use std::sync::atomic::{AtomicU64, Ordering};

const LINES: usize = 4096;
const MARKS: usize = 4;

/// The marks of all threads.
pub struct Abdada {
    lines: Vec<[AtomicU64; MARKS]>,
}

/// A move of a position, as it is marked.
#[derive(Clone, Copy)]
pub struct Mark(u64);

impl Mark {
    /// This move in the position of this key.
    #[inline]
    pub fn new(key: Key, mv: Move) -> Mark {
        // Never zero, which means "no mark".
        Mark((key ^ u64::from(mv.bits()).wrapping_mul(0x9E37_79B9_7F4A_7C15)) | 1)
    }
}

impl Abdada {
    /// No move is being searched.
    pub fn new() -> Abdada {
        Abdada { lines: (0..LINES).map(|_| Default::default()).collect() }
    }

    #[inline]
    fn line(&self, mark: Mark) -> &[AtomicU64; MARKS] {
        &self.lines[(mark.0 >> 32) as usize % LINES]
    }

    /// Is some thread searching this move?
    #[inline]
    pub fn has(&self, mark: Mark) -> bool {
        self.line(mark).iter().any(|slot| slot.load(Ordering::Relaxed) == mark.0)
    }

    /// This thread begins to search the move.
    #[inline]
    pub fn begin(&self, mark: Mark) {
        let line = self.line(mark);
        for slot in line {
            let there = slot.load(Ordering::Relaxed);
            if there == mark.0 {
                return;
            }
            if there == 0 {
                return slot.store(mark.0, Ordering::Relaxed);
            }
        }
        line[0].store(mark.0, Ordering::Relaxed);
    }

    /// This thread has searched the move.
    #[inline]
    pub fn end(&self, mark: Mark) {
        for slot in self.line(mark) {
            if slot.load(Ordering::Relaxed) == mark.0 {
                slot.store(0, Ordering::Relaxed);
            }
        }
    }
}

/// A move as the order has it.
#[derive(Clone, Copy)]
pub(super) struct Turn {
    pub mv: Move,
    pub number: i32,
    /// A capture that comes after the quiet moves.
    pub is_bad: bool,
}

/// The moves of a node that wait because another thread is searching them, in the order in which they came.
#[derive(Default)]
pub(super) struct Deferred {
    waiting: ArrayVec<Turn, 16>,
    taken: usize,
}

impl Deferred {
    /// False if there is no room: then it is searched now.
    #[inline]
    pub fn add(&mut self, turn: Turn) -> bool {
        self.waiting.try_push(turn).is_ok()
    }

    /// The next that has waited.
    #[inline]
    pub fn take(&mut self) -> Option<Turn> {
        let next = *self.waiting.get(self.taken)?;
        self.taken += 1;
        Some(next)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_begins_is_there_until_it_ends() {
        let abdada = Abdada::new();
        let mark = |number: u64| Mark::new(number << 52, Move::from_bits(number as u16 + 1));
        for number in 0..3 {
            assert!(!abdada.has(mark(number)));
            abdada.begin(mark(number));
            assert!(abdada.has(mark(number)));
        }
        abdada.begin(mark(1));
        abdada.end(mark(1));
        assert!(abdada.has(mark(0)) && !abdada.has(mark(1)) && abdada.has(mark(2)));
    }
}
