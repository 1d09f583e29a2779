//! The main search: a principal variation search that reads as numbered steps.

use super::abdada::{Deferred, Mark, Turn};
use super::extensions::Singular;
use super::hash_table::Entry;
use super::history::PieceTo;
use super::learning::Tried;
use super::move_pruning::{Fate, fate};
use super::node::{MoveFacts, Node, NodeFacts, NonPv, Pv};
use super::node_pruning::reverse_futility_margin;
use super::params;
use super::picker::{Hints, Mode, Picker, is_capture};
use super::reductions::late_move_reduction;
use super::report::Bound;
use super::worker::Worker;
use crate::types::score::{self, INFINITE, mate_in, mated_in};
use crate::types::{Move, Score};

impl Worker<'_> {
    /// The score of the position within the window, searched this deep. Fail-soft.
    pub(super) fn negamax<N: Node>(
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
        if let Some(score) = self.arrive(ply) {
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
        let excluded = self.frames[ply].excluded;
        let key = self.position.key();
        let found = if excluded.is_none() { self.table.get(key) } else { None };
        let table_score = found.map_or(score::NONE, |entry| score::from_table(entry.score, ply));
        let table_move = found.map_or(Move::NONE, |entry| entry.mv);
        let was_pv = N::PV || found.is_some_and(|entry| entry.was_pv);
        if let Some(entry) = found
            && !N::PV
            && entry.depth >= depth
            && self.table_may_decide()
            && entry.bound.decides(table_score, alpha, beta)
        {
            if table_score >= beta && table_move.is_some() {
                self.reward_table_move(table_move, depth, ply);
            }
            return table_score;
        }

        // 5. The static evaluation, corrected by what was learned and by the table.
        let mut raw_eval = score::NONE;
        let eval;
        if in_check {
            self.frames[ply].static_eval = score::NONE;
            eval = score::NONE;
        } else if excluded.is_some() {
            eval = self.frames[ply].static_eval;
        } else {
            raw_eval = match found {
                Some(entry) if entry.eval != score::NONE => entry.eval,
                _ => self.evaluate(),
            };
            let corrected = self.corrected(raw_eval);
            self.frames[ply].static_eval = corrected;
            let says_more =
                |entry: &Entry| entry.bound.betters(table_score, corrected) && !score::is_known(table_score);
            eval = if found.as_ref().is_some_and(says_more) { table_score } else { corrected };
        }
        let improving = !in_check && self.frames.is_improving(ply);
        if excluded.is_none() {
            self.learn_from_evaluation(ply);
        }
        self.frames[ply + 1].excluded = Move::NONE;
        self.frames[ply + 2].killers = [Move::NONE; 2];
        self.frames[ply + 1].cutoffs = 0;

        if !N::PV && !in_check && excluded.is_none() && !score::is_known(beta) {
            // 6. Razoring: hopeless nodes near the horizon are left to the quiescence search.
            if self.allowed.futility
                && depth <= params::razor_depth()
                && alpha < self.estimates_until
                && eval + params::razor_base() + params::razor_margin() * depth < alpha
            {
                let value = self.quiescence::<NonPv>(alpha, alpha + 1, 0, ply);
                if value <= alpha {
                    return value;
                }
            }

            // 7. Reverse futility: so far above beta that no reply of a few plies will change it.
            if self.allowed.futility
                && depth <= params::rfp_depth()
                && !was_pv
                && eval - reverse_futility_margin(depth, improving) >= beta
                && beta > -self.estimates_until
                && !score::is_known(eval)
            {
                return beta + (eval - beta) / params::rfp_share();
            }

            // 8. Null move: if even passing keeps the score above beta, some move will.
            if let Some(value) = self.try_null_move(beta, depth, ply, eval, cut_node) {
                return value;
            }
            if self.stopped {
                return score::DRAW;
            }

            // 9. Probcut: a winning capture that holds at reduced depth against a raised beta will hold.
            let raised_beta =
                beta + params::probcut_margin() - params::probcut_improving() * i32::from(improving);
            let table_denies = found.is_some_and(|entry| {
                entry.depth > depth - params::probcut_reduction() && table_score < raised_beta
            });
            if self.allowed.moves
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
        let before = self.frames.piece_tos_before(ply);
        let hints = Hints {
            table_move,
            killers: self.frames[ply].killers,
            counter: self.histories.counter(before[0]),
            before,
        };
        let memory = self.take_memory();
        let mut picker = Picker::new(memory, &self.position, Mode::Full, hints);
        let table_move = picker.table_move();
        let side = self.position.side();
        let mut best_score = -INFINITE;
        let mut best_move = Move::NONE;
        let mut number = 0;
        let mut quiets = Tried::new();
        let mut captures = Tried::new();
        let original_alpha = alpha;

        let mut node = NodeFacts {
            depth,
            alpha,
            static_eval: self.frames[ply].static_eval,
            is_estimable: alpha < self.estimates_until,
            in_check,
            improving,
            was_pv,
            cut_node,
            has_table_move: table_move.is_some(),
            table_is_capture: table_move.is_some() && is_capture(&self.position, table_move),
            table_is_better: table_score != score::NONE && table_score > alpha,
            cutoffs: 0,
        };

        let mut deferred = Deferred::default();
        loop {
            let (turn, is_late) = match picker.next(&self.position, self.histories) {
                Some(mv) if mv == excluded => continue,
                Some(mv) => (Turn { mv, number: number + 1, is_bad: picker.in_bad_captures() }, false),
                None => match deferred.take() {
                    Some(turn) => (turn, true),
                    None => break,
                },
            };
            let mv = turn.mv;
            number = turn.number;
            self.foresee(mv);
            let mover = self.position.piece_at(mv.from());
            let victim = self.position.piece_at(mv.to());
            let capture = is_capture(&self.position, mv);
            let piece_to = PieceTo::new(mover, mv.to());
            let gives_check = picker.gives_check(&self.position, mv);
            let history = if capture {
                self.histories.capture(piece_to, victim)
            } else {
                self.histories.quiet(side, mv, piece_to, &before)
            };
            node.cutoffs = self.frames[ply + 1].cutoffs;
            let facts = MoveFacts { mv, number, is_capture: capture, gives_check, history };
            let reduction = late_move_reduction(&node, &facts);

            // 12. Pruning of single moves, once a way not to be mated is known.
            if best_score > -score::KNOWN && self.allowed.moves && !in_check {
                let fate = fate(&node, &facts, reduction, &self.position);
                if matches!(fate, Fate::SearchAsLast | Fate::SkipAll) {
                    picker.skip_quiets();
                }
                if matches!(fate, Fate::Skip | Fate::SkipAll) {
                    continue;
                }
            }

            // 13. A move that another thread is searching can wait: when its turn comes the result is known.
            let mark = Mark::new(key, mv);
            let abdada =
                if depth >= params::deferral_depth() && number > 1 { self.shared.abdada } else { None };
            if let Some(abdada) = abdada
                && !is_late
                && abdada.has(mark)
                && deferred.add(turn)
            {
                continue;
            }

            // 14. Extensions.
            let mut extension = 0;
            let room = ply < params::extension_room() as usize * self.root_depth as usize;
            if room
                && mv == table_move
                && excluded.is_none()
                && depth >= params::singular_depth() + params::singular_pv() * i32::from(was_pv)
                && let Some(entry) = found
                && entry.depth >= depth - params::singular_table()
                && entry.bound != Bound::Upper
                && !score::is_known(table_score)
            {
                match self.singular_extension::<N>(mv, table_score, beta, depth, ply, cut_node) {
                    Singular::Extend(plies) => extension = plies,
                    Singular::MultiCut(score) => {
                        self.give_memory(picker.into_memory());
                        return score;
                    }
                    Singular::Stopped => break,
                }
            } else if room && self.is_forcing::<N>(mv, depth, in_check, gives_check) {
                extension = 1;
            }
            let new_depth = depth - 1 + extension;

            if let Some(abdada) = abdada {
                abdada.begin(mark);
            }
            self.enter(ply, mv);
            self.frames[ply].number = number;
            let mut value = -INFINITE;

            // 15. Late move reductions (LMR): what comes late in a good order is rarely best.
            let mut full = !N::PV || number > 1;
            if depth >= params::lmr_depth()
                && number > 1 + i32::from(N::PV)
                && (!capture || turn.is_bad || cut_node)
            {
                let reduced = (new_depth - reduction / 100).clamp(1, new_depth.max(1));
                value = -self.negamax::<NonPv>(-(alpha + 1), -alpha, reduced, ply + 1, true);
                full = value > alpha && reduced < new_depth;
                if full && !capture {
                    // Did better than thought: look deeper, or less deep if only just.
                    let deeper = i32::from(value > best_score + params::deeper_margin())
                        - i32::from(value < best_score + params::shallower_margin());
                    let again = new_depth + deeper;
                    if again > reduced {
                        value = -self.negamax::<NonPv>(-(alpha + 1), -alpha, again, ply + 1, !cut_node);
                        self.learn_from_second_look(value > alpha, side, mv, piece_to, &before, depth);
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
            self.unmake();
            if let Some(abdada) = abdada {
                abdada.end(mark);
            }
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
                        self.frames[ply].cutoffs += 1;
                        break;
                    }
                    alpha = value;
                    node.alpha = alpha;
                    node.is_estimable = alpha < self.estimates_until;
                    node.table_is_better = table_score != score::NONE && table_score > alpha;
                    // Better moves than one that raised alpha are rare: look for them less deep.
                    if depth >= params::raise_from()
                        && depth <= params::raise_until()
                        && !score::is_known(value)
                    {
                        depth = (depth - params::raise_reduction()).max(1);
                        node.depth = depth;
                    }
                }
            }
            if mv != best_move {
                // Beyond so many the lesson is learned.
                let _ = if capture { captures.try_push(mv) } else { quiets.try_push(mv) };
            }
        }
        self.give_memory(picker.into_memory());
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
            let surprise = i32::from(best_score > beta + params::surprise_margin());
            self.learn(best_move, depth + surprise, ply, &quiets, &captures);
            let was_early = self.frames.before(ply, 1).number <= params::prior_malus_number();
            if best_score >= beta && was_early && excluded.is_none() {
                self.punish_prior(depth, ply);
            }
        }

        // ... or from the want of one: the move before was good.
        if best_score <= original_alpha && excluded.is_none() {
            self.reward_prior(depth, ply);
        }

        // 20. Remember, except what holds on this path only.
        if excluded.is_none() && !score::is_rule(best_score) {
            let bound = Bound::of(best_score, original_alpha, beta);
            let entry = Entry {
                mv: best_move,
                score: score::to_table(best_score, ply),
                eval: raw_eval,
                depth,
                bound,
                was_pv,
            };
            self.table.put(key, entry);
            if !in_check && (best_move.is_none() || !is_capture(&self.position, best_move)) {
                self.learn_correction(best_score, bound, depth, ply);
            }
        }
        best_score
    }
}
