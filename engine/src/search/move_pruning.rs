//! Whether a single move is searched at all: late move pruning, futility, history and exchange pruning.
//!
//! The formulas stand here, without a search around them; when they are asked stands in the numbered steps of `negamax`.

use super::node::{MoveFacts, NodeFacts};
use super::params;
use super::reductions::base_reduction;
use crate::board::Position;

/// What becomes of a move, and of the quiet moves after it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Fate {
    Search,
    /// It is searched, but no quiet move after it.
    SearchAsLast,
    Skip,
    /// Neither it nor any quiet move after it.
    SkipAll,
}

/// Pruning of single moves, not to be asked before a way not to be mated is known, nor in check. `reduction` is the late
/// move reduction.
#[inline]
pub(super) fn fate(node: &NodeFacts, mv: &MoveFacts, reduction: i32, position: &Position) -> Fate {
    let depth = node.depth;
    if mv.is_capture {
        let loses = !mv.gives_check
            && depth <= params::see_capture_depth()
            && !position.see_at_least(mv.mv, -params::see_capture_margin() * depth);
        return if loses { Fate::Skip } else { Fate::Search };
    }
    // Late move pruning: so many quiet moves are enough at this depth.
    let limit = (params::lmp_base() * 100 + params::lmp_slope() * depth * depth)
        / if node.improving { 100 } else { 200 };
    let is_last = mv.number > limit;
    let searched = if is_last { Fate::SearchAsLast } else { Fate::Search };
    if mv.gives_check {
        return searched;
    }
    let skipped = if is_last { Fate::SkipAll } else { Fate::Skip };
    let reduced = (depth - 1 - base_reduction(depth, mv.number) / 100).max(0);
    // Futility: so far below alpha that no quiet move will make up for it.
    if node.is_estimable && reduced <= params::futility_depth() {
        let hope = params::futility_base()
            + params::futility_margin() * reduced
            + mv.history / params::futility_history();
        if node.static_eval + hope <= node.alpha {
            return skipped;
        }
    }
    // A bad history, or a loss in the exchange.
    if reduced <= params::history_prune_depth()
        && mv.history < -params::history_prune_margin() * (reduced + 1)
    {
        return skipped;
    }
    let reduced = (depth - 1 - reduction / 100).clamp(0, depth);
    if reduced <= params::see_quiet_depth()
        && !position.see_at_least(mv.mv, -params::see_quiet_margin() * reduced * reduced)
    {
        return skipped;
    }
    searched
}
