//! The main search: principal variation search (fail-soft negamax) in numbered steps.

use super::abdada::{DeferredMove, DeferredMoves, MoveHash};
use super::history::{PieceTo, TriedMoves};
use super::move_picker::{MovePicker, OrderingHints, PickerMode, captured_piece, is_capture};
use super::node::{MoveContext, NodeContext, NodeType, NonPv, Pv};
use super::params;
use super::pruning::{
    PruneDecision, SingularResult, late_move_reduction, prune_decision, reduced_depth, reverse_futility_margin,
};
use super::search_thread::SearchThread;
use super::transposition_table::TtEntry;
use crate::score::{self, Bound, INFINITE, Score, mate_in, mated_in};

impl SearchThread<'_> {
    /// Searches the position to `depth` with the window `alpha` to `beta`; fail-soft. `cut_node`: a fail-high is
    /// expected.
    pub(super) fn negamax<N: NodeType>(
        &mut self,
        mut alpha: Score,
        mut beta: Score,
        mut depth: i32,
        ply: usize,
        cut_node: bool,
    ) -> Score {
        debug_assert!(alpha < beta && (N::PV || alpha + 1 == beta));
        // 1. Quiescence search at the horizon.
        if depth <= 0 {
            return self.quiescence::<N>(alpha, beta, 0, ply);
        }
        // 2. Terminal checks: stop, repetition, natural limit, tablebase, maximum ply.
        if let Some(score) = self.check_terminal(ply) {
            return score;
        }
        let in_check = self.position.in_check();

        // 3. Mate distance pruning: no line from here can beat a shorter mate found elsewhere.
        alpha = alpha.max(mated_in(ply));
        beta = beta.min(mate_in(ply + 1));
        if alpha >= beta {
            return alpha;
        }

        // 4. Transposition table lookup and cutoff. A search with an excluded move is never cut off, but knows the table's
        // move and whether the node was on a PV, so that it is reduced as the node itself would be.
        let excluded = self.stack[ply].excluded;
        let key = self.position.key();
        let tt_entry = self.tt.probe(key);
        let tt_score = tt_entry.map_or(score::NONE, |entry| score::from_tt(entry.score, ply));
        let tt_move = tt_entry.and_then(|entry| entry.mv);
        let tt_may_cut_off = self.tt_may_cut_off();
        let was_pv = N::PV || tt_entry.is_some_and(|entry| entry.was_pv);
        if let Some(entry) = tt_entry
            && !N::PV
            && excluded.is_none()
            && entry.depth >= depth
            && tt_may_cut_off
            && entry.bound.cuts_off(tt_score, alpha, beta)
        {
            if tt_score >= beta
                && let Some(mv) = tt_move
            {
                self.reward_tt_move(mv, depth, ply);
            }
            return tt_score;
        }

        // 5. Static evaluation, adjusted by correction history and by the transposition table score.
        let mut raw_eval = score::NONE;
        let eval;
        if in_check {
            self.stack[ply].static_eval = score::NONE;
            eval = score::NONE;
        } else if excluded.is_some() {
            eval = self.stack[ply].static_eval;
        } else {
            raw_eval = match tt_entry {
                Some(entry) if entry.eval != score::NONE => entry.eval,
                _ => self.evaluate(),
            };
            let corrected = self.corrected_eval(raw_eval);
            self.stack[ply].static_eval = corrected;
            let tt_improves = |entry: &TtEntry| {
                tt_may_cut_off && entry.bound.improves(tt_score, corrected) && !score::is_decisive(tt_score)
            };
            eval = if tt_entry.as_ref().is_some_and(tt_improves) { tt_score } else { corrected };
        }
        let improving = !in_check && self.stack.is_improving(ply);
        if excluded.is_none() {
            self.update_eval_history(ply);
        }
        self.stack[ply + 1].excluded = None;
        self.stack[ply + 2].killers = [None; 2];
        self.stack[ply + 1].cutoff_count = 0;

        if !N::PV && !in_check && excluded.is_none() && !score::is_decisive(beta) {
            // 6. Razoring: far below alpha near the horizon, verify with the quiescence search.
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

            // 7. Reverse futility pruning: the static evaluation exceeds beta by a margin that grows with depth.
            if self.pruning.futility
                && depth <= params::rfp_depth()
                && !was_pv
                && eval - reverse_futility_margin(depth, improving) >= beta
                && beta > -self.mate_window
                && !score::is_decisive(eval)
            {
                return beta + (eval - beta) / params::rfp_return_divisor();
            }

            // 8. Null move pruning: if the side to move can pass and still reach beta, the node fails high.
            if let Some(value) = self.try_null_move(beta, depth, ply, eval, cut_node) {
                return value;
            }
            if self.stopped {
                return score::DRAW;
            }

            // 9. ProbCut: a capture that reaches a raised beta at reduced depth will reach beta at full depth.
            let raised_beta = beta + params::probcut_beta_margin() - params::probcut_improving() * i32::from(improving);
            let tt_refutes = tt_entry
                .is_some_and(|entry| entry.depth > depth - params::probcut_reduction() && tt_score < raised_beta);
            if self.pruning.move_pruning
                && depth >= params::probcut_depth()
                && !tt_refutes
                && let Some(value) = self.try_probcut(raised_beta, depth, ply, raw_eval, tt_move)
            {
                return value;
            }
            if self.stopped {
                return score::DRAW;
            }
        }

        // 10. Internal iterative reduction (IIR): without a table move, search less deep.
        if tt_move.is_none() && excluded.is_none() && depth >= params::iir_depth() && (N::PV || cut_node) {
            depth -= params::iir_reduction();
        }

        // 11. Loop over the moves in the order of the move picker; deferred moves (step 13) come last.
        let continuation_keys = self.stack.continuation_keys(ply);
        let hints = OrderingHints {
            tt_move,
            killers: self.stack[ply].killers,
            counter_move: self.histories.counter_move(continuation_keys[0]),
            continuation_keys,
        };
        let mut picker = MovePicker::new(&self.position, PickerMode::Full, hints);
        let tt_move = picker.tt_move();
        let side = self.position.side();
        let mut best_score = -INFINITE;
        let mut best_move = None;
        let mut number = 0;
        let mut quiets = TriedMoves::new();
        let mut captures = TriedMoves::new();
        let original_alpha = alpha;

        let mut node = NodeContext {
            depth,
            alpha,
            mate_window: self.mate_window,
            tt_score,
            static_eval: self.stack[ply].static_eval,
            in_check,
            improving,
            was_pv,
            cut_node,
            has_tt_move: tt_move.is_some(),
            tt_move_is_capture: tt_move.is_some_and(|mv| is_capture(&self.position, mv)),
            child_cutoffs: 0,
        };

        let mut deferred = DeferredMoves::default();
        loop {
            // A move that raises alpha changes both for the moves after it.
            let NodeContext { alpha, depth, .. } = node;
            let (candidate, was_deferred) = match picker.next(&self.position, self.histories) {
                Some(mv) if Some(mv) == excluded => continue,
                Some(mv) => {
                    (DeferredMove { mv, number: number + 1, is_bad_capture: picker.is_in_bad_captures() }, false)
                }
                None => match deferred.next_deferred() {
                    Some(candidate) => (candidate, true),
                    None => break,
                },
            };
            let mv = candidate.mv;
            number = candidate.number;
            self.prefetch(mv);
            let victim = captured_piece(&self.position, mv);
            let piece_to = PieceTo::new(self.position.moved_piece(mv), mv.to());
            let gives_check = picker.gives_check(&self.position, mv);
            let history = match victim {
                Some(victim) => self.histories.capture_score(piece_to, victim),
                None => self.histories.quiet_score(side, mv, piece_to, &continuation_keys),
            };
            node.child_cutoffs = self.stack[ply + 1].cutoff_count;
            let context = MoveContext { mv, move_number: number, is_capture: victim.is_some(), gives_check, history };
            let reduction = late_move_reduction(&node, &context);

            // 12. Move pruning, once best_score is not a mated score.
            if best_score > -score::DECISIVE_BOUND && self.pruning.move_pruning && !in_check {
                let decision = prune_decision(&node, &context, reduction, &self.position);
                if matches!(decision, PruneDecision::SearchSkipRest | PruneDecision::SkipRest) {
                    picker.skip_quiets();
                }
                if matches!(decision, PruneDecision::Skip | PruneDecision::SkipRest) {
                    continue;
                }
            }

            // 13. ABDADA: defer a move that another thread is searching; its result will be in the transposition table.
            let abdada = if depth >= params::abdada_depth() && number > 1 { self.shared.abdada } else { None };
            let abdada = abdada.map(|abdada| (abdada, MoveHash::new(key, mv)));
            if let Some((abdada, move_hash)) = abdada
                && !was_deferred
                && abdada.is_being_searched(move_hash)
                && deferred.defer(candidate)
            {
                continue;
            }

            // 14. Extensions: singular moves and forcing moves.
            let mut extension = 0;
            let can_extend = ply < params::max_extension_ratio() as usize * self.root_depth as usize;
            if can_extend
                && Some(mv) == tt_move
                && excluded.is_none()
                && depth >= params::singular_depth() + params::singular_pv() * i32::from(was_pv)
                && let Some(entry) = tt_entry
                && entry.depth >= depth - params::singular_tt_depth()
                && entry.bound != Bound::Upper
                && !score::is_decisive(tt_score)
            {
                match self.singular_extension::<N>(mv, tt_score, beta, depth, ply, cut_node) {
                    SingularResult::Extend(plies) => extension = plies,
                    SingularResult::MultiCut(score) => {
                        return score;
                    }
                    SingularResult::Stopped => break,
                }
            } else if can_extend && self.is_forcing_move::<N>(mv, depth, in_check, gives_check) {
                extension = 1;
            }
            let new_depth = depth - 1 + extension;

            if let Some((abdada, move_hash)) = abdada {
                abdada.starting_search(move_hash);
            }
            self.make_move(ply, mv);
            self.stack[ply].move_number = number;
            let mut value = -INFINITE;

            // 15. Late move reduction (LMR): search late moves at reduced depth with a null window first.
            let mut needs_full_depth = !N::PV || number > 1;
            if depth >= params::lmr_depth()
                && number > params::lmr_full_moves() + i32::from(N::PV)
                && (victim.is_none() || candidate.is_bad_capture || cut_node)
            {
                let reduced = reduced_depth(new_depth, reduction);
                value = -self.negamax::<NonPv>(-(alpha + 1), -alpha, reduced, ply + 1, true);
                needs_full_depth = value > alpha && reduced < new_depth;
                if needs_full_depth && victim.is_none() {
                    // Re-search: a ply deeper if it beats the best score clearly, a ply less deep if barely.
                    let deeper = i32::from(value > best_score + params::lmr_deeper_margin())
                        - i32::from(value < best_score + params::lmr_shallower_margin());
                    let research_depth = new_depth + deeper;
                    if research_depth > reduced {
                        value = -self.negamax::<NonPv>(-(alpha + 1), -alpha, research_depth, ply + 1, !cut_node);
                        self.update_post_lmr(value > alpha, side, mv, piece_to, &continuation_keys, depth);
                    }
                    needs_full_depth = false;
                }
            }
            // 16. Full-depth search with a null window.
            if needs_full_depth {
                value = -self.negamax::<NonPv>(-(alpha + 1), -alpha, new_depth, ply + 1, !cut_node);
            }
            // 17. PV search with the full window: the first move, and each move that raises alpha.
            if N::PV && (number == 1 || value > alpha) {
                value = -self.negamax::<Pv>(-beta, -alpha, new_depth, ply + 1, false);
            }
            self.unmake_move();
            if let Some((abdada, move_hash)) = abdada {
                abdada.finished_search(move_hash);
            }
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
                        self.stack[ply].cutoff_count += 1;
                        break;
                    }
                    node.alpha = value;
                    // Once alpha is raised, search the remaining moves less deep.
                    if depth >= params::alpha_raise_min_depth()
                        && depth <= params::alpha_raise_max_depth()
                        && !score::is_decisive(value)
                    {
                        node.depth = (depth - params::alpha_raise_reduction()).max(1);
                    }
                }
            }
            if Some(mv) != best_move {
                // Moves beyond the capacity get no malus.
                let _ = if victim.is_some() { captures.try_push(mv) } else { quiets.try_push(mv) };
            }
        }
        if self.stopped {
            return score::DRAW;
        }
        let depth = node.depth;

        // 18. No legal move: checkmate or stalemate, both a loss.
        if number == 0 {
            return if excluded.is_some() { original_alpha } else { mated_in(ply) };
        }
        if best_score == -INFINITE {
            // No move was searched: fail low.
            best_score = original_alpha;
        }

        // 19. Update the histories: bonus for the best move, malus for the moves tried before it.
        if let Some(mv) = best_move {
            let extra_depth = i32::from(best_score > beta + params::history_extra_depth_margin());
            self.update_histories(mv, depth + extra_depth, ply, &quiets, &captures);
            let was_early = self.stack.entry_before(ply, 1).move_number <= params::prior_malus_number();
            if best_score >= beta && was_early && excluded.is_none() {
                self.penalize_prior_move(depth, ply);
            }
        }

        // Fail low: bonus for the move that led to this node.
        if best_score <= original_alpha && excluded.is_none() {
            self.reward_prior_move(depth, ply);
        }

        // 20. Store in the transposition table, except scores by rule, which depend on the path.
        if excluded.is_none() && !score::is_rule_score(best_score) {
            let bound = Bound::from_window(best_score, original_alpha, beta);
            let entry =
                TtEntry { mv: best_move, score: score::to_tt(best_score, ply), eval: raw_eval, depth, bound, was_pv };
            self.tt.store(key, entry);
            if !in_check && !best_move.is_some_and(|mv| is_capture(&self.position, mv)) {
                self.update_correction_history(best_score, bound, depth, ply);
            }
        }
        best_score
    }
}
