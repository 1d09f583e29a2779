//! Quiescence search: captures, all evasions when in check, and quiet checks at its first plies.

use super::move_picker::{MovePicker, OrderingHints, PickerMode, captured_piece, is_capture};
use super::node::NodeType;
use super::params;
use super::search_thread::SearchThread;
use super::transposition_table::TtEntry;
use crate::score::{self, Bound, INFINITE, Score, mated_in};
use xiangqi::{Move, engine::piece_value};

impl SearchThread<'_> {
    /// Searches forcing moves only. `level` counts the plies below the horizon.
    pub(super) fn quiescence<N: NodeType>(&mut self, mut alpha: Score, beta: Score, level: i32, ply: usize) -> Score {
        // 1. Terminal checks: stop, repetition, natural limit, tablebase, maximum ply.
        if let Some(score) = self.check_terminal(ply) {
            return score;
        }
        let in_check = self.position.in_check();

        // 2. Transposition table lookup and cutoff.
        let key = self.position.key();
        let tt_entry = self.tt.probe(key);
        let tt_may_cut_off = self.tt_may_cut_off();
        let tt_score = tt_entry.map_or(score::NONE, |entry| score::from_tt(entry.score, ply));
        // A result without quiet checks must not stand for one with them.
        let checks = level < params::qs_check_plies();
        let stored_depth = if in_check || checks { 0 } else { -1 };
        if let Some(entry) = tt_entry
            && !N::PV
            && tt_may_cut_off
            && entry.depth >= stored_depth
            && entry.bound.cuts_off(tt_score, alpha, beta)
        {
            return tt_score;
        }

        // 3. Stand pat: the static evaluation is a lower bound, except in check.
        let original_alpha = alpha;
        let mut best_score = -INFINITE;
        let mut raw_eval = score::NONE;
        let mut futility = -INFINITE;
        if !in_check {
            raw_eval = match tt_entry {
                Some(entry) if entry.eval != score::NONE => entry.eval,
                _ => self.evaluate(),
            };
            best_score = self.corrected_eval(raw_eval);
            if let Some(entry) = tt_entry
                && tt_may_cut_off
                && !score::is_decisive(tt_score)
                && entry.bound.improves(tt_score, best_score)
            {
                best_score = tt_score;
            }
            if best_score >= beta {
                return best_score;
            }
            alpha = alpha.max(best_score);
            futility = params::qs_futility() + best_score;
        }

        // 4. Loop over the moves.
        let continuation_keys = self.stack.continuation_keys(ply);
        let hints = OrderingHints {
            tt_move: tt_entry.and_then(|entry| entry.mv),
            continuation_keys,
            ..OrderingHints::default()
        };
        let mut picker = MovePicker::new(&self.position, PickerMode::Quiescence { checks }, hints);
        let mut best_move = None;
        let mut move_number = 0;
        while let Some(mv) = picker.next(&self.position, self.histories) {
            move_number += 1;
            self.prefetch(mv);
            let captures = is_capture(&self.position, mv);
            if !in_check && best_score > -score::DECISIVE_BOUND && self.pruning.futility {
                // 5. Futility pruning: the victim does not bring the score up to alpha.
                if captures && futility + victim_value(self, mv) <= alpha && !self.position.gives_check(mv) {
                    best_score = best_score.max(futility + victim_value(self, mv));
                    continue;
                }
            }
            // 6. Search only the first evasions, once best_score is not a mated score.
            if self.pruning.move_pruning
                && in_check
                && move_number > params::qs_evasions()
                && !captures
                && best_score > -score::DECISIVE_BOUND
            {
                break;
            }
            // 7. Search the move.
            self.make_move(ply, mv);
            let value = -self.quiescence::<N>(-beta, -alpha, level + 1, ply + 1);
            self.unmake_move();
            if self.stopped {
                break;
            }
            if value > best_score {
                best_score = value;
                if value > alpha {
                    best_move = Some(mv);
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
        if self.stopped {
            return score::DRAW;
        }
        // 8. No evasion: checkmate.
        if in_check && move_number == 0 {
            return mated_in(ply);
        }
        // 9. Store in the transposition table, except scores by rule, which depend on the path.
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
                depth: stored_depth,
                bound,
                was_pv: N::PV,
            };
            self.tt.store(key, entry);
        }
        best_score
    }
}

/// Piece value of the captured piece; 0 if there is none.
#[inline]
fn victim_value(thread: &SearchThread, mv: Move) -> Score {
    captured_piece(&thread.position, mv).map_or(0, |victim| piece_value(victim.kind()))
}
