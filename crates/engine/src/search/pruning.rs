//! Forward pruning. [`prune_decision`] prunes single moves: late move pruning, futility, history and SEE pruning. Node
//! pruning: the margin of reverse futility, null move and ProbCut. The steps of `negamax` call them.

use super::move_picker::{MovePicker, OrderingHints, PickerMode};
use super::node::{MoveContext, NodeContext, NonPv};
use super::params;
use super::reductions::base_lmr;
use super::search_thread::SearchThread;
use super::transposition_table::TtEntry;
use crate::score::{self, Bound, Score};
use xiangqi::{Move, Position};

/// What to do with a move and with the quiet moves after it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum PruneDecision {
    Search,
    /// Search this move, skip all later quiet moves.
    SearchSkipRest,
    Skip,
    /// Skip this move and all later quiet moves.
    SkipRest,
}

/// Decides whether to prune a move. Call it only out of check and once best_score is not a mated score. `reduction` is
/// the late move reduction in hundredths of a ply.
#[inline]
pub(super) fn prune_decision(
    node: &NodeContext,
    mv: &MoveContext,
    reduction: i32,
    position: &Position,
) -> PruneDecision {
    let depth = node.depth;
    // SEE pruning of captures.
    if mv.is_capture {
        let is_losing = !mv.gives_check
            && depth <= params::see_capture_depth()
            && !position.see_ge(mv.mv, -params::see_capture_margin() * depth);
        return if is_losing { PruneDecision::Skip } else { PruneDecision::Search };
    }
    // Late move pruning: limits the number of quiet moves by depth.
    let limit = (params::lmp_base() * 100 + params::lmp_slope() * depth * depth)
        / (100 * if node.improving { 1 } else { params::lmp_not_improving_divisor() });
    let is_last = mv.move_number > limit;
    let search = if is_last { PruneDecision::SearchSkipRest } else { PruneDecision::Search };
    if mv.gives_check {
        return search;
    }
    let skip = if is_last { PruneDecision::SkipRest } else { PruneDecision::Skip };
    let lmr_depth = (depth - 1 - base_lmr(depth, mv.move_number) / 100).max(0);
    // Futility pruning: the static evaluation plus a margin does not reach alpha.
    if node.allows_eval_pruning && lmr_depth <= params::futility_depth() {
        let margin =
            params::futility_base() + params::futility_margin() * lmr_depth + mv.history / params::futility_history();
        if node.static_eval + margin <= node.alpha {
            return skip;
        }
    }
    // History pruning.
    if lmr_depth <= params::history_prune_depth() && mv.history < -params::history_prune_margin() * (lmr_depth + 1) {
        return skip;
    }
    // SEE pruning of quiet moves.
    let lmr_depth = (depth - 1 - reduction / 100).clamp(0, depth);
    if lmr_depth <= params::see_quiet_depth()
        && !position.see_ge(mv.mv, -params::see_quiet_margin() * lmr_depth * lmr_depth)
    {
        return skip;
    }
    search
}

/// Margin above beta at which reverse futility pruning cuts.
#[inline]
pub(super) fn reverse_futility_margin(depth: i32, improving: bool) -> i32 {
    params::rfp_margin() * depth + params::rfp_square() * depth * depth - params::rfp_improving() * i32::from(improving)
}

impl SearchThread<'_> {
    /// Null move pruning at cut nodes. The cutoff is verified at high depth and, because of zugzwang, with few pieces.
    pub(super) fn try_null_move(
        &mut self,
        beta: Score,
        depth: i32,
        ply: usize,
        eval: Score,
        cut_node: bool,
    ) -> Option<Score> {
        let attackers = self.position.major_count(self.position.side());
        let applies = self.pruning.null_move
            && cut_node
            && depth >= params::null_depth()
            && eval >= beta
            && self.stack[ply].static_eval + params::null_static_slope() * depth >= beta + params::null_static_base()
            && self.stack.entry_before(ply, 1).piece_to.is_some()
            && ply >= self.null_move_min_ply
            && attackers > 0;
        if !applies {
            return None;
        }
        let reduction = params::null_base()
            + depth / params::null_depth_divisor()
            + ((eval - beta) / params::null_eval_divisor()).min(params::null_eval_max());
        let entry = &mut self.stack[ply];
        entry.current_move = None;
        entry.piece_to = None;
        self.position.play_null();
        self.tt.prefetch(self.position.key());
        let value = -self.negamax::<NonPv>(-beta, -beta + 1, depth - reduction, ply + 1, false);
        self.position.undo();
        if self.stopped || value < beta {
            return None;
        }
        // A decisive score after a null move is not proven.
        let value = if score::is_decisive(value) { beta } else { value };
        if depth < params::null_verify_depth() && attackers > params::null_verify_majors() as usize
            || self.null_move_min_ply > 0
        {
            return Some(value);
        }
        let before = self.null_move_min_ply;
        self.null_move_min_ply = ply + ((depth - reduction).max(1) * params::null_verify_plies() / 100) as usize + 1;
        let verified = self.negamax::<NonPv>(beta - 1, beta, (depth - reduction).max(1), ply, false);
        self.null_move_min_ply = before;
        (!self.stopped && verified >= beta).then_some(value)
    }

    /// ProbCut: searches captures at reduced depth against `raised_beta`.
    pub(super) fn try_probcut(
        &mut self,
        raised_beta: Score,
        depth: i32,
        ply: usize,
        raw_eval: Score,
        tt_move: Option<Move>,
    ) -> Option<Score> {
        let threshold = raised_beta - self.stack[ply].static_eval;
        let hints = OrderingHints { tt_move, ..OrderingHints::default() };
        let mode = PickerMode::Quiescence { checks: false };
        let mut picker = MovePicker::new(&self.position, mode, hints);
        let mut result = None;
        while let Some(mv) = picker.next(&self.position, self.histories) {
            if !self.position.see_ge(mv, threshold) {
                continue;
            }
            self.prefetch(mv);
            self.make_move(ply, mv);
            let mut value = -self.quiescence::<NonPv>(-raised_beta, -raised_beta + 1, 0, ply + 1);
            if value >= raised_beta {
                value = -self.negamax::<NonPv>(
                    -raised_beta,
                    -raised_beta + 1,
                    depth - params::probcut_reduction(),
                    ply + 1,
                    true,
                );
            }
            self.unmake_move();
            if self.stopped {
                break;
            }
            if value >= raised_beta {
                if !score::is_decisive(value) {
                    let entry = TtEntry {
                        mv: Some(mv),
                        score: score::to_tt(value, ply),
                        eval: raw_eval,
                        depth: depth - params::probcut_reduction() + 1,
                        bound: Bound::Lower,
                        was_pv: false,
                    };
                    self.tt.store(self.position.key(), entry);
                    result = Some(value);
                }
                break;
            }
        }
        result
    }
}

#[cfg(test)]
#[path = "tests/pruning.rs"]
mod tests;
