//! Cooperation of search threads over the shared transposition table (lazy SMP).
//!
//! [`Abdada`] is simplified ABDADA (Weill, Kerrigan): a table of the moves being searched. A thread defers a move that
//! another one is searching; later its result is in the transposition table. A lost or stale mark only costs duplicate
//! work, so relaxed loads and stores suffice.
//!
//! [`DepthSync`] holds the deepest finished iteration. Threads still searching that depth abort it and adopt the
//! result.
//!
//! [`choose_best_vote`] decides which thread's result is played.

use super::params;
use super::root_move::RootMove;
use crate::score::{self, Score};
use arrayvec::ArrayVec;
use std::sync::atomic::{AtomicI32, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard};
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

/// Result of a thread.
pub(super) struct Vote {
    /// Depth of the last finished iteration.
    pub depth: i32,
    /// The lines, best first; never empty.
    pub lines: Vec<RootMove>,
}

impl Vote {
    fn best(&self) -> Move {
        self.lines[0].mv
    }

    fn score(&self) -> Score {
        self.lines[0].score
    }
}

/// Thread voting: each thread votes for its move with a weight that grows with depth and score. A proven win outweighs
/// all estimates, a proven loss those of no greater depth.
pub(super) fn choose_best_vote(votes: Vec<Vote>) -> Option<Vote> {
    let lowest = votes.iter().map(Vote::score).min().unwrap_or(0);
    let weight =
        |vote: &Vote| i64::from(vote.score() - lowest + params::vote_score_offset()) * i64::from(vote.depth.max(1));
    let support = |mv: Move| votes.iter().filter(|vote| vote.best() == mv).map(weight).sum::<i64>();
    let proven = |vote: &Vote| if score::is_decisive(vote.score()) { vote.score().signum() } else { 0 };
    let mut chosen = 0;
    for (index, vote) in votes.iter().enumerate().skip(1) {
        let leader = &votes[chosen];
        let better = match (proven(leader), proven(vote)) {
            (0, 0) => (support(vote.best()), vote.depth) > (support(leader.best()), leader.depth),
            // Prefer the shorter win and the longer defence.
            (1, _) | (_, 1) => vote.score() > leader.score() && vote.depth > 0,
            (-1, -1) => vote.score() > leader.score(),
            _ => vote.depth > leader.depth,
        };
        if better {
            chosen = index;
        }
    }
    votes.into_iter().nth(chosen)
}

#[cfg(test)]
mod tests {
    use super::*;
    use xiangqi::Square;

    #[test]
    fn abdada_marks_a_move_until_it_is_finished() {
        let abdada = Abdada::new();
        let move_hash = |number: u64| MoveHash::new(number << 52, numbered_move(number as u8 + 1));
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

    /// A move that is told apart by the square that it goes to.
    fn numbered_move(number: u8) -> Move {
        Move::new(Square::new(0, 0), Square::new(number % 9, number / 9))
    }

    fn root_move(number: u8, score: i32, nodes: u64) -> RootMove {
        let mv = numbered_move(number);
        RootMove { score, nodes, ..RootMove::new(mv) }
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

    fn winner(votes: &[(u8, Score, i32)]) -> usize {
        let vote =
            |&(number, score, depth): &(u8, Score, i32)| Vote { depth, lines: vec![root_move(number, score, 0)] };
        choose_best_vote(votes.iter().map(vote).collect()).expect("a vote").best().to().dense()
    }

    #[test]
    fn choose_best_vote_prefers_proven_scores_to_shallower_estimates() {
        let (win, loss) = (score::mate_in, score::mated_in);
        assert_eq!(winner(&[(7, 20, 14), (8, win(9), 10), (9, win(5), 9)]), 9, "the shorter win");
        assert_eq!(winner(&[(7, loss(8), 14), (8, -300, 12)]), 7, "shallower: it has not seen the mate");
        assert_eq!(winner(&[(7, loss(8), 14), (8, -300, 15)]), 8, "deeper: it has found an escape");
        assert_eq!(winner(&[(7, -300, 12), (8, loss(8), 14)]), 8);
        assert_eq!(winner(&[(7, loss(8), 14), (8, loss(12), 14)]), 8, "the longer defence");
        assert_eq!(winner(&[(7, 20, 12), (8, 30, 12), (8, 25, 12)]), 8, "two against one");
    }
}
