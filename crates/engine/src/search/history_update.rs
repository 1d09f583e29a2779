//! Updates of the histories by the search: bonuses and maluses after cutoffs, fail lows and re-searches.

use super::history::{ContinuationKeys, PieceTo};
use super::move_picker::{captured_piece, is_capture};
use super::params;
use super::search_thread::SearchThread;
use crate::score::{self, Bound, Score};
use arrayvec::ArrayVec;
use xiangqi::{Color, Move};

/// Moves searched before the best one.
pub(super) type TriedMoves = ArrayVec<Move, 32>;

impl SearchThread<'_> {
    /// Updates correction history, unless the score is a bound that the static evaluation satisfies.
    #[inline]
    pub(super) fn update_correction_history(&mut self, score: Score, bound: Bound, depth: i32, ply: usize) {
        let static_eval = self.stack[ply].static_eval;
        if bound.improves(score, static_eval) && !score::is_decisive(score) {
            let keys = *self.observer.correction_keys();
            self.histories.update_correction(self.position.side(), &keys, score - static_eval, depth);
        }
    }

    /// Bonus for a quiet table move that causes a cutoff in the transposition table.
    pub(super) fn reward_tt_move(&mut self, mv: Move, depth: i32, ply: usize) {
        if self.position.is_pseudo_legal(mv) && !is_capture(&self.position, mv) {
            let piece_to = PieceTo::new(self.position.moved_piece(mv), mv.to());
            let continuation_keys = self.stack.continuation_keys(ply);
            let bonus = history_bonus(depth);
            self.histories.update_quiet(self.position.side(), mv, piece_to, &continuation_keys, bonus);
        }
    }

    /// The quiet move of the opponent that led to this node, with its piece and target.
    #[inline]
    fn prior_quiet_move(&self, ply: usize) -> Option<(Move, PieceTo)> {
        let entry = self.stack.entry_before(ply, 1);
        match entry.piece_to {
            Some(piece_to) if ply > 0 && self.position.last_captured().is_none() => {
                Some((entry.current_move?, piece_to))
            }
            _ => None,
        }
    }

    /// Bonus for the quiet move that led to this node, which failed low.
    pub(super) fn reward_prior_move(&mut self, depth: i32, ply: usize) {
        self.update_prior_move(params::prior_bonus(), depth, ply);
    }

    /// Malus for the quiet move that led to this node, which failed high.
    pub(super) fn penalize_prior_move(&mut self, depth: i32, ply: usize) {
        self.update_prior_move(-params::prior_malus(), depth, ply);
    }

    /// Gives the quiet move that led to this node `percent` of a bonus.
    fn update_prior_move(&mut self, percent: i32, depth: i32, ply: usize) {
        if let Some((mv, piece_to)) = self.prior_quiet_move(ply) {
            let continuation_keys = self.stack.continuation_keys(ply - 1);
            let bonus = history_bonus(depth) * percent / 100;
            self.histories.update_quiet(!self.position.side(), mv, piece_to, &continuation_keys, bonus);
        }
    }

    /// Updates butterfly history of the quiet move that led to this node by the change of the static evaluation.
    #[inline]
    pub(super) fn update_eval_history(&mut self, ply: usize) {
        let (previous, now) = (self.stack.entry_before(ply, 1).static_eval, self.stack[ply].static_eval);
        if params::eval_history() == 0 || previous == score::NONE || now == score::NONE {
            return;
        }
        if let Some((mv, _)) = self.prior_quiet_move(ply) {
            let gain = (-(previous + now) * params::eval_history() / 16)
                .clamp(-params::eval_history_max(), params::eval_history_max());
            self.histories.update_butterfly(!self.position.side(), mv, gain);
        }
    }

    /// Bonus or malus for a quiet move that was searched again after a late move reduction.
    #[inline]
    pub(super) fn update_post_lmr(
        &mut self,
        good: bool,
        side: Color,
        mv: Move,
        piece_to: PieceTo,
        continuation_keys: &ContinuationKeys,
        depth: i32,
    ) {
        if !self.stopped {
            let bonus = history_bonus(depth) * params::post_lmr_history() / 100;
            self.histories.update_quiet(side, mv, piece_to, continuation_keys, if good { bonus } else { -bonus });
        }
    }

    /// Bonus for the best move, malus for the moves tried before it; sets killers and counter move.
    pub(super) fn update_histories(&mut self, best: Move, depth: i32, ply: usize, quiets: &[Move], captures: &[Move]) {
        let side = self.position.side();
        let continuation_keys = self.stack.continuation_keys(ply);
        let bonus = history_bonus(depth);
        let malus = (params::history_malus() * depth).min(params::history_malus_max());
        let piece_to = PieceTo::new(self.position.moved_piece(best), best.to());
        if let Some(victim) = captured_piece(&self.position, best) {
            self.histories.update_capture(piece_to, victim, bonus);
        } else {
            self.histories.update_quiet(side, best, piece_to, &continuation_keys, bonus);
            self.histories.set_counter_move(continuation_keys[0], best);
            let killers = &mut self.stack[ply].killers;
            if killers[0] != Some(best) {
                *killers = [Some(best), killers[0]];
            }
            for &mv in quiets {
                let piece_to = PieceTo::new(self.position.moved_piece(mv), mv.to());
                self.histories.update_quiet(side, mv, piece_to, &continuation_keys, -malus);
            }
        }
        for &mv in captures {
            let piece_to = PieceTo::new(self.position.moved_piece(mv), mv.to());
            if let Some(victim) = self.position.piece_at(mv.to()) {
                self.histories.update_capture(piece_to, victim, -malus);
            }
        }
    }
}

#[inline]
fn history_bonus(depth: i32) -> i32 {
    (params::history_bonus() * depth).min(params::history_bonus_max())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn history_bonus_grows_with_depth_up_to_its_maximum() {
        assert!((0..100).map(history_bonus).is_sorted());
        assert!((1..100).map(history_bonus).all(|bonus| (1..=params::history_bonus_max()).contains(&bonus)));
        assert_eq!(history_bonus(100), params::history_bonus_max());
    }
}
