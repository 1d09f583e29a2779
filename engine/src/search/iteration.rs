//! Iterative deepening: one iteration after the other, each line of the root in a window around its last score, until
//! a limit is reached.

use super::mate::{Prover, Turn};
use super::params;
use super::report::{Bound, Reporter};
use super::root_moves::RootMove;
use super::time_plan::Confidence;
use super::worker::Worker;
use crate::types::score::{self, INFINITE};
use crate::types::{Move, Score};
use std::time::Duration;

/// From this depth on threads search ahead; before it an iteration takes no time.
const AHEAD_FROM: i32 = 6;

/// Against the score of so many iterations ago a fall is measured.
const FEW_ITERATIONS: usize = 3;

impl Worker<'_> {
    /// Iterates until a limit is reached, telling the reporter.
    pub fn iterate(&mut self, reporter: &mut dyn Reporter) {
        let limits = self.shared.limits;
        let lines = self.shared.lines.clamp(1, self.root_moves.len().max(1));
        let shown = lines.min(self.shared.options.multi_pv.max(1));
        let last_depth = limits.last_depth() as i32;
        let mut confidence = Confidence::default();
        // One thread is enough to look for a mate beside the search.
        let mut prover = limits.mate.filter(|_| self.id == 0).map(|moves| Prover::new(self, moves));
        self.plan.rested();
        let mut scores = Vec::new();

        while self.root_depth < last_depth {
            self.root_depth = (self.root_depth + self.stride()).min(last_depth);
            self.root_moves.iter_mut().for_each(RootMove::grow_old);
            for index in 0..lines {
                self.pv_index = index;
                self.seldepth = 0;
                self.search_line(reporter);
                if self.stopped {
                    break;
                }
            }
            if self.stopped {
                if !self.take_over() {
                    self.settle_unfinished();
                }
                if !self.overtaken {
                    break;
                }
                (self.overtaken, self.stopped) = (false, false);
            } else if let Some(relay) = self.shared.relay {
                relay.hand_on(self.root_depth, &self.root_moves);
            }
            debug_assert_eq!(
                self.root_moves.iter().map(|root_move| root_move.nodes).sum::<u64>(),
                self.nodes
            );
            let depth = self.root_depth;
            self.completed = depth;
            self.publish_nodes();
            if self.id > 0 {
                continue;
            }
            for index in 0..shown {
                self.report(reporter, index, Bound::Exact);
            }

            self.weigh(&mut confidence, &mut scores);
            if self.is_done(depth, &confidence) || self.settle_mate(&mut prover, reporter) {
                break;
            }
        }
        // Where the main search has come to its end, the solver goes on alone.
        let alone = self.completed >= last_depth && limits.depth.is_none();
        while alone && !self.stopped && prover.is_some() && !self.settle_mate(&mut prover, reporter) {}
        if let Some(mut prover) = prover {
            prover.conclude(self, reporter);
        }
    }

    /// How many iterations this thread goes on by. Every other thread searches one ahead of the rest: what it finds
    /// is deep enough for all, and if it is the first to be done the others need not search the one between.
    fn stride(&self) -> i32 {
        let ahead = self.id % 2 == 1 && self.root_depth >= AHEAD_FROM;
        1 + i32::from(ahead)
    }

    /// Goes on from an iteration that another thread has finished, which is better than what was begun here;
    /// false if there is none.
    fn take_over(&mut self) -> bool {
        let Some(relay) = self.shared.relay.filter(|relay| relay.depth() >= self.root_depth) else {
            return false;
        };
        self.root_depth = relay.take_over(&mut self.root_moves);
        self.completed = self.root_depth;
        true
    }

    /// What the iteration that has just ended says about the decision. `scores` are those of the iterations before it.
    fn weigh(&mut self, confidence: &mut Confidence, scores: &mut Vec<Score>) {
        let best = &self.root_moves[0];
        confidence.changes = confidence.changes / 2.0 + f64::from(std::mem::take(&mut self.best_changes));
        let is_stable = best.mv == self.best_before;
        confidence.stable_iterations = if is_stable { confidence.stable_iterations + 1 } else { 0 };
        let drop_from = |earlier: Option<Score>| match earlier {
            Some(earlier) if self.completed >= 4 && !score::is_known(earlier) => earlier - best.score,
            _ => 0,
        };
        // Against what was thought best, whichever move that was.
        confidence.drop_of_late = drop_from(scores.iter().rev().nth(FEW_ITERATIONS - 1).copied());
        confidence.drop_since_last_move = drop_from(self.shared.opinion);
        confidence.effort = best.nodes as f64 / self.nodes.max(1) as f64;
        let in_trouble = drop_from(scores.last().copied()) >= params::time_trouble_drop();
        self.best_before = best.mv;
        scores.push(best.score);
        self.plan.set_trouble(in_trouble);
    }

    /// Whether the iterations may end before their last depth.
    fn is_done(&mut self, depth: i32, confidence: &Confidence) -> bool {
        let limits = self.shared.limits;
        let best = &self.root_moves[0];
        if limits.soft_nodes.is_some_and(|soft| self.shared.total_nodes() >= soft) {
            return true;
        }
        if !self.shared.control.pondering() {
            self.plan.start_clock();
        }
        if self.plan.is_clocked() {
            // Nothing to decide, or a mate that a deeper search cannot shorten.
            if self.root_moves.len() == 1 && depth >= 4 {
                return true;
            }
            if score::mate_plies(best.score).is_some_and(|plies| plies.abs() * 2 <= depth) {
                return true;
            }
        }
        self.plan.is_enough(confidence)
    }

    /// Under `go mate` the solver takes its turn: true if the search may end.
    fn settle_mate(&mut self, prover: &mut Option<Prover>, reporter: &mut dyn Reporter) -> bool {
        let Some(prover) = prover else { return false };
        let before = self.nodes;
        let turn = prover.go_on(self, reporter);
        // The nodes of the solver belong to no move more than to another.
        self.root_moves[0].nodes += self.nodes - before;
        turn == Turn::Settled || self.stopped
    }

    /// The solver has proven a mate: it becomes the best line.
    pub(super) fn show_mate(&mut self, line: &[Move], plies: usize, reporter: &mut dyn Reporter) {
        let place = self.root_moves.iter().position(|root_move| root_move.mv == line[0]).unwrap_or(0);
        self.root_moves[..=place].rotate_right(1);
        let best = &mut self.root_moves[0];
        (best.score, best.bound, best.seldepth) = (score::mate_in(plies), Bound::Exact, plies as u32);
        best.pv = line.to_vec();
        self.report(reporter, 0, Bound::Exact);
    }

    /// Searches one line of the root with a window around its last score.
    fn search_line(&mut self, reporter: &mut dyn Reporter) {
        let depth = self.root_depth;
        let expected = self.root_moves[self.pv_index].previous;
        let mut delta = params::aspiration_delta();
        let (mut alpha, mut beta) = (-INFINITE, INFINITE);
        if depth >= 5 && !score::is_known(expected) && expected != -INFINITE {
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
                if self.pv_index == 0 && !score::is_known(expected) && fall >= params::time_trouble_drop() {
                    self.plan.set_trouble(true);
                }
                self.mark_and_report(reporter, Bound::Upper);
                beta = (alpha + beta) / 2;
                alpha = (score - delta).max(-INFINITE);
                reduction = 0;
            } else if score >= beta {
                self.mark_and_report(reporter, Bound::Lower);
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

    fn mark_and_report(&mut self, reporter: &mut dyn Reporter, bound: Bound) {
        self.root_moves[self.pv_index].bound = bound;
        if self.id == 0 && self.shared.lines == 1 && self.plan.elapsed() > Duration::from_secs(3) {
            self.report(reporter, self.pv_index, bound);
        }
    }

    /// An iteration was cut off. A line that was searched in it counts, what was not keeps its place.
    fn settle_unfinished(&mut self) {
        for root_move in &mut self.root_moves {
            if root_move.score == -INFINITE {
                root_move.score = root_move.previous;
            }
        }
        if self.root_moves[0].score == -INFINITE {
            // Cut off before anything was searched.
            let raw = self.evaluate();
            self.root_moves[0].score = self.corrected(raw);
        }
    }
}
