//! Whether a single move is searched at all: late move pruning, futility, history and exchange pruning.
//!
//! The formulas stand here, without a search around them; when they are asked stands in the numbered steps of `negamax`.
//!
//! Pruning of whole nodes: the margin of reverse futility, and by a smaller search the null move and probcut.

use super::info::Bound;
use super::move_picker::{MovePicker, OrderingHints, PickerMode};
use super::node::{MoveContext, NodeContext, NonPv};
use super::params;
use super::reductions::base_lmr;
use super::search_thread::SearchThread;
use super::transposition_table::TtEntry;
use crate::board::Position;
use crate::types::{Move, Score, score};

/// What becomes of a move, and of the quiet moves after it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum PruneDecision {
    Search,
    /// It is searched, but no quiet move after it.
    SearchSkipRest,
    Skip,
    /// Neither it nor any quiet move after it.
    SkipRest,
}

/// Pruning of single moves, not to be asked before a way not to be mated is known, nor in check. `reduction` is the late
/// move reduction.
#[inline]
pub(super) fn prune_decision(
    node: &NodeContext,
    mv: &MoveContext,
    reduction: i32,
    position: &Position,
) -> PruneDecision {
    let depth = node.depth;
    if mv.is_capture {
        let loses = !mv.gives_check
            && depth <= params::see_capture_depth()
            && !position.see_ge(mv.mv, -params::see_capture_margin() * depth);
        return if loses { PruneDecision::Skip } else { PruneDecision::Search };
    }
    // Late move pruning: so many quiet moves are enough at this depth.
    let limit =
        (params::lmp_base() * 100 + params::lmp_slope() * depth * depth) / if node.improving { 100 } else { 200 };
    let is_last = mv.move_number > limit;
    let searched = if is_last { PruneDecision::SearchSkipRest } else { PruneDecision::Search };
    if mv.gives_check {
        return searched;
    }
    let skipped = if is_last { PruneDecision::SkipRest } else { PruneDecision::Skip };
    let reduced = (depth - 1 - base_lmr(depth, mv.move_number) / 100).max(0);
    // Futility: so far below alpha that no quiet move will make up for it.
    if node.allows_eval_pruning && reduced <= params::futility_depth() {
        let hope =
            params::futility_base() + params::futility_margin() * reduced + mv.history / params::futility_history();
        if node.static_eval + hope <= node.alpha {
            return skipped;
        }
    }
    // A bad history, or a loss in the exchange.
    if reduced <= params::history_prune_depth() && mv.history < -params::history_prune_margin() * (reduced + 1) {
        return skipped;
    }
    let reduced = (depth - 1 - reduction / 100).clamp(0, depth);
    if reduced <= params::see_quiet_depth() && !position.see_ge(mv.mv, -params::see_quiet_margin() * reduced * reduced)
    {
        return skipped;
    }
    searched
}

/// How far above beta a node of this depth must be, so that no reply will change it.
#[inline]
pub(super) fn reverse_futility_margin(depth: i32, improving: bool) -> i32 {
    params::rfp_margin() * depth + params::rfp_square() * depth * depth - params::rfp_improving() * i32::from(improving)
}

impl SearchThread<'_> {
    /// At a node expected to cut, passing is answered by a reduced search; in endings, where passing may be the best
    /// move there is, and deep in the tree a cutoff is verified.
    pub(super) fn try_null_move(
        &mut self,
        beta: Score,
        depth: i32,
        ply: usize,
        eval: Score,
        cut_node: bool,
    ) -> Option<Score> {
        let attackers = self.position.major_count(self.position.side());
        let wanted = self.pruning.null_move
            && cut_node
            && depth >= params::null_depth()
            && eval >= beta
            && self.stack[ply].static_eval + params::null_static_slope() * depth >= beta + params::null_static_base()
            && self.stack.entry_before(ply, 1).piece_to.is_some()
            && ply >= self.null_move_min_ply
            && attackers > 0;
        if !wanted {
            return None;
        }
        let reduction = params::null_base()
            + depth / params::null_depth_divisor()
            + ((eval - beta) / params::null_eval_divisor()).min(params::null_eval_max());
        let frame = &mut self.stack[ply];
        frame.current_move = Move::NONE;
        frame.piece_to = None;
        self.position.make_null();
        self.tt.prefetch(self.position.key());
        let value = -self.negamax::<NonPv>(-beta, -beta + 1, depth - reduction, ply + 1, false);
        self.position.unmake_null();
        if self.stopped || value < beta {
            return None;
        }
        // A mate behind a null move is not proven.
        let value = if score::is_decisive(value) { beta } else { value };
        if depth < params::null_verify_depth() && attackers > 2 || self.null_move_min_ply > 0 {
            return Some(value);
        }
        let before = self.null_move_min_ply;
        self.null_move_min_ply = ply + ((depth - reduction).max(1) as usize) * 3 / 4 + 1;
        let verified = self.negamax::<NonPv>(beta - 1, beta, (depth - reduction).max(1), ply, false);
        self.null_move_min_ply = before;
        (!self.stopped && verified >= beta).then_some(value)
    }

    /// See step 9.
    pub(super) fn try_probcut(
        &mut self,
        raised_beta: Score,
        depth: i32,
        ply: usize,
        raw_eval: Score,
        table_move: Move,
    ) -> Option<Score> {
        let needed = raised_beta - self.stack[ply].static_eval;
        let memory = self.take_buffers();
        let hints = OrderingHints { tt_move: table_move, ..OrderingHints::default() };
        let mode = PickerMode::Quiescence { checks: false };
        let mut picker = MovePicker::new(memory, &self.position, mode, hints);
        let mut result = None;
        while let Some(mv) = picker.next(&self.position, self.histories) {
            if !self.position.see_ge(mv, needed) {
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
                        mv,
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
        self.return_buffers(picker.into_buffers());
        result
    }
}
