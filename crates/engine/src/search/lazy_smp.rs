//! Lazy SMP: helper threads search the same position over the shared transposition table, then all threads vote for the
//! move to play. What else they share: `abdada`, `depth_sync`.
//!
//! [`DepthSync`] holds the deepest finished iteration. Threads still searching that depth abort it and adopt the result.

use super::history::Histories;
use super::params;
use super::report::NoReporter;
use super::root::RootMove;
use super::search_clock::SearchClock;
use super::search_thread::{SearchThread, SharedState};
use super::thread_stacks::spawn_searching;
use crate::score::{self, Score};
use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::{Mutex, MutexGuard};
use std::thread::{Scope, ScopedJoinHandle};
use xiangqi::{Move, Position};

/// Result of a thread.
pub(super) struct Vote {
    /// Depth of the last finished iteration.
    pub depth: i32,
    /// The lines, best first; never empty.
    pub lines: Vec<RootMove>,
}

impl Vote {
    /// The lines of a thread.
    pub fn of(thread: &SearchThread) -> Vote {
        Vote { depth: thread.completed_depth, lines: thread.final_lines() }
    }

    fn best(&self) -> Move {
        self.lines[0].mv
    }

    fn score(&self) -> Score {
        self.lines[0].score
    }
}

/// Starts the helper threads, which search the same position until the main thread has done; each ends with its vote and
/// its nodes. If the system starts no more threads, those that run search alone.
pub(super) fn start_helpers<'scope>(
    scope: &'scope Scope<'scope, '_>,
    shared: &'scope SharedState<'scope>,
    position: &'scope Position,
    root_moves: &'scope [Move],
    histories: &'scope mut [Option<Histories>],
    clock: &SearchClock,
) -> Vec<ScopedJoinHandle<'scope, (Vote, u64)>> {
    let mut helpers = Vec::with_capacity(histories.len());
    for (number, histories) in (1..).zip(histories) {
        let clock = clock.clone();
        let search = move || {
            let mut helper = SearchThread::new(number, shared, position, root_moves, histories, clock);
            helper.iterative_deepening(&mut NoReporter);
            (Vote::of(&helper), helper.nodes)
        };
        match spawn_searching(scope, format!("search-{number}"), search) {
            Ok(helper) => helpers.push(helper),
            Err(error) => {
                log::warn!("only {number} threads could be started: {error}");
                break;
            }
        }
    }
    helpers
}

/// Waits for the helper threads: their votes, and the nodes of all of them.
pub(super) fn collect_votes(helpers: Vec<ScopedJoinHandle<(Vote, u64)>>) -> (Vec<Vote>, u64) {
    let (votes, nodes): (Vec<Vote>, Vec<u64>) = helpers.into_iter().filter_map(|helper| helper.join().ok()).unzip();
    (votes, nodes.iter().sum())
}

/// Thread voting: each thread votes for its move with a weight that grows with depth and score. A proven win outweighs
/// all estimates, a proven loss those of no greater depth.
pub(super) fn choose_best_vote(main: Vote, helpers: Vec<Vote>) -> Vote {
    let mut votes = vec![main];
    votes.extend(helpers);
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
    votes.swap_remove(chosen)
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

#[cfg(test)]
mod tests {
    use super::*;
    use xiangqi::Square;

    /// A move that is told apart by the square that it goes to.
    fn numbered_move(number: u8) -> Move {
        Move::new(Square::new(0, 0), Square::new(number % 9, number / 9))
    }

    fn root_move(number: u8, score: i32, nodes: u64) -> RootMove {
        let mv = numbered_move(number);
        RootMove { score, nodes, ..RootMove::new(mv) }
    }

    fn winner(votes: &[(u8, Score, i32)]) -> usize {
        let vote =
            |&(number, score, depth): &(u8, Score, i32)| Vote { depth, lines: vec![root_move(number, score, 0)] };
        let mut votes = votes.iter().map(vote);
        choose_best_vote(votes.next().expect("a vote"), votes.collect()).best().to().dense()
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

#[cfg(test)]
mod depth_sync_tests {
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
