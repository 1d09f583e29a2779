//! Forward pruning. [`prune_decision`] prunes single moves: late move pruning, futility, history and SEE pruning. Node
//! pruning: the margin of reverse futility, null move and ProbCut. The steps of `negamax` call them.
//!
//! Extensions: which moves are searched deeper, in step 14 of `negamax`.
//!
//! Late move reduction (LMR): how much less deep a late move is searched, in step 15 of `negamax`.

use super::move_picker::{MovePicker, OrderingHints, PickerMode};
use super::node::{MoveContext, NodeContext, NodeType, NonPv};
use super::params;
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
    if node.allows_eval_pruning() && lmr_depth <= params::futility_depth() {
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

/// Result of a singular search.
pub(super) enum SingularResult {
    /// Extend by this many plies; negative values reduce.
    Extend(i32),
    /// Multi-cut: another move also reaches beta, so the node fails high with this score.
    MultiCut(Score),
    Stopped,
}

impl SearchThread<'_> {
    /// Singular extension: searches all moves but `mv` at half depth below the table score. If they fail low, `mv` is
    /// singular and is extended.
    #[inline]
    pub(super) fn singular_extension<N: NodeType>(
        &mut self,
        mv: Move,
        tt_score: Score,
        beta: Score,
        depth: i32,
        ply: usize,
        cut_node: bool,
    ) -> SingularResult {
        let singular_beta = tt_score - params::singular_margin() * depth / 8;
        self.stack[ply].excluded = Some(mv);
        let value = self.negamax::<NonPv>(
            singular_beta - 1,
            singular_beta,
            (depth - 1) / params::singular_depth_divisor(),
            ply,
            cut_node,
        );
        self.stack[ply].excluded = None;
        if self.stopped {
            return SingularResult::Stopped;
        }
        if value < singular_beta {
            let on_pv = |margin: Score| if N::PV { margin } else { 0 };
            let double = params::double_extension_margin() + on_pv(params::double_extension_pv());
            let triple = params::triple_extension_margin() + on_pv(params::triple_extension_pv());
            let by_far = i32::from(value < singular_beta - double);
            let by_very_far = i32::from(value < singular_beta - triple);
            SingularResult::Extend(1 + by_far + by_very_far)
        } else if value >= beta && !score::is_decisive(value) {
            SingularResult::MultiCut(value)
        } else if tt_score >= beta {
            SingularResult::Extend(-params::singular_above_beta())
        } else if cut_node {
            SingularResult::Extend(-params::singular_cut_node())
        } else {
            SingularResult::Extend(0)
        }
    }

    /// Whether a forcing move is extended: a check near the horizon that loses no material, or the only evasion on a
    /// PV.
    #[inline]
    pub(super) fn is_forcing_move<N: NodeType>(&self, mv: Move, depth: i32, in_check: bool, gives_check: bool) -> bool {
        let safe_check = gives_check && depth <= params::check_extension_depth() && self.position.see_ge(mv, 0);
        safe_check || N::PV && in_check && params::single_reply_extension() > 0 && self.position.count_legal() == 1
    }
}

/// 100 ln(n) for n from 0 to 63, with 0 for n = 0.
static LOG_TABLE: [i32; 64] = [
    0, 0, 69, 110, 139, 161, 179, 195, 208, 220, 230, 240, 248, 256, 264, 271, 277, 283, 289, 294, 300, 304, 309, 314,
    318, 322, 326, 330, 333, 337, 340, 343, 347, 350, 353, 356, 358, 361, 364, 366, 369, 371, 374, 376, 378, 381, 383,
    385, 387, 389, 391, 393, 395, 397, 399, 401, 403, 404, 406, 408, 409, 411, 413, 414,
];

/// The late move reduction by depth and move number alone, in hundredths of a ply.
#[inline]
pub(super) fn base_lmr(depth: i32, move_number: i32) -> i32 {
    let product = LOG_TABLE[depth.clamp(0, 63) as usize] * LOG_TABLE[move_number.clamp(0, 63) as usize];
    params::lmr_base() + product / params::lmr_divisor()
}

/// The late move reduction of a move, in hundredths of a ply; see [`reduced_depth`].
#[inline]
pub(super) fn late_move_reduction(node: &NodeContext, mv: &MoveContext) -> i32 {
    let mut reduction = base_lmr(node.depth, mv.move_number);
    reduction += params::lmr_cut_node() * i32::from(node.cut_node);
    reduction += params::lmr_no_tt_move() * i32::from(node.cut_node && !node.has_tt_move);
    reduction += params::lmr_not_improving() * i32::from(!node.improving);
    reduction += params::lmr_tt_capture() * i32::from(node.tt_move_is_capture && !mv.is_capture);
    reduction += params::lmr_child_cutoffs() * i32::from(node.child_cutoffs > params::lmr_min_child_cutoffs() as u32);
    reduction -= params::lmr_pv() * i32::from(node.was_pv);
    reduction -= params::lmr_pv_tt_above_alpha() * i32::from(node.was_pv && node.tt_score_above_alpha());
    reduction -= params::lmr_check() * i32::from(mv.gives_check);
    reduction -= params::lmr_in_check() * i32::from(node.in_check);
    reduction -= params::lmr_capture() * i32::from(mv.is_capture);
    reduction - 100 * mv.history / params::lmr_history()
}

/// The depth of the reduced search: at least 1, and no deeper than `new_depth`.
#[inline]
pub(super) fn reduced_depth(new_depth: i32, reduction: i32) -> i32 {
    (new_depth - reduction / 100).clamp(1, new_depth.max(1))
}

#[cfg(test)]
#[path = "tests/reductions.rs"]
mod reduction_tests;

#[cfg(test)]
#[path = "tests/pruning.rs"]
mod tests;
