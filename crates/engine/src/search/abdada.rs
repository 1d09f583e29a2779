//! Simplified ABDADA (Weill, Kerrigan): a table of the moves being searched, and the moves that a node has deferred.
//!
//! A thread defers a move that another one is searching; later its result is in the transposition table. A lost or stale
//! mark only costs duplicate work, so relaxed loads and stores suffice.

use arrayvec::ArrayVec;
use std::sync::atomic::{AtomicU64, Ordering};
use xiangqi::{Move, zobrist::Key};

const BUCKETS: usize = 4096;
const SLOTS_PER_BUCKET: usize = 4;

/// The moves that threads are searching.
pub struct Abdada {
    buckets: Vec<[AtomicU64; SLOTS_PER_BUCKET]>,
}

/// Hash of a position and a move; never 0.
#[derive(Clone, Copy)]
pub struct MoveHash(u64);

impl MoveHash {
    #[inline]
    pub fn new(key: Key, mv: Move) -> MoveHash {
        // Zero marks an empty slot.
        MoveHash((key ^ u64::from(mv.bits()).wrapping_mul(0x9E37_79B9_7F4A_7C15)) | 1)
    }
}

impl Abdada {
    pub fn new() -> Abdada {
        Abdada { buckets: (0..BUCKETS).map(|_| Default::default()).collect() }
    }

    #[inline]
    fn bucket(&self, move_hash: MoveHash) -> &[AtomicU64; SLOTS_PER_BUCKET] {
        &self.buckets[(move_hash.0 >> 32) as usize % BUCKETS]
    }

    /// Whether some thread is searching this move.
    #[inline]
    pub fn is_being_searched(&self, move_hash: MoveHash) -> bool {
        self.bucket(move_hash).iter().any(|slot| slot.load(Ordering::Relaxed) == move_hash.0)
    }

    /// Marks a move as being searched.
    #[inline]
    pub fn starting_search(&self, move_hash: MoveHash) {
        let bucket = self.bucket(move_hash);
        for slot in bucket {
            let current = slot.load(Ordering::Relaxed);
            if current == move_hash.0 {
                return;
            }
            if current == 0 {
                return slot.store(move_hash.0, Ordering::Relaxed);
            }
        }
        bucket[0].store(move_hash.0, Ordering::Relaxed);
    }

    /// Removes the mark of a move.
    #[inline]
    pub fn finished_search(&self, move_hash: MoveHash) {
        for slot in self.bucket(move_hash) {
            if slot.load(Ordering::Relaxed) == move_hash.0 {
                slot.store(0, Ordering::Relaxed);
            }
        }
    }
}

/// A move with its place in the move order.
#[derive(Clone, Copy)]
pub(super) struct DeferredMove {
    pub mv: Move,
    pub number: i32,
    /// From the bad captures of the move picker.
    pub is_bad_capture: bool,
}

/// The deferred moves of a node, in move order.
#[derive(Default)]
pub(super) struct DeferredMoves {
    waiting: ArrayVec<DeferredMove, 16>,
    taken: usize,
}

impl DeferredMoves {
    /// Defers a move; false if the list is full.
    #[inline]
    pub fn defer(&mut self, candidate: DeferredMove) -> bool {
        self.waiting.try_push(candidate).is_ok()
    }

    /// The next deferred move.
    #[inline]
    pub fn next_deferred(&mut self) -> Option<DeferredMove> {
        let next = *self.waiting.get(self.taken)?;
        self.taken += 1;
        Some(next)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use xiangqi::Square;

    #[test]
    fn abdada_marks_a_move_until_it_is_finished() {
        let abdada = Abdada::new();
        let move_hash =
            |number: u64| MoveHash::new(number << 52, Move::new(Square::A0, Square::new(number as u8 + 1, 0)));
        for number in 0..3 {
            assert!(!abdada.is_being_searched(move_hash(number)));
            abdada.starting_search(move_hash(number));
            assert!(abdada.is_being_searched(move_hash(number)));
        }
        abdada.starting_search(move_hash(1));
        abdada.finished_search(move_hash(1));
        assert!(
            abdada.is_being_searched(move_hash(0))
                && !abdada.is_being_searched(move_hash(1))
                && abdada.is_being_searched(move_hash(2))
        );
    }
}
