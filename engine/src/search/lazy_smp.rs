//! Simplified ABDADA (Kerrigan after Weill): which moves other threads are searching at this moment, so that the
//! threads divide the work.
//!
//! A thread that comes to a move which another one is searching puts it off: when it comes back to it, the result is
//! in the hash table. A mark that is lost or read too late costs
//! a little work done twice and nothing else, so relaxed loads and stores suffice.
//!
//! The furthest iteration that any thread has finished. The others drop what they are doing at that depth and
//! go on from its result: every iteration lasts as long as it does for the fastest thread, and what the slower
//! ones have found by then is in the hash table.

use super::root::RootMove;
use crate::types::{Key, Move};
use arrayvec::ArrayVec;
use std::sync::atomic::{AtomicI32, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard};

const BUCKETS: usize = 4096;
const SLOTS_PER_BUCKET: usize = 4;

/// The marks of all threads.
pub struct Abdada {
    buckets: Vec<[AtomicU64; SLOTS_PER_BUCKET]>,
}

/// A move of a position, as it is marked.
#[derive(Clone, Copy)]
pub struct MoveHash(u64);

impl MoveHash {
    /// This move in the position of this key.
    #[inline]
    pub fn new(key: Key, mv: Move) -> MoveHash {
        // Never zero, which means "no mark".
        MoveHash((key ^ u64::from(mv.bits()).wrapping_mul(0x9E37_79B9_7F4A_7C15)) | 1)
    }
}

impl Abdada {
    /// No move is being searched.
    pub fn new() -> Abdada {
        Abdada { buckets: (0..BUCKETS).map(|_| Default::default()).collect() }
    }

    #[inline]
    fn line(&self, mark: MoveHash) -> &[AtomicU64; SLOTS_PER_BUCKET] {
        &self.buckets[(mark.0 >> 32) as usize % BUCKETS]
    }

    /// Is some thread searching this move?
    #[inline]
    pub fn is_being_searched(&self, mark: MoveHash) -> bool {
        self.line(mark).iter().any(|slot| slot.load(Ordering::Relaxed) == mark.0)
    }

    /// This thread begins to search the move.
    #[inline]
    pub fn starting_search(&self, mark: MoveHash) {
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
    pub fn finished_search(&self, mark: MoveHash) {
        for slot in self.line(mark) {
            if slot.load(Ordering::Relaxed) == mark.0 {
                slot.store(0, Ordering::Relaxed);
            }
        }
    }
}

/// A move as the order has it.
#[derive(Clone, Copy)]
pub(super) struct DeferredMove {
    pub mv: Move,
    pub number: i32,
    /// A capture that comes after the quiet moves.
    pub is_bad_capture: bool,
}

/// The moves of a node that wait because another thread is searching them, in the order in which they came.
#[derive(Default)]
pub(super) struct DeferredMoves {
    waiting: ArrayVec<DeferredMove, 16>,
    taken: usize,
}

impl DeferredMoves {
    /// False if there is no room: then it is searched now.
    #[inline]
    pub fn defer(&mut self, turn: DeferredMove) -> bool {
        self.waiting.try_push(turn).is_ok()
    }

    /// The next that has waited.
    #[inline]
    pub fn next_deferred(&mut self) -> Option<DeferredMove> {
        let next = *self.waiting.get(self.taken)?;
        self.taken += 1;
        Some(next)
    }
}

/// The baton that threads hand to each other.
pub struct DepthSync {
    /// Depth of the iteration; read often, so outside the lock, but written only under it.
    depth: AtomicI32,
    result: Mutex<Vec<RootMove>>,
}

impl DepthSync {
    /// No iteration is finished.
    pub fn new() -> DepthSync {
        DepthSync { depth: AtomicI32::new(0), result: Mutex::new(Vec::new()) }
    }

    /// Depth of the furthest iteration that is finished.
    #[inline]
    pub fn depth(&self) -> i32 {
        self.depth.load(Ordering::Relaxed)
    }

    /// A thread has finished an iteration.
    pub(super) fn publish(&self, depth: i32, root_moves: &[RootMove]) {
        let mut result = self.lock();
        if depth > self.depth() {
            result.clear();
            result.extend_from_slice(root_moves);
            self.depth.store(depth, Ordering::Relaxed);
        }
    }

    /// Takes the furthest iteration over: answers its depth. What was counted for the moves is kept.
    pub(super) fn adopt(&self, root_moves: &mut [RootMove]) -> i32 {
        let result = self.lock();
        let effort = |mv| root_moves.iter().find(|own| own.mv == mv).map_or(0, |own| own.nodes);
        let nodes: Vec<u64> = result.iter().map(|root_move| effort(root_move.mv)).collect();
        root_moves.clone_from_slice(&result);
        root_moves.iter_mut().zip(nodes).for_each(|(root_move, nodes)| root_move.nodes = nodes);
        self.depth()
    }

    fn lock(&self) -> MutexGuard<'_, Vec<RootMove>> {
        self.result.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_begins_is_there_until_it_ends() {
        let abdada = Abdada::new();
        let mark = |number: u64| MoveHash::new(number << 52, Move::from_bits(number as u16 + 1));
        for number in 0..3 {
            assert!(!abdada.is_being_searched(mark(number)));
            abdada.starting_search(mark(number));
            assert!(abdada.is_being_searched(mark(number)));
        }
        abdada.starting_search(mark(1));
        abdada.finished_search(mark(1));
        assert!(
            abdada.is_being_searched(mark(0))
                && !abdada.is_being_searched(mark(1))
                && abdada.is_being_searched(mark(2))
        );
    }
}

#[cfg(test)]
mod relay_tests {
    use super::*;
    use crate::search::info::Bound;
    use crate::types::Move;

    fn root_move(number: u16, score: i32, nodes: u64) -> RootMove {
        let mv = Move::from_bits(number);
        RootMove { mv, score, bound: Bound::Exact, previous_score: 0, seldepth: 1, nodes, pv: vec![mv] }
    }

    #[test]
    fn the_furthest_iteration_is_taken_over_and_own_counts_stay() {
        let relay = DepthSync::new();
        relay.publish(2, &[root_move(8, 30, 100), root_move(7, 10, 200)]);
        relay.publish(1, &[root_move(7, 99, 1), root_move(8, 0, 1)]);
        relay.publish(2, &[root_move(7, 98, 1), root_move(8, 0, 1)]);
        let mut own = [root_move(7, 5, 11), root_move(8, 4, 12)];
        assert_eq!((relay.depth(), relay.adopt(&mut own)), (2, 2));
        let facts = own.map(|root_move| (root_move.mv.bits(), root_move.score, root_move.nodes));
        assert_eq!(facts, [(8, 30, 12), (7, 10, 11)]);
    }
}
