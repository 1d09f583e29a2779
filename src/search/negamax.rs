//! The main search: a principal variation search that reads as numbered steps.

use super::busy::Mark;
use super::history::Place;
use super::params;
use super::picker::{Hints, Mode, Picker, is_capture};
use super::report::Bound;
use super::table::Entry;
use super::worker::Worker;
use crate::board::piece_value;
use crate::rules::Ending;
use crate::types::score::{self, INFINITE, MAX_PLY, mate_in, mated_in, rule_loss_in};
use crate::types::{Color, Move, PieceKind, Score};

/// Kinds of nodes, as types: the compiler makes a search for each.
pub trait Node {
    /// On the principal variation: the window is open.
    const PV: bool;
}

/// On the principal variation.
pub struct Pv;
/// Off it: a null window.
pub struct Cut;

impl Node for Pv {
    const PV: bool = true;
}
impl Node for Cut {
    const PV: bool = false;
}

/// Quiet moves and captures that were tried before the one that cut.
struct Tried {
    moves: [Move; 32],
    count: usize,
}

impl Tried {
    const NONE: Tried = Tried { moves: [Move::NONE; 32], count: 0 };

    #[inline]
    fn add(&mut self, mv: Move) {
        if self.count < self.moves.len() {
            self.moves[self.count] = mv;
            self.count += 1;
        }
    }

    fn as_slice(&self) -> &[Move] {
        &self.moves[..self.count]
    }
}

/// A move as the order has it.
#[derive(Clone, Copy)]
struct Turn {
    mv: Move,
    number: i32,
    /// A capture that comes after the quiet moves.
    is_bad: bool,
}

/// Moves that wait because another thread is searching them.
struct Deferred {
    moves: [Turn; 16],
    count: usize,
    taken: usize,
}

impl Deferred {
    const NONE: Deferred =
        Deferred { moves: [Turn { mv: Move::NONE, number: 0, is_bad: false }; 16], count: 0, taken: 0 };

    /// False if there is no room: then it is searched now.
    #[inline]
    fn add(&mut self, turn: Turn) -> bool {
        let Some(place) = self.moves.get_mut(self.count) else { return false };
        *place = turn;
        self.count += 1;
        true
    }

    #[inline]
    fn take(&mut self) -> Option<Turn> {
        let next = *self.moves[..self.count].get(self.taken)?;
        self.taken += 1;
        Some(next)
    }
}

/// Hundredfold natural logarithms of 0 to 63, for the reductions.
static LOGARITHMS: [i32; 64] = [
    0, 0, 69, 110, 139, 161, 179, 195, 208, 220, 230, 240, 248, 256, 264, 271, 277, 283, 289, 294, 300, 304,
    309, 314, 318, 322, 326, 330, 333, 337, 340, 343, 347, 350, 353, 356, 358, 361, 364, 366, 369, 371, 374,
    376, 378, 381, 383, 385, 387, 389, 391, 393, 395, 397, 399, 401, 403, 404, 406, 408, 409, 411, 413, 414,
];

/// The plain reduction of a late move, in hundredths of a ply.
#[inline]
pub(super) fn base_reduction(depth: i32, number: i32) -> i32 {
    let product = LOGARITHMS[depth.clamp(0, 63) as usize] * LOGARITHMS[number.clamp(0, 63) as usize];
    params::lmr_base() + product / params::lmr_divisor()
}

impl Worker<'_> {
    /// Notes what is played at this ply and plays it.
    #[inline]
    pub(super) fn enter(&mut self, ply: usize, mv: Move) {
        let place = Place::new(self.position.piece_at(mv.from()), mv.to());
        let frame = self.frame_mut(ply);
        frame.current = mv;
        frame.place = Some(place);
        self.make(mv);
    }

    /// Counts and prepares a node. A score ends it at once: the search was stopped, the game is over by
    /// repetition, natural limit or want of material, or the line is as long as lines can be.
    #[inline]
    pub(super) fn arrive(&mut self, ply: usize) -> Option<Score> {
        self.frame_mut(ply).pv_len = 0;
        if self.count_node() {
            return Some(score::DRAW);
        }
        self.seldepth = self.seldepth.max(ply);
        if let Some(ending) = self.shared.options.rules.ending_in_search(&self.position, ply) {
            return Some(self.ending_score(ending, ply));
        }
        let too_long = ply >= MAX_PLY - 1;
        too_long.then(|| if self.position.in_check() { score::DRAW } else { self.evaluate() })
    }

    /// The static evaluation as the network gives it: it depends on the position alone, so the table may keep it.
    #[inline]
    pub(super) fn evaluate(&mut self) -> Score {
        self.evaluator.evaluate(&self.position)
    }

    /// The static evaluation with what was learned about its errors, with the style of play, and less of it the nearer
    /// the natural limit is.
    #[inline]
    pub(super) fn corrected(&self, raw: Score) -> Score {
        let side = self.position.side();
        let mut value = raw;
        if params::use_correction() != 0 {
            value += self.histories.correction(side, self.evaluator.keys());
        }
        if self.eagerness[side] != 0 {
            value += self.eagerness[side] * self.attackers() as Score;
        }
        let limit = self.shared.options.rules.natural_limit as Score;
        if limit != 0 && params::damping() != 0 {
            let quiet = (self.position.quiet_plies() as Score).min(limit);
            value -= value * quiet * params::damping() / (limit * 100);
        }
        value.clamp(-score::EVAL_LIMIT, score::EVAL_LIMIT)
    }

    /// How many rooks, horses and cannons are on the board.
    fn attackers(&self) -> usize {
        let kinds = [PieceKind::Rook, PieceKind::Horse, PieceKind::Cannon];
        let of = |color| kinds.into_iter().map(|kind| self.position.count(color, kind)).sum::<usize>();
        Color::ALL.into_iter().map(of).sum()
    }

    /// The score of a game that is over by rule, from the side to move.
    #[inline]
    pub(super) fn ending_score(&self, ending: Ending, ply: usize) -> Score {
        match ending {
            Ending::Draw => self.draw[self.position.side()],
            Ending::Loss(color) if color == self.position.side() => rule_loss_in(ply),
            Ending::Loss(_) => -rule_loss_in(ply),
        }
    }

    /// Places of the moves one, two and four plies before this node.
    #[inline]
    pub(super) fn places_before(&self, ply: usize) -> [Option<Place>; 3] {
        [self.frame_before(ply, 1).place, self.frame_before(ply, 2).place, self.frame_before(ply, 4).place]
    }

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
        let excluded = self.frame(ply).excluded;
        let key = self.position.key();
        let found = if excluded.is_none() { self.table.get(key) } else { None };
        let table_score = found.map_or(score::NONE, |entry| score::from_table(entry.score, ply));
        let table_move = found.map_or(Move::NONE, |entry| entry.mv);
        let was_pv = N::PV || found.is_some_and(|entry| entry.was_pv);
        if let Some(entry) = found
            && !N::PV
            && entry.depth >= depth
            && self.table_may_decide()
        {
            let cuts = match entry.bound {
                Bound::Exact => true,
                Bound::Lower => table_score >= beta,
                Bound::Upper => table_score <= alpha,
            };
            if cuts {
                if table_score >= beta && !table_move.is_none() {
                    self.reward_table_move(table_move, depth, ply);
                }
                return table_score;
            }
        }

        // 5. The static evaluation, corrected by what was learned and by the table.
        let mut raw_eval = score::NONE;
        let eval;
        if in_check {
            self.frame_mut(ply).static_eval = score::NONE;
            eval = score::NONE;
        } else if excluded.is_some() {
            eval = self.frame(ply).static_eval;
        } else {
            raw_eval = match found {
                Some(entry) if entry.eval != score::NONE => entry.eval,
                _ => self.evaluate(),
            };
            let corrected = self.corrected(raw_eval);
            self.frame_mut(ply).static_eval = corrected;
            eval = match found {
                Some(entry)
                    if entry.bound == Bound::Exact
                        || entry.bound == Bound::Lower && table_score > corrected
                        || entry.bound == Bound::Upper && table_score < corrected =>
                {
                    if score::is_decided(table_score) { corrected } else { table_score }
                }
                _ => corrected,
            };
        }
        let improving = !in_check && self.is_improving(ply);
        if excluded.is_none() {
            self.learn_from_evaluation(ply);
        }
        self.frame_mut(ply + 1).excluded = Move::NONE;
        self.frame_mut(ply + 2).killers = [Move::NONE; 2];
        self.frame_mut(ply + 1).cutoffs = 0;

        if !N::PV && !in_check && excluded.is_none() && !score::is_decided(beta) {
            // 6. Razoring: hopeless nodes near the horizon are left to the quiescence search.
            if self.allowed.futility
                && params::use_razoring() != 0
                && depth <= params::razor_depth()
                && eval + params::razor_base() + params::razor_margin() * depth < alpha
            {
                let value = self.quiescence::<Cut>(alpha, alpha + 1, 0, ply);
                if value <= alpha {
                    return value;
                }
            }

            // 7. Reverse futility: so far above beta that no reply of a few plies will change it.
            let margin = params::rfp_margin() * depth - params::rfp_improving() * i32::from(improving);
            if self.allowed.futility
                && params::use_reverse_futility() != 0
                && depth <= params::rfp_depth()
                && eval - margin >= beta
                && !score::is_decided(eval)
            {
                return beta + (eval - beta) / 3;
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
            let table_denies =
                found.is_some_and(|entry| entry.depth >= depth - 3 && table_score < raised_beta);
            if self.allowed.moves
                && params::use_probcut() != 0
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
        if params::use_iir() != 0
            && table_move.is_none()
            && excluded.is_none()
            && depth >= 4
            && (N::PV || cut_node)
        {
            depth -= 1;
        }

        // 11. The moves.
        let before = self.places_before(ply);
        let hints = Hints {
            table_move,
            killers: self.frame(ply).killers,
            counter: self.histories.counter(before[0]),
            before,
        };
        let memory = self.take_memory();
        let mut picker = Picker::new(memory, &self.position, Mode::Full, hints);
        let table_move = picker.table_move();
        let table_is_capture = table_move.is_some() && is_capture(&self.position, table_move);
        let side = self.position.side();
        let mut best_score = -INFINITE;
        let mut best_move = Move::NONE;
        let mut number = 0;
        let mut quiets = Tried::NONE;
        let mut captures = Tried::NONE;
        let original_alpha = alpha;

        let mut deferred = Deferred::NONE;
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
            let place = Place::new(mover, mv.to());
            let gives_check = self.position.gives_check(mv);
            let history = if capture {
                self.histories.capture(place, victim)
            } else {
                picker.quiet_score().unwrap_or_else(|| self.histories.quiet(side, mv, place, &before))
            };
            let mut reduction = base_reduction(depth, number);

            // 12. Pruning of single moves, once a way not to be mated is known.
            if best_score > -score::DECIDED && self.allowed.moves && !in_check {
                let reduced = (depth - 1 - reduction / 100).max(0);
                if !capture {
                    let limit = (params::lmp_base() * 100 + params::lmp_slope() * depth * depth)
                        / if improving { 100 } else { 200 };
                    if params::use_late_moves() != 0 && number > limit {
                        picker.skip_quiets();
                    }
                    if !gives_check {
                        let futile = params::use_futility() != 0
                            && reduced <= params::futility_depth()
                            && eval
                                + params::futility_base()
                                + params::futility_margin() * reduced
                                + history / params::futility_history()
                                <= alpha;
                        if futile {
                            picker.skip_quiets();
                            continue;
                        }
                        if params::use_history_pruning() != 0
                            && reduced <= params::history_prune_depth()
                            && history < -params::history_prune_margin() * (reduced + 1)
                        {
                            continue;
                        }
                    }
                    if params::use_see_pruning() != 0
                        && !gives_check
                        && reduced <= 8
                        && !self.position.see_at_least(mv, -params::see_quiet_margin() * reduced * reduced)
                    {
                        continue;
                    }
                } else if params::use_see_pruning() != 0
                    && !gives_check
                    && depth <= 7
                    && !self.position.see_at_least(mv, -params::see_capture_margin() * depth)
                {
                    continue;
                }
            }

            // 13. A move that another thread is searching can wait: when its turn comes the result is known.
            let mark = Mark::new(key, mv);
            let busy = if depth >= params::deferral_depth() && number > 1 { self.shared.busy } else { None };
            if let Some(busy) = busy
                && !is_late
                && busy.has(mark)
                && deferred.add(turn)
            {
                continue;
            }

            // 14. Extensions.
            let mut extension = 0;
            let room = ply < 2 * self.root_depth as usize;
            if room
                && params::use_singular() != 0
                && mv == table_move
                && excluded.is_none()
                && depth >= params::singular_depth()
                && let Some(entry) = found
                && entry.depth >= depth - 3
                && entry.bound != Bound::Upper
                && !score::is_decided(table_score)
            {
                // Singular: is this move so much better than all others?
                let singular_beta = table_score - params::singular_margin() * depth / 8;
                self.frame_mut(ply).excluded = mv;
                let value =
                    self.negamax::<Cut>(singular_beta - 1, singular_beta, (depth - 1) / 2, ply, cut_node);
                self.frame_mut(ply).excluded = Move::NONE;
                if self.stopped {
                    break;
                }
                if value < singular_beta {
                    extension = 1;
                    if !N::PV && value < singular_beta - params::double_margin() {
                        extension = 2;
                    }
                } else if singular_beta >= beta {
                    // Several moves beat beta: one of them will at full depth.
                    self.give_memory(picker.into_memory());
                    return singular_beta;
                } else if table_score >= beta {
                    extension = -2;
                } else if cut_node {
                    extension = -1;
                }
            } else if room && self.is_forcing::<N>(mv, depth, in_check, gives_check) {
                extension = 1;
            }
            let new_depth = depth - 1 + extension;

            if let Some(busy) = busy {
                busy.begin(mark);
            }
            self.enter(ply, mv);
            self.frame_mut(ply).number = number;
            let mut value = -INFINITE;

            // 15. Late move reductions: what comes late in a good order is rarely best.
            let mut full = !N::PV || number > 1;
            if params::use_reductions() != 0
                && depth >= 2
                && number > 1 + i32::from(N::PV)
                && (!capture || turn.is_bad || cut_node)
            {
                reduction += params::lmr_cut() * i32::from(cut_node);
                reduction += params::lmr_worsening() * i32::from(!improving);
                reduction += params::lmr_table_capture() * i32::from(table_is_capture && !capture);
                reduction += params::lmr_cutoffs() * i32::from(self.frame(ply + 1).cutoffs > 3);
                reduction -= params::lmr_pv() * i32::from(was_pv);
                reduction -= params::lmr_check() * i32::from(gives_check);
                reduction -= params::lmr_in_check() * i32::from(in_check);
                reduction -= params::lmr_capture() * i32::from(capture);
                reduction -= 100 * history / params::lmr_history();
                let reduced = (new_depth - reduction / 100).clamp(1, new_depth.max(1));
                value = -self.negamax::<Cut>(-(alpha + 1), -alpha, reduced, ply + 1, true);
                full = value > alpha && reduced < new_depth;
                if full && !capture {
                    // Did better than thought: look deeper, or less deep if only just.
                    let deeper = i32::from(value > best_score + params::deeper_margin())
                        - i32::from(value < best_score + params::shallower_margin());
                    let again = new_depth + deeper;
                    if again > reduced {
                        value = -self.negamax::<Cut>(-(alpha + 1), -alpha, again, ply + 1, !cut_node);
                        self.learn_from_second_look(value > alpha, side, mv, place, &before, depth);
                    }
                    full = false;
                }
            }
            // 16. A null window shows whether the move is better than the best …
            if full {
                value = -self.negamax::<Cut>(-(alpha + 1), -alpha, new_depth, ply + 1, !cut_node);
            }
            // 17. … and if so on the principal variation, an open window by how much.
            if N::PV && (number == 1 || value > alpha) {
                value = -self.negamax::<Pv>(-beta, -alpha, new_depth, ply + 1, false);
            }
            self.unmake();
            if let Some(busy) = busy {
                busy.end(mark);
            }
            if self.stopped {
                break;
            }

            if value > best_score {
                best_score = value;
                if value > alpha {
                    best_move = mv;
                    if N::PV {
                        self.extend_pv(ply, mv);
                    }
                    if value >= beta {
                        self.frame_mut(ply).cutoffs += 1;
                        break;
                    }
                    alpha = value;
                    // Better moves than one that raised alpha are rare: look for them less deep.
                    if depth > 2 && depth < 14 && !score::is_decided(value) {
                        depth = (depth - params::use_raise_reduction()).max(1);
                    }
                }
            }
            if mv != best_move {
                if capture { captures.add(mv) } else { quiets.add(mv) }
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
            self.learn(best_move, depth + surprise, ply, quiets.as_slice(), captures.as_slice());
            let was_early = self.frame_before(ply, 1).number <= params::prior_malus_number();
            if best_score >= beta && was_early && excluded.is_none() {
                self.reward_prior(-params::prior_malus(), depth, ply);
            }
        }

        // ... or from the want of one: the move before was good.
        if best_score <= original_alpha && excluded.is_none() {
            self.reward_prior(params::prior_bonus(), depth, ply);
        }

        // 20. Remember, except what holds on this path only.
        if excluded.is_none() && !score::is_rule(best_score) {
            let bound = bound_of(best_score, original_alpha, beta);
            let entry = Entry {
                mv: best_move,
                score: score::to_table(best_score, ply),
                eval: raw_eval,
                depth,
                bound,
                was_pv,
            };
            self.table.put(key, entry);
            let quiet_best = best_move.is_none() || !is_capture(&self.position, best_move);
            let static_eval = self.frame(ply).static_eval;
            let informative = match bound {
                Bound::Exact => true,
                Bound::Lower => best_score > static_eval,
                Bound::Upper => best_score < static_eval,
            };
            if !in_check && quiet_best && informative && !score::is_decided(best_score) {
                let keys = *self.evaluator.keys();
                self.histories.update_correction(side, &keys, best_score - static_eval, depth);
            }
        }
        best_score
    }

    /// Near the natural limit the table, which knows nothing of the game's length, is not trusted with cutoffs.
    #[inline]
    pub(super) fn table_may_decide(&self) -> bool {
        let limit = self.shared.options.rules.natural_limit;
        params::use_table_cutoffs() != 0 && (limit == 0 || self.position.quiet_plies() + 16 < limit)
    }

    /// Better than two plies ago?
    #[inline]
    fn is_improving(&self, ply: usize) -> bool {
        let now = self.frame(ply).static_eval;
        let earlier = |back| match self.frame_before(ply, back).static_eval {
            score::NONE => None,
            eval if ply >= back => Some(eval),
            _ => None,
        };
        earlier(2).or_else(|| earlier(4)).is_none_or(|eval| now > eval)
    }

    /// Worth an extension: a check near the horizon that loses nothing, or the only answer to a check.
    #[inline]
    fn is_forcing<N: Node>(&self, mv: Move, depth: i32, in_check: bool, gives_check: bool) -> bool {
        let safe_check = gives_check
            && params::use_check_extension() != 0
            && depth <= 8
            && self.position.see_at_least(mv, 0);
        safe_check || in_check && params::use_single_reply() != 0 && N::PV && self.position.count_legal() == 1
    }
}

/// What a score says about the window it was searched with.
#[inline]
pub(super) fn bound_of(score: Score, alpha: Score, beta: Score) -> Bound {
    if score >= beta {
        Bound::Lower
    } else if score > alpha {
        Bound::Exact
    } else {
        Bound::Upper
    }
}

/// The worth of a victim, for the quiescence search.
#[inline]
pub(super) fn victim_value(worker: &Worker, mv: Move) -> Score {
    match worker.position.piece_at(mv.to()).kind() {
        Some(kind) if mv.from() != mv.to() => piece_value(kind),
        _ => 0,
    }
}
