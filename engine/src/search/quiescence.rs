//! The quiescence search: captures until the fight is over, all evasions when in check, and at its first ply
//! quiet checks too.

use super::hash_table::Entry;
use super::node::Node;
use super::params;
use super::picker::{Hints, Mode, Picker, is_capture};
use super::report::Bound;
use super::worker::Worker;
use crate::board::piece_value;
use crate::types::score::{self, INFINITE, mated_in};
use crate::types::{Move, Score};

impl Worker<'_> {
    /// The score when only forcing moves are looked at. `level` counts plies below the horizon.
    pub(super) fn quiescence<N: Node>(
        &mut self,
        mut alpha: Score,
        beta: Score,
        level: i32,
        ply: usize,
    ) -> Score {
        if let Some(score) = self.arrive(ply) {
            return score;
        }
        let in_check = self.position.in_check();

        let key = self.position.key();
        let found = self.table.get(key);
        let may_decide = self.table_may_decide();
        let table_score = found.map_or(score::NONE, |entry| score::from_table(entry.score, ply));
        if let Some(entry) = found
            && !N::PV
            && may_decide
            && entry.bound.decides(table_score, alpha, beta)
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
            best_score = self.corrected(raw_eval);
            if let Some(entry) = found
                && may_decide
                && !score::is_known(table_score)
                && entry.bound.betters(table_score, best_score)
            {
                best_score = table_score;
            }
            if best_score >= beta {
                return best_score;
            }
            alpha = alpha.max(best_score);
            futility = params::qs_futility() + best_score;
        }

        let before = self.frames.piece_tos_before(ply);
        let hints =
            Hints { table_move: found.map_or(Move::NONE, |entry| entry.mv), before, ..Hints::default() };
        let checks = level < params::qs_check_plies();
        let memory = self.take_memory();
        let mut picker = Picker::new(memory, &self.position, Mode::Quiescence { checks }, hints);
        let mut best_move = Move::NONE;
        let mut number = 0;
        while let Some(mv) = picker.next(&self.position, self.histories) {
            number += 1;
            self.foresee(mv);
            let capture = is_capture(&self.position, mv);
            if !in_check && best_score > -score::KNOWN && self.allowed.futility {
                // What the victim brings does not reach alpha: only a check could.
                if capture && futility + victim_value(self, mv) <= alpha && !self.position.gives_check(mv) {
                    best_score = best_score.max(futility + victim_value(self, mv));
                    continue;
                }
            }
            // A few answers to a check show whether it can be met.
            if self.allowed.moves
                && in_check
                && number > params::qs_evasions()
                && !capture
                && best_score > -score::KNOWN
            {
                break;
            }
            self.enter(ply, mv);
            let value = -self.quiescence::<N>(-beta, -alpha, level + 1, ply + 1);
            self.unmake();
            if self.stopped {
                break;
            }
            if value > best_score {
                best_score = value;
                if value > alpha {
                    best_move = mv;
                    if N::PV {
                        self.frames.extend_pv(ply, mv);
                    }
                    if value >= beta {
                        break;
                    }
                    alpha = value;
                }
            }
        }
        self.give_memory(picker.into_memory());
        if self.stopped {
            return score::DRAW;
        }
        if in_check && number == 0 {
            return mated_in(ply);
        }
        if !score::is_rule(best_score) {
            let bound = if best_score >= beta {
                Bound::Lower
            } else if N::PV && best_score > original_alpha {
                Bound::Exact
            } else {
                Bound::Upper
            };
            let entry = Entry {
                mv: best_move,
                score: score::to_table(best_score, ply),
                eval: raw_eval,
                depth: 0,
                bound,
                was_pv: N::PV,
            };
            self.table.put(key, entry);
        }
        best_score
    }
}

/// The worth of what a move takes.
#[inline]
fn victim_value(worker: &Worker, mv: Move) -> Score {
    match worker.position.piece_at(mv.to()).kind() {
        Some(kind) if mv.from() != mv.to() => piece_value(kind),
        _ => 0,
    }
}
