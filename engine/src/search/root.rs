//! The root of the search: its moves are kept with their scores and variations, and searched in that order.
//!
//! It is a loop of its own beside that of `negamax` because little is left of the numbered steps here: no table, pruning,
//! extension or learning may come between the host and a move that it wants to see searched, the order is that of the
//! last iteration and not of a picker, and each move leaves a score, a variation and a count of its nodes.

use super::hash_table::Entry;
use super::node::{NonPv, Pv};
use super::params;
use super::picker::is_capture;
use super::reductions::base_reduction;
use super::report::{Bound, Reporter};
use super::worker::Worker;
use crate::types::score::{self, INFINITE};
use crate::types::{Move, Score};
use std::time::Duration;

impl Worker<'_> {
    /// Searches the root moves from the current line on.
    pub(super) fn search_root(
        &mut self,
        alpha: Score,
        beta: Score,
        depth: i32,
        reporter: &mut dyn Reporter,
    ) -> Score {
        self.frames[0].killers = [Move::NONE; 2];
        self.frames[1].killers = [Move::NONE; 2];
        self.frames[0].excluded = Move::NONE;
        let in_check = self.position.in_check();
        let raw = if in_check { score::NONE } else { self.evaluate() };
        self.frames[0].static_eval = if in_check { score::NONE } else { self.corrected(raw) };

        let mut best_score = -INFINITE;
        let mut best_move = Move::NONE;
        let mut raised = alpha;
        for index in self.pv_index..self.root_moves.len() {
            let mv = self.root_moves[index].mv;
            let number = (index - self.pv_index) as i32 + 1;
            if self.id == 0 && self.elapsed() > Duration::from_secs(3) {
                reporter.current_move(self.root_depth as u32, mv, index + 1);
            }
            let nodes_before = self.nodes;
            let quiet = !is_capture(&self.position, mv);
            let gives_check = self.position.gives_check(mv);
            self.enter(0, mv);
            self.frames[0].number = number;
            let mut value = -INFINITE;
            let new_depth = depth - 1;
            let reducible = number > 2 && depth > params::lmr_depth() && quiet && !gives_check && !in_check;
            let mut full = number > 1;
            if reducible {
                let reduction =
                    ((base_reduction(depth, number) + params::lmr_root()) / 100).clamp(0, new_depth - 1);
                value = -self.negamax::<NonPv>(-(raised + 1), -raised, new_depth - reduction, 1, true);
                full = value > raised && reduction > 0;
            }
            if full {
                value = -self.negamax::<NonPv>(-(raised + 1), -raised, new_depth, 1, true);
            }
            if number == 1 || value > raised {
                value = -self.negamax::<Pv>(-beta, -raised, new_depth, 1, false);
            }
            self.unmake();
            // Also of a move that is broken off: a thread that another one overtakes mostly is at its best move.
            self.root_moves[index].nodes += self.nodes - nodes_before;
            if self.stopped {
                break;
            }

            let root_move = &mut self.root_moves[index];
            if number == 1 || value > raised {
                root_move.set(value, self.seldepth as u32, self.frames.pv(1));
            } else {
                root_move.score = -INFINITE;
            }
            if value > best_score {
                best_score = value;
                if value > raised {
                    best_move = mv;
                    self.best_changes += u32::from(number > 1 && self.pv_index == 0);
                    raised = value;
                    if value >= beta {
                        break;
                    }
                }
            }
        }
        // The best of some moves is not the score of the position.
        let limits = self.shared.limits;
        let of_all = limits.only.is_empty() && limits.excluded.is_empty();
        if !self.stopped && self.pv_index == 0 && of_all && !score::is_rule(best_score) {
            let bound = Bound::of(best_score, alpha, beta);
            let entry = Entry {
                mv: best_move,
                score: score::to_table(best_score, 0),
                eval: raw,
                depth,
                bound,
                was_pv: true,
            };
            self.table.put(self.position.key(), entry);
        }
        best_score
    }
}
