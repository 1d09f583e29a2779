//! The root of the search: its moves are kept with their scores and variations, and searched in that order.
//!
//! It is a loop of its own beside that of `negamax` because little is left of the numbered steps here: no table, pruning,
//! extension or learning may come between the host and a move that it wants to see searched, the order is that of the
//! last iteration and not of a picker, and each move leaves a score, a variation and a count of its nodes.
//!
//! The root moves: what is known about each move of the position that is searched.

use super::info::{Bound, Reporter};
use super::move_picker::is_capture;
use super::node::{NonPv, Pv};
use super::params;
use super::reductions::base_lmr;
use super::search_thread::SearchThread;
use super::transposition_table::TtEntry;
use crate::types::score::{self, INFINITE, MAX_PLY};
use crate::types::{Move, Score};
use std::time::Duration;

impl SearchThread<'_> {
    /// Searches the root moves from the current line on.
    pub(super) fn search_root(&mut self, alpha: Score, beta: Score, depth: i32, reporter: &mut dyn Reporter) -> Score {
        self.stack[0].killers = [Move::NONE; 2];
        self.stack[1].killers = [Move::NONE; 2];
        self.stack[0].excluded = Move::NONE;
        let in_check = self.position.in_check();
        let raw = if in_check { score::NONE } else { self.evaluate() };
        self.stack[0].static_eval = if in_check { score::NONE } else { self.corrected_eval(raw) };

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
            self.make_move(0, mv);
            self.stack[0].move_number = number;
            let mut value = -INFINITE;
            let new_depth = depth - 1;
            let reducible = number > 2 && depth > params::lmr_depth() && quiet && !gives_check && !in_check;
            let mut full = number > 1;
            if reducible {
                let reduction = ((base_lmr(depth, number) + params::lmr_root()) / 100).clamp(0, new_depth - 1);
                value = -self.negamax::<NonPv>(-(raised + 1), -raised, new_depth - reduction, 1, true);
                full = value > raised && reduction > 0;
            }
            if full {
                value = -self.negamax::<NonPv>(-(raised + 1), -raised, new_depth, 1, true);
            }
            if number == 1 || value > raised {
                value = -self.negamax::<Pv>(-beta, -raised, new_depth, 1, false);
            }
            self.unmake_move();
            // Also of a move that is broken off: a thread that another one overtakes mostly is at its best move.
            self.root_moves[index].nodes += self.nodes - nodes_before;
            if self.stopped {
                break;
            }

            let root_move = &mut self.root_moves[index];
            if number == 1 || value > raised {
                root_move.set_result(value, self.seldepth as u32, self.stack.pv(1));
            } else {
                root_move.score = -INFINITE;
            }
            if value > best_score {
                best_score = value;
                if value > raised {
                    best_move = mv;
                    self.best_move_changes += u32::from(number > 1 && self.pv_index == 0);
                    raised = value;
                    if value >= beta {
                        break;
                    }
                }
            }
        }
        // The best of some moves is not the score of the position.
        let limits = self.shared.limits;
        let of_all = limits.search_moves.is_empty() && limits.excluded_moves.is_empty();
        if !self.stopped && self.pv_index == 0 && of_all && !score::is_rule_score(best_score) {
            let bound = Bound::from_window(best_score, alpha, beta);
            let entry =
                TtEntry { mv: best_move, score: score::to_tt(best_score, 0), eval: raw, depth, bound, was_pv: true };
            self.tt.store(self.position.key(), entry);
        }
        best_score
    }
}

/// A move of the root and what is known about it.
#[derive(Clone, Debug)]
pub(super) struct RootMove {
    pub mv: Move,
    /// Of this iteration; `-INFINITE` until searched.
    pub score: Score,
    /// What the score is.
    pub bound: Bound,
    /// Of the iteration before.
    pub previous_score: Score,
    /// Deepest ply reached below it.
    pub seldepth: u32,
    /// All nodes ever searched below it.
    pub nodes: u64,
    /// The best line that begins with it.
    pub pv: Vec<Move>,
}

impl RootMove {
    /// A move that has not been searched.
    pub fn new(mv: Move) -> RootMove {
        let mut pv = Vec::with_capacity(MAX_PLY + 1);
        pv.push(mv);
        let (score, previous) = (-INFINITE, -INFINITE);
        RootMove { mv, score, bound: Bound::Exact, previous_score: previous, seldepth: 0, nodes: 0, pv }
    }

    /// A new iteration begins.
    pub fn begin_iteration(&mut self) {
        self.previous_score = self.score;
        self.score = -INFINITE;
    }

    /// What was found below it.
    pub fn set_result(&mut self, score: Score, seldepth: u32, tail: &[Move]) {
        (self.score, self.bound, self.seldepth) = (score, Bound::Exact, seldepth);
        self.pv.truncate(1);
        self.pv.extend_from_slice(tail);
    }
}
