//! The quiescence search: captures until the fight is over, all evasions when in check, and at its first ply
//! quiet checks too.

use super::info::Bound;
use super::move_picker::{MovePicker, OrderingHints, PickerMode, is_capture};
use super::node::NodeType;
use super::params;
use super::search_thread::SearchThread;
use super::transposition_table::TtEntry;
use crate::board::piece_value;
use crate::types::score::{self, INFINITE, mated_in};
use crate::types::{Move, Score};

impl SearchThread<'_> {
    /// The score when only forcing moves are looked at. `level` counts plies below the horizon.
    pub(super) fn quiescence<N: NodeType>(&mut self, mut alpha: Score, beta: Score, level: i32, ply: usize) -> Score {
        if let Some(score) = self.check_terminal(ply) {
            return score;
        }
        let in_check = self.position.in_check();

        let key = self.position.key();
        let found = self.tt.probe(key);
        let may_decide = self.tt_may_cut_off();
        let table_score = found.map_or(score::NONE, |entry| score::from_tt(entry.score, ply));
        if let Some(entry) = found
            && !N::PV
            && may_decide
            && entry.bound.cuts_off(table_score, alpha, beta)
        {
            return table_score;
        }

        // Stand pat: nobody is forced to capture, except that a side in check must answer it.
        let original_alpha = alpha;
        let mut best_score = -INFINITE;
        let mut raw_eval = score::NONE;
        let mut futility = -INFINITE;
        if !in_check {
            raw_eval = match found {
                Some(entry) if entry.eval != score::NONE => entry.eval,
                _ => self.evaluate(),
            };
            best_score = self.corrected_eval(raw_eval);
            if let Some(entry) = found
                && may_decide
                && !score::is_decisive(table_score)
                && entry.bound.improves(table_score, best_score)
            {
                best_score = table_score;
            }
            if best_score >= beta {
                return best_score;
            }
            alpha = alpha.max(best_score);
            futility = params::qs_futility() + best_score;
        }

        let before = self.stack.continuation_keys(ply);
        let hints = OrderingHints {
            tt_move: found.map_or(Move::NONE, |entry| entry.mv),
            continuation_keys: before,
            ..OrderingHints::default()
        };
        let checks = level < params::qs_check_plies();
        let memory = self.take_buffers();
        let mut picker = MovePicker::new(memory, &self.position, PickerMode::Quiescence { checks }, hints);
        let mut best_move = Move::NONE;
        let mut number = 0;
        while let Some(mv) = picker.next(&self.position, self.histories) {
            number += 1;
            self.prefetch(mv);
            let capture = is_capture(&self.position, mv);
            if !in_check && best_score > -score::DECISIVE_BOUND && self.pruning.futility {
                // What the victim brings does not reach alpha: only a check could.
                if capture && futility + victim_value(self, mv) <= alpha && !self.position.gives_check(mv) {
                    best_score = best_score.max(futility + victim_value(self, mv));
                    continue;
                }
            }
            // A few answers to a check show whether it can be met.
            if self.pruning.move_pruning
                && in_check
                && number > params::qs_evasions()
                && !capture
                && best_score > -score::DECISIVE_BOUND
            {
                break;
            }
            self.make_move(ply, mv);
            let value = -self.quiescence::<N>(-beta, -alpha, level + 1, ply + 1);
            self.unmake_move();
            if self.stopped {
                break;
            }
            if value > best_score {
                best_score = value;
                if value > alpha {
                    best_move = mv;
                    if N::PV {
                        self.stack.update_pv(ply, mv);
                    }
                    if value >= beta {
                        break;
                    }
                    alpha = value;
                }
            }
        }
        self.return_buffers(picker.into_buffers());
        if self.stopped {
            return score::DRAW;
        }
        if in_check && number == 0 {
            return mated_in(ply);
        }
        if !score::is_rule_score(best_score) {
            let bound = if best_score >= beta {
                Bound::Lower
            } else if N::PV && best_score > original_alpha {
                Bound::Exact
            } else {
                Bound::Upper
            };
            let entry = TtEntry {
                mv: best_move,
                score: score::to_tt(best_score, ply),
                eval: raw_eval,
                depth: 0,
                bound,
                was_pv: N::PV,
            };
            self.tt.store(key, entry);
        }
        best_score
    }
}

/// The worth of what a move takes.
#[inline]
fn victim_value(worker: &SearchThread, mv: Move) -> Score {
    match worker.position.piece_at(mv.to()).kind() {
        Some(kind) if mv.from() != mv.to() => piece_value(kind),
        _ => 0,
    }
}
