//! Lazy SMP: helper threads search the same position over the shared transposition table, then all threads vote for the
//! move to play.

use super::history::Histories;
use super::params;
use super::report::NoReporter;
use super::search_clock::SearchClock;
use super::search_thread::{RootMove, SearchThread, SharedState};
use super::thread_stacks::spawn_searching;
use crate::score::{self, Score};
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
