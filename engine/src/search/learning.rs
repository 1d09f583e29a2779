//! What a best move teaches: which move is tried earlier next time, and which ones later.

use super::history::PieceTo;
use super::params;
use super::picker::is_capture;
use super::report::Bound;
use super::worker::Worker;
use crate::types::{Color, Move, Score, score};
use arrayvec::ArrayVec;

/// Moves that were tried before the one that cut.
pub(super) type Tried = ArrayVec<Move, 32>;

impl Worker<'_> {
    /// How far the static evaluation was off (correction history), if this score tells: not as a bound that it meets.
    #[inline]
    pub(super) fn learn_correction(&mut self, score: Score, bound: Bound, depth: i32, ply: usize) {
        let static_eval = self.frames[ply].static_eval;
        if bound.betters(score, static_eval) && !score::is_known(score) {
            let keys = *self.evaluator.keys();
            self.histories.update_correction(self.position.side(), &keys, score - static_eval, depth);
        }
    }

    /// A table move that cuts at once is as good as one found by searching.
    pub(super) fn reward_table_move(&mut self, mv: Move, depth: i32, ply: usize) {
        if self.position.is_pseudo_legal(mv) && !is_capture(&self.position, mv) {
            let piece_to = PieceTo::new(self.position.piece_at(mv.from()), mv.to());
            let before = self.frames.piece_tos_before(ply);
            let bonus = history_bonus(depth);
            self.histories.update_quiet(self.position.side(), mv, piece_to, &before, bonus);
        }
    }

    /// The quiet move that led to this node, with its piece and target; its mover is the side not on
    /// move now.
    #[inline]
    fn prior_quiet(&self, ply: usize) -> Option<(Move, PieceTo)> {
        let frame = self.frames.before(ply, 1);
        match frame.piece_to {
            Some(piece_to) if ply > 0 && self.position.last_captured().is_none() => {
                Some((frame.current, piece_to))
            }
            _ => None,
        }
    }

    /// Nothing here came up to what was hoped for: the quiet move that led here was good.
    pub(super) fn reward_prior(&mut self, depth: i32, ply: usize) {
        self.teach_prior(params::prior_bonus(), depth, ply);
    }

    /// The quiet move that led here was refuted.
    pub(super) fn punish_prior(&mut self, depth: i32, ply: usize) {
        self.teach_prior(-params::prior_malus(), depth, ply);
    }

    /// `percent` of a bonus for the quiet move that led here.
    fn teach_prior(&mut self, percent: i32, depth: i32, ply: usize) {
        if let Some((mv, piece_to)) = self.prior_quiet(ply) {
            let before = self.frames.piece_tos_before(ply - 1);
            let bonus = history_bonus(depth) * percent / 100;
            self.histories.update_quiet(!self.position.side(), mv, piece_to, &before, bonus);
        }
    }

    /// A quiet move that bettered the static evaluation of its side gains a little before it is searched.
    #[inline]
    pub(super) fn learn_from_evaluation(&mut self, ply: usize) {
        let (before, now) = (self.frames.before(ply, 1).static_eval, self.frames[ply].static_eval);
        if params::eval_history() == 0 || before == score::NONE || now == score::NONE {
            return;
        }
        if let Some((mv, _)) = self.prior_quiet(ply) {
            let gain = (-(before + now) * params::eval_history() / 16).clamp(-1200, 1200);
            self.histories.update_butterfly(!self.position.side(), mv, gain);
        }
    }

    /// A reduced move that did better than thought was looked at again: it was good, or only seemed so.
    #[inline]
    pub(super) fn learn_from_second_look(
        &mut self,
        good: bool,
        side: Color,
        mv: Move,
        piece_to: PieceTo,
        before: &[Option<PieceTo>; 3],
        depth: i32,
    ) {
        if !self.stopped {
            let bonus = history_bonus(depth) * params::second_look() / 100;
            self.histories.update_quiet(side, mv, piece_to, before, if good { bonus } else { -bonus });
        }
    }

    /// The best move is rewarded, those tried before it pay.
    pub(super) fn learn(&mut self, best: Move, depth: i32, ply: usize, quiets: &[Move], captures: &[Move]) {
        let side = self.position.side();
        let before = self.frames.piece_tos_before(ply);
        let bonus = history_bonus(depth);
        let malus = (params::history_malus() * depth).min(params::history_malus_max());
        let mover = self.position.piece_at(best.from());
        let piece_to = PieceTo::new(mover, best.to());
        if is_capture(&self.position, best) {
            let victim = self.position.piece_at(best.to());
            self.histories.update_capture(piece_to, victim, bonus);
        } else {
            self.histories.update_quiet(side, best, piece_to, &before, bonus);
            self.histories.set_counter(before[0], best);
            let killers = &mut self.frames[ply].killers;
            if killers[0] != best {
                *killers = [best, killers[0]];
            }
            for &mv in quiets {
                let piece_to = PieceTo::new(self.position.piece_at(mv.from()), mv.to());
                self.histories.update_quiet(side, mv, piece_to, &before, -malus);
            }
        }
        for &mv in captures {
            let piece_to = PieceTo::new(self.position.piece_at(mv.from()), mv.to());
            let victim = self.position.piece_at(mv.to());
            self.histories.update_capture(piece_to, victim, -malus);
        }
    }
}

#[inline]
fn history_bonus(depth: i32) -> i32 {
    (params::history_bonus() * depth).min(params::history_bonus_max())
}
