//! Search of the root position.
//!
//! The root has a loop of its own: it has no cutoff by transposition table, pruning, extension or history update, so
//! every `searchmoves` entry is searched; the order of the last iteration replaces the move picker; and each move keeps
//! a score, a variation and a node count.

use super::move_picker::is_capture;
use super::node::{NonPv, Pv};
use super::params;
use super::pruning::base_lmr;
use super::report::{LONG_SEARCH, Reporter};
use super::search_thread::SearchThread;
use super::transposition_table::TtEntry;
use crate::score::{self, Bound, INFINITE, Score};
use xiangqi::Move;

impl SearchThread<'_> {
    /// Searches the root moves from `pv_index` on.
    pub(super) fn search_root(
        &mut self,
        mut alpha: Score,
        beta: Score,
        depth: i32,
        reporter: &mut dyn Reporter,
    ) -> Score {
        self.stack[0].killers = [None; 2];
        self.stack[1].killers = [None; 2];
        self.stack[0].excluded = None;
        let in_check = self.position.in_check();
        let raw_eval = if in_check { score::NONE } else { self.evaluate() };
        self.stack[0].static_eval = if in_check { score::NONE } else { self.corrected_eval(raw_eval) };

        let mut best_score = -INFINITE;
        let mut best_move = None;
        let original_alpha = alpha;
        for index in self.pv_index..self.root_moves.len() {
            let mv = self.root_moves[index].mv;
            let number = (index - self.pv_index) as i32 + 1;
            if self.id == 0 && self.elapsed() > LONG_SEARCH {
                reporter.current_move(self.root_depth as u32, mv, index + 1);
            }
            let nodes_before = self.nodes;
            let value = self.search_root_move(mv, number, (alpha, beta), depth, in_check);
            // Count the nodes of an aborted move too: preempted threads are mostly at their best move.
            self.root_moves[index].nodes += self.nodes - nodes_before;
            if self.stopped {
                break;
            }

            let root_move = &mut self.root_moves[index];
            if number == 1 || value > alpha {
                let bound = Bound::from_window(value, original_alpha, beta);
                root_move.set_result((value, bound), self.root_depth, self.seldepth as u32, self.stack.pv(1));
            } else {
                root_move.score = -INFINITE;
            }
            if value > best_score {
                best_score = value;
                if value > alpha {
                    best_move = Some(mv);
                    self.best_move_changes += u32::from(number > 1 && self.pv_index == 0);
                    alpha = value;
                    if value >= beta {
                        break;
                    }
                }
            }
        }
        // Store only if all moves were searched.
        let limits = self.shared.limits;
        let all_moves = limits.search_moves.is_empty() && limits.excluded_moves.is_empty();
        if !self.stopped && self.pv_index == 0 && all_moves && !score::is_rule_score(best_score) {
            let bound = Bound::from_window(best_score, original_alpha, beta);
            let entry = TtEntry {
                mv: best_move,
                score: score::to_tt(best_score, 0),
                eval: raw_eval,
                depth,
                bound,
                was_pv: true,
            };
            self.tt.store(self.position.key(), entry);
        }
        best_score
    }

    /// Searches a root move as far as needed: less deep, with a null window, with the full window.
    fn search_root_move(
        &mut self,
        mv: Move,
        number: i32,
        (alpha, beta): (Score, Score),
        depth: i32,
        in_check: bool,
    ) -> Score {
        let is_quiet = !is_capture(&self.position, mv);
        let gives_check = self.position.gives_check(mv);
        self.make_move(0, mv);
        self.stack[0].move_number = number;
        let mut value = -INFINITE;
        let new_depth = depth - 1;
        let may_reduce = number > 1 + params::lmr_full_moves()
            && depth > params::lmr_depth()
            && is_quiet
            && !gives_check
            && !in_check;
        let mut needs_full_depth = number > 1;
        if may_reduce {
            let reduction = ((base_lmr(depth, number) + params::lmr_root()) / 100).clamp(0, new_depth - 1);
            value = -self.negamax::<NonPv>(-(alpha + 1), -alpha, new_depth - reduction, 1, true);
            needs_full_depth = value > alpha && reduction > 0;
        }
        if needs_full_depth {
            value = -self.negamax::<NonPv>(-(alpha + 1), -alpha, new_depth, 1, true);
        }
        if number == 1 || value > alpha {
            value = -self.negamax::<Pv>(-beta, -alpha, new_depth, 1, false);
        }
        self.unmake_move();
        value
    }
}
