//! [`DepthSync`] holds the deepest finished iteration. Threads still searching that depth abort it and adopt the result.

use super::root_move::RootMove;
use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::{Mutex, MutexGuard};

/// The deepest iteration that any thread has finished.
pub struct DepthSync {
    /// Depth of the iteration; read without the lock, written under it.
    depth: AtomicI32,
    result: Mutex<Vec<RootMove>>,
}

impl DepthSync {
    pub fn new() -> DepthSync {
        DepthSync { depth: AtomicI32::new(0), result: Mutex::new(Vec::new()) }
    }

    /// Depth of the deepest finished iteration; 0 if none.
    #[inline]
    pub fn depth(&self) -> i32 {
        self.depth.load(Ordering::Relaxed)
    }

    /// Publishes a finished iteration if it is the deepest.
    pub(super) fn publish(&self, depth: i32, root_moves: &[RootMove]) {
        let mut result = self.lock();
        if depth > self.depth() {
            result.clear();
            result.extend_from_slice(root_moves);
            self.depth.store(depth, Ordering::Relaxed);
        }
    }

    /// Copies the deepest iteration into `root_moves`, which keep their node counts, and returns its depth.
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
    use xiangqi::{Move, Square};

    fn root_move(number: u8, score: i32, nodes: u64) -> RootMove {
        RootMove { score, nodes, ..RootMove::new(Move::new(Square::A0, Square::new(number, 0))) }
    }

    #[test]
    fn depth_sync_adopts_the_deepest_iteration_and_keeps_node_counts() {
        let depth_sync = DepthSync::new();
        depth_sync.publish(2, &[root_move(8, 30, 100), root_move(7, 10, 200)]);
        depth_sync.publish(1, &[root_move(7, 99, 1), root_move(8, 0, 1)]);
        depth_sync.publish(2, &[root_move(7, 98, 1), root_move(8, 0, 1)]);
        let mut own = [root_move(7, 5, 11), root_move(8, 4, 12)];
        assert_eq!((depth_sync.depth(), depth_sync.adopt(&mut own)), (2, 2));
        let facts = own.map(|root_move| (root_move.mv.to().dense(), root_move.score, root_move.nodes));
        assert_eq!(facts, [(8, 30, 12), (7, 10, 11)]);
    }
}
