//! The main search: a principal variation search that reads as numbered steps.

use super::history::PieceTo;
use super::history_update::TriedMoves;
use super::info::Bound;
use super::lazy_smp::{DeferredMove, DeferredMoves, MoveHash};
use super::move_picker::{MovePicker, OrderingHints, PickerMode, is_capture};
use super::node::{MoveContext, NodeContext, NodeType, NonPv, Pv};
use super::params;
use super::pruning::{PruneDecision, prune_decision, reverse_futility_margin};
use super::reductions::{SingularResult, late_move_reduction};
use super::search_thread::SearchThread;
use super::transposition_table::TtEntry;
use crate::types::score::{self, INFINITE, mate_in, mated_in};
use crate::types::{Move, Score};

impl SearchThread<'_> {
    /// The score of the position within the window, searched this deep. Fail-soft.
    pub(super) fn negamax<N: NodeType>(
        &mut self,
        mut alpha: Score,
        mut beta: Score,
        mut depth: i32,
        ply: usize,
        cut_node: bool,
    ) -> Score {
        debug_assert!(alpha < beta && (N::PV || alpha + 1 == beta));
        // 1. At the horizon the fight is settled by the quiescence search.
        if depth <= 0 {
            return self.quiescence::<N>(alpha, beta, 0, ply);
        }
        // 2. Is there anything to search?
        if let Some(score) = self.check_terminal(ply) {
            return score;
        }
        let in_check = self.position.in_check();

        // 3. Mate distance pruning: no line from here can beat a mate already found.
        alpha = alpha.max(mated_in(ply));
        beta = beta.min(mate_in(ply + 1));
        if alpha >= beta {
            return alpha;
        }

        // 4. The hash table.
        let excluded = self.stack[ply].excluded;
        let key = self.position.key();
        let found = if excluded.is_none() { self.tt.probe(key) } else { None };
        let table_score = found.map_or(score::NONE, |entry| score::from_tt(entry.score, ply));
        let table_move = found.map_or(Move::NONE, |entry| entry.mv);
        let was_pv = N::PV || found.is_some_and(|entry| entry.was_pv);
        if let Some(entry) = found
            && !N::PV
            && entry.depth >= depth
            && self.tt_may_cut_off()
            && entry.bound.cuts_off(table_score, alpha, beta)
        {
            if table_score >= beta && table_move.is_some() {
                self.reward_tt_move(table_move, depth, ply);
            }
            return table_score;
        }

        // 5. The static evaluation, corrected by what was learned and by the table.
        let mut raw_eval = score::NONE;
        let eval;
        if in_check {
            self.stack[ply].static_eval = score::NONE;
            eval = score::NONE;
        } else if excluded.is_some() {
            eval = self.stack[ply].static_eval;
        } else {
            raw_eval = match found {
                Some(entry) if entry.eval != score::NONE => entry.eval,
                _ => self.evaluate(),
            };
            let corrected = self.corrected_eval(raw_eval);
            self.stack[ply].static_eval = corrected;
            let says_more =
                |entry: &TtEntry| entry.bound.improves(table_score, corrected) && !score::is_decisive(table_score);
            eval = if found.as_ref().is_some_and(says_more) { table_score } else { corrected };
        }
        let improving = !in_check && self.stack.is_improving(ply);
        if excluded.is_none() {
            self.update_eval_history(ply);
        }
        self.stack[ply + 1].excluded = Move::NONE;
        self.stack[ply + 2].killers = [Move::NONE; 2];
        self.stack[ply + 1].cutoff_count = 0;

        if !N::PV && !in_check && excluded.is_none() && !score::is_decisive(beta) {
            // 6. Razoring: hopeless nodes near the horizon are left to the quiescence search.
            if self.pruning.futility
                && depth <= params::razor_depth()
                && alpha < self.mate_window
                && eval + params::razor_base() + params::razor_margin() * depth < alpha
            {
                let value = self.quiescence::<NonPv>(alpha, alpha + 1, 0, ply);
                if value <= alpha {
                    return value;
                }
            }

            // 7. Reverse futility: so far above beta that no reply of a few plies will change it.
            if self.pruning.futility
                && depth <= params::rfp_depth()
                && !was_pv
                && eval - reverse_futility_margin(depth, improving) >= beta
                && beta > -self.mate_window
                && !score::is_decisive(eval)
            {
                return beta + (eval - beta) / params::rfp_return_divisor();
            }

            // 8. Null move: if even passing keeps the score above beta, some move will.
            if let Some(value) = self.try_null_move(beta, depth, ply, eval, cut_node) {
                return value;
            }
            if self.stopped {
                return score::DRAW;
            }

            // 9. Probcut: a winning capture that holds at reduced depth against a raised beta will hold.
            let raised_beta = beta + params::probcut_beta_margin() - params::probcut_improving() * i32::from(improving);
            let table_denies = found
                .is_some_and(|entry| entry.depth > depth - params::probcut_reduction() && table_score < raised_beta);
            if self.pruning.move_pruning
                && depth >= params::probcut_depth()
                && !table_denies
                && let Some(value) = self.try_probcut(raised_beta, depth, ply, raw_eval, table_move)
            {
                return value;
            }
            if self.stopped {
                return score::DRAW;
            }
        }

        // 10. Internal iterative reduction: without a move to begin with, look less deep first.
        if table_move.is_none() && excluded.is_none() && depth >= params::iir_depth() && (N::PV || cut_node) {
            depth -= 1;
        }

        // 11. The moves.
        let before = self.stack.continuation_keys(ply);
        let hints = OrderingHints {
            tt_move: table_move,
            killers: self.stack[ply].killers,
            counter_move: self.histories.counter_move(before[0]),
            continuation_keys: before,
        };
        let memory = self.take_buffers();
        let mut picker = MovePicker::new(memory, &self.position, PickerMode::Full, hints);
        let table_move = picker.tt_move();
        let side = self.position.side();
        let mut best_score = -INFINITE;
        let mut best_move = Move::NONE;
        let mut number = 0;
        let mut quiets = TriedMoves::new();
        let mut captures = TriedMoves::new();
        let original_alpha = alpha;

        let mut node = NodeContext {
            depth,
            alpha,
            static_eval: self.stack[ply].static_eval,
            allows_eval_pruning: alpha < self.mate_window,
            in_check,
            improving,
            was_pv,
            cut_node,
            has_tt_move: table_move.is_some(),
            tt_move_is_capture: table_move.is_some() && is_capture(&self.position, table_move),
            tt_score_above_alpha: table_score != score::NONE && table_score > alpha,
            child_cutoffs: 0,
        };

        let mut deferred = DeferredMoves::default();
        loop {
            let (turn, is_late) = match picker.next(&self.position, self.histories) {
                Some(mv) if mv == excluded => continue,
                Some(mv) => {
                    (DeferredMove { mv, number: number + 1, is_bad_capture: picker.is_in_bad_captures() }, false)
                }
                None => match deferred.next_deferred() {
                    Some(turn) => (turn, true),
                    None => break,
                },
            };
            let mv = turn.mv;
            number = turn.number;
            self.prefetch(mv);
            let mover = self.position.piece_at(mv.from());
            let victim = self.position.piece_at(mv.to());
            let capture = is_capture(&self.position, mv);
            let piece_to = PieceTo::new(mover, mv.to());
            let gives_check = picker.gives_check(&self.position, mv);
            let history = if capture {
                self.histories.capture_score(piece_to, victim)
            } else {
                self.histories.quiet_score(side, mv, piece_to, &before)
            };
            node.child_cutoffs = self.stack[ply + 1].cutoff_count;
            let facts = MoveContext { mv, move_number: number, is_capture: capture, gives_check, history };
            let reduction = late_move_reduction(&node, &facts);

            // 12. Pruning of single moves, once a way not to be mated is known.
            if best_score > -score::DECISIVE_BOUND && self.pruning.move_pruning && !in_check {
                let fate = prune_decision(&node, &facts, reduction, &self.position);
                if matches!(fate, PruneDecision::SearchSkipRest | PruneDecision::SkipRest) {
                    picker.skip_quiets();
                }
                if matches!(fate, PruneDecision::Skip | PruneDecision::SkipRest) {
                    continue;
                }
            }

            // 13. A move that another thread is searching can wait: when its turn comes the result is known.
            let mark = MoveHash::new(key, mv);
            let abdada = if depth >= params::abdada_depth() && number > 1 { self.shared.abdada } else { None };
            if let Some(abdada) = abdada
                && !is_late
                && abdada.is_being_searched(mark)
                && deferred.defer(turn)
            {
                continue;
            }

            // 14. Extensions.
            let mut extension = 0;
            let room = ply < params::max_extension_ratio() as usize * self.root_depth as usize;
            if room
                && mv == table_move
                && excluded.is_none()
                && depth >= params::singular_depth() + params::singular_pv() * i32::from(was_pv)
                && let Some(entry) = found
                && entry.depth >= depth - params::singular_tt_depth()
                && entry.bound != Bound::Upper
                && !score::is_decisive(table_score)
            {
                match self.singular_extension::<N>(mv, table_score, beta, depth, ply, cut_node) {
                    SingularResult::Extend(plies) => extension = plies,
                    SingularResult::MultiCut(score) => {
                        self.return_buffers(picker.into_buffers());
                        return score;
                    }
                    SingularResult::Stopped => break,
                }
            } else if room && self.is_forcing_move::<N>(mv, depth, in_check, gives_check) {
                extension = 1;
            }
            let new_depth = depth - 1 + extension;

            if let Some(abdada) = abdada {
                abdada.starting_search(mark);
            }
            self.make_move(ply, mv);
            self.stack[ply].move_number = number;
            let mut value = -INFINITE;

            // 15. Late move reductions (LMR): what comes late in a good order is rarely best.
            let mut full = !N::PV || number > 1;
            if depth >= params::lmr_depth()
                && number > 1 + i32::from(N::PV)
                && (!capture || turn.is_bad_capture || cut_node)
            {
                let reduced = (new_depth - reduction / 100).clamp(1, new_depth.max(1));
                value = -self.negamax::<NonPv>(-(alpha + 1), -alpha, reduced, ply + 1, true);
                full = value > alpha && reduced < new_depth;
                if full && !capture {
                    // Did better than thought: look deeper, or less deep if only just.
                    let deeper = i32::from(value > best_score + params::lmr_deeper_margin())
                        - i32::from(value < best_score + params::lmr_shallower_margin());
                    let again = new_depth + deeper;
                    if again > reduced {
                        value = -self.negamax::<NonPv>(-(alpha + 1), -alpha, again, ply + 1, !cut_node);
                        self.update_post_lmr(value > alpha, side, mv, piece_to, &before, depth);
                    }
                    full = false;
                }
            }
            // 16. A null window shows whether the move is better than the best …
            if full {
                value = -self.negamax::<NonPv>(-(alpha + 1), -alpha, new_depth, ply + 1, !cut_node);
            }
            // 17. … and if so on the principal variation, an open window by how much.
            if N::PV && (number == 1 || value > alpha) {
                value = -self.negamax::<Pv>(-beta, -alpha, new_depth, ply + 1, false);
            }
            self.unmake_move();
            if let Some(abdada) = abdada {
                abdada.finished_search(mark);
            }
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
                        self.stack[ply].cutoff_count += 1;
                        break;
                    }
                    alpha = value;
                    node.alpha = alpha;
                    node.allows_eval_pruning = alpha < self.mate_window;
                    node.tt_score_above_alpha = table_score != score::NONE && table_score > alpha;
                    // Better moves than one that raised alpha are rare: look for them less deep.
                    if depth >= params::alpha_raise_min_depth()
                        && depth <= params::alpha_raise_max_depth()
                        && !score::is_decisive(value)
                    {
                        depth = (depth - params::alpha_raise_reduction()).max(1);
                        node.depth = depth;
                    }
                }
            }
            if mv != best_move {
                // Beyond so many the lesson is learned.
                let _ = if capture { captures.try_push(mv) } else { quiets.try_push(mv) };
            }
        }
        self.return_buffers(picker.into_buffers());
        if self.stopped {
            return score::DRAW;
        }

        // 18. No legal move: mate or stalemate, lost either way.
        if number == 0 {
            return if excluded.is_some() { original_alpha } else { mated_in(ply) };
        }
        if best_score == -INFINITE {
            // Everything was pruned; the bound is what the pruning relied on.
            best_score = original_alpha;
        }

        // 19. Learn from a cutoff, or from the best move of a principal variation.
        if best_move.is_some() {
            let surprise = i32::from(best_score > beta + params::history_extra_depth_margin());
            self.update_histories(best_move, depth + surprise, ply, &quiets, &captures);
            let was_early = self.stack.entry_before(ply, 1).move_number <= params::prior_malus_number();
            if best_score >= beta && was_early && excluded.is_none() {
                self.penalize_prior_move(depth, ply);
            }
        }

        // ... or from the want of one: the move before was good.
        if best_score <= original_alpha && excluded.is_none() {
            self.reward_prior_move(depth, ply);
        }

        // 20. Remember, except what holds on this path only.
        if excluded.is_none() && !score::is_rule_score(best_score) {
            let bound = Bound::from_window(best_score, original_alpha, beta);
            let entry =
                TtEntry { mv: best_move, score: score::to_tt(best_score, ply), eval: raw_eval, depth, bound, was_pv };
            self.tt.store(key, entry);
            if !in_check && (best_move.is_none() || !is_capture(&self.position, best_move)) {
                self.update_correction_history(best_score, bound, depth, ply);
            }
        }
        best_score
    }
}
