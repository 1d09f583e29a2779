//! The furthest iteration that any thread has finished. The others drop what they are doing at that depth and
//! go on from its result: every iteration lasts as long as it does for the fastest thread, and what the slower
//! ones have found by then is in the hash table.

use super::root_moves::RootMove;
use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::{Mutex, MutexGuard};

/// The baton that threads hand to each other.
pub struct Relay {
    /// Depth of the iteration; read often, so outside the lock, but written only under it.
    depth: AtomicI32,
    result: Mutex<Vec<RootMove>>,
}

impl Relay {
    /// No iteration is finished.
    pub fn new() -> Relay {
        Relay { depth: AtomicI32::new(0), result: Mutex::new(Vec::new()) }
    }

    /// Depth of the furthest iteration that is finished.
    #[inline]
    pub fn depth(&self) -> i32 {
        self.depth.load(Ordering::Relaxed)
    }

    /// A thread has finished an iteration.
    pub(super) fn hand_on(&self, depth: i32, root_moves: &[RootMove]) {
        let mut result = self.lock();
        if depth > self.depth() {
            result.clear();
            result.extend_from_slice(root_moves);
            self.depth.store(depth, Ordering::Relaxed);
        }
    }

    /// Takes the furthest iteration over: answers its depth. What was counted for the moves is kept.
    pub(super) fn take_over(&self, root_moves: &mut [RootMove]) -> i32 {
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
    use crate::search::report::Bound;
    use crate::types::Move;

    fn root_move(number: u16, score: i32, nodes: u64) -> RootMove {
        let mv = Move::from_bits(number);
        RootMove { mv, score, bound: Bound::Exact, previous: 0, seldepth: 1, nodes, pv: vec![mv] }
    }

    #[test]
    fn the_furthest_iteration_is_taken_over_and_own_counts_stay() {
        let relay = Relay::new();
        relay.hand_on(2, &[root_move(8, 30, 100), root_move(7, 10, 200)]);
        relay.hand_on(1, &[root_move(7, 99, 1), root_move(8, 0, 1)]);
        relay.hand_on(2, &[root_move(7, 98, 1), root_move(8, 0, 1)]);
        let mut own = [root_move(7, 5, 11), root_move(8, 4, 12)];
        assert_eq!((relay.depth(), relay.take_over(&mut own)), (2, 2));
        let facts = own.map(|root_move| (root_move.mv.bits(), root_move.score, root_move.nodes));
        assert_eq!(facts, [(8, 30, 12), (7, 10, 11)]);
    }
}
