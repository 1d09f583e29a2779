//! Iterative deepening: one iteration after the other, each line of the root in a window around its last score, until
//! a limit is reached.

use super::info::{Bound, Reporter};
use super::mate::{MateSolver, SolverStatus};
use super::params;
use super::root::RootMove;
use super::search_thread::SearchThread;
use super::time_budget::TimeFactors;
use crate::types::score::{self, INFINITE};
use crate::types::{Move, Score};
use std::time::Duration;

/// From this depth on threads search ahead; before it an iteration takes no time.
const DEPTH_SKIP_FROM: i32 = 6;

/// Against the score of so many iterations ago a fall is measured.
const SCORE_DROP_ITERATIONS: usize = 3;

impl SearchThread<'_> {
    /// Iterates until a limit is reached, telling the reporter.
    pub fn iterative_deepening(&mut self, reporter: &mut dyn Reporter) {
        let limits = self.shared.limits;
        let lines = self.shared.multi_pv.clamp(1, self.root_moves.len().max(1));
        let shown = lines.min(self.shared.options.multi_pv.max(1));
        let last_depth = limits.max_depth() as i32;
        let mut confidence = TimeFactors::default();
        // One thread is enough to look for a mate beside the search.
        let mut prover = limits.mate.filter(|_| self.id == 0).map(|moves| MateSolver::new(self, moves));
        self.time.throttled();
        let mut scores = Vec::new();

        while self.root_depth < last_depth {
            self.root_depth = (self.root_depth + self.depth_skip()).min(last_depth);
            self.root_moves.iter_mut().for_each(RootMove::begin_iteration);
            for index in 0..lines {
                self.pv_index = index;
                self.seldepth = 0;
                self.aspiration_search(reporter);
                if self.stopped {
                    break;
                }
            }
            if self.stopped {
                if !self.adopt_depth() {
                    self.finish_aborted_iteration();
                }
                if !self.preempted {
                    break;
                }
                (self.preempted, self.stopped) = (false, false);
            } else if let Some(relay) = self.shared.depth_sync {
                relay.publish(self.root_depth, &self.root_moves);
            }
            debug_assert_eq!(self.root_moves.iter().map(|root_move| root_move.nodes).sum::<u64>(), self.nodes);
            let depth = self.root_depth;
            self.completed_depth = depth;
            self.publish_nodes();
            if self.id > 0 {
                continue;
            }
            for index in 0..shown {
                self.report_line(reporter, index, Bound::Exact);
            }

            self.update_time_factors(&mut confidence, &mut scores);
            if self.should_stop(depth, &confidence) || self.run_mate_solver(&mut prover, false, reporter) {
                break;
            }
        }
        // Where the main search has come to its last depth, the solver goes on alone.
        if self.completed_depth >= last_depth && limits.depth.is_none() {
            self.run_mate_solver(&mut prover, true, reporter);
        }
        if let Some(mut prover) = prover {
            prover.finish(self, reporter);
        }
    }

    /// How many iterations this thread goes on by. Every other thread searches one ahead of the rest: what it finds
    /// is deep enough for all, and if it is the first to be done the others need not search the one between.
    fn depth_skip(&self) -> i32 {
        let ahead = self.id % 2 == 1 && self.root_depth >= DEPTH_SKIP_FROM;
        1 + i32::from(ahead)
    }

    /// Goes on from an iteration that another thread has finished, which is better than what was begun here;
    /// false if there is none.
    fn adopt_depth(&mut self) -> bool {
        let Some(relay) = self.shared.depth_sync.filter(|relay| relay.depth() >= self.root_depth) else {
            return false;
        };
        self.root_depth = relay.adopt(&mut self.root_moves);
        self.completed_depth = self.root_depth;
        true
    }

    /// What the iteration that has just ended says about the decision. `scores` are those of the iterations before it.
    fn update_time_factors(&mut self, confidence: &mut TimeFactors, scores: &mut Vec<Score>) {
        let best = &self.root_moves[0];
        confidence.best_move_changes =
            confidence.best_move_changes / 2.0 + f64::from(std::mem::take(&mut self.best_move_changes));
        let is_stable = best.mv == self.previous_best_move;
        confidence.stable_iterations = if is_stable { confidence.stable_iterations + 1 } else { 0 };
        let drop_from = |earlier: Option<Score>| match earlier {
            Some(earlier) if self.completed_depth >= 4 && !score::is_decisive(earlier) => earlier - best.score,
            _ => 0,
        };
        // Against what was thought best, whichever move that was.
        confidence.recent_drop = drop_from(scores.iter().rev().nth(SCORE_DROP_ITERATIONS - 1).copied());
        confidence.drop_since_previous_move = drop_from(self.shared.previous_score);
        confidence.best_move_node_share = best.nodes as f64 / self.nodes.max(1) as f64;
        let in_trouble = drop_from(scores.last().copied()) >= params::time_panic_drop();
        self.previous_best_move = best.mv;
        scores.push(best.score);
        self.time.set_panic(in_trouble);
    }

    /// Whether the iterations may end before their last depth.
    fn should_stop(&mut self, depth: i32, confidence: &TimeFactors) -> bool {
        let limits = self.shared.limits;
        let best = &self.root_moves[0];
        if limits.soft_nodes.is_some_and(|soft| self.shared.total_nodes() >= soft) {
            return true;
        }
        if !self.shared.control.pondering() {
            self.time.start_clock();
        }
        if self.time.has_running_clock() {
            // Nothing to decide, or a mate that a deeper search cannot shorten.
            if self.root_moves.len() == 1 && depth >= 4 {
                return true;
            }
            if score::mate_plies(best.score).is_some_and(|plies| plies.abs() * 2 <= depth) {
                return true;
            }
        }
        self.time.is_soft_limit_reached(confidence)
    }

    /// Under `go mate` the solver takes its turn: true if the search may end. Alone it goes on until a limit is reached.
    fn run_mate_solver(
        &mut self,
        prover: &mut Option<MateSolver>,
        is_alone: bool,
        reporter: &mut dyn Reporter,
    ) -> bool {
        let Some(prover) = prover else { return false };
        let before = self.nodes;
        let turn = prover.run(self, is_alone, reporter);
        // The nodes of the solver belong to no move more than to another.
        self.root_moves[0].nodes += self.nodes - before;
        turn == SolverStatus::Done || self.stopped
    }

    /// The solver has proven a mate: it becomes the best line.
    pub(super) fn set_proven_mate(&mut self, line: &[Move], plies: usize, reporter: &mut dyn Reporter) {
        let place = self.root_moves.iter().position(|root_move| root_move.mv == line[0]).unwrap_or(0);
        self.root_moves[..=place].rotate_right(1);
        let best = &mut self.root_moves[0];
        (best.score, best.bound, best.seldepth) = (score::mate_in(plies), Bound::Exact, plies as u32);
        best.pv = line.to_vec();
        self.report_line(reporter, 0, Bound::Exact);
    }

    /// Searches one line of the root with a window around its last score.
    fn aspiration_search(&mut self, reporter: &mut dyn Reporter) {
        let depth = self.root_depth;
        let expected = self.root_moves[self.pv_index].previous_score;
        let mut delta = params::aspiration_delta();
        let (mut alpha, mut beta) = (-INFINITE, INFINITE);
        if depth >= 5 && !score::is_decisive(expected) && expected != -INFINITE {
            alpha = expected - delta;
            beta = expected + delta;
        }
        let mut reduction = 0;
        loop {
            let search_depth = (depth - reduction).max(1);
            let score = self.search_root(alpha, beta, search_depth, reporter);
            // Stable: moves that were not improved keep their order.
            self.root_moves[self.pv_index..].sort_by_key(|root_move| -root_move.score);
            if self.stopped {
                return;
            }
            if score <= alpha {
                let fall = expected - score;
                if self.pv_index == 0 && !score::is_decisive(expected) && fall >= params::time_panic_drop() {
                    self.time.set_panic(true);
                }
                self.report_bound(reporter, Bound::Upper);
                beta = (alpha + beta) / 2;
                alpha = (score - delta).max(-INFINITE);
                reduction = 0;
            } else if score >= beta {
                self.report_bound(reporter, Bound::Lower);
                beta = (score + delta).min(INFINITE);
                reduction = (reduction + 1).min(3);
            } else {
                break;
            }
            delta += delta * params::aspiration_growth() / 100 + 2;
            if delta > 600 {
                alpha = -INFINITE;
                beta = INFINITE;
            }
        }
        self.root_moves[..=self.pv_index].sort_by_key(|root_move| -root_move.score);
    }

    fn report_bound(&mut self, reporter: &mut dyn Reporter, bound: Bound) {
        self.root_moves[self.pv_index].bound = bound;
        if self.id == 0 && self.shared.multi_pv == 1 && self.time.elapsed() > Duration::from_secs(3) {
            self.report_line(reporter, self.pv_index, bound);
        }
    }

    /// An iteration was cut off. A line that was searched in it counts, what was not keeps its place.
    fn finish_aborted_iteration(&mut self) {
        for root_move in &mut self.root_moves {
            if root_move.score == -INFINITE {
                root_move.score = root_move.previous_score;
            }
        }
        if self.root_moves[0].score == -INFINITE {
            // Cut off before anything was searched.
            let raw = self.evaluate();
            self.root_moves[0].score = self.corrected_eval(raw);
        }
    }
}
