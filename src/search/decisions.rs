//! What is decided about a single move, from a few facts about it and its node: whether it is searched at all, and how
//! deep (late move pruning, futility, history and exchange pruning; late move reductions). The margin of reverse futility
//! stands here too.
//!
//! The formulas stand here, without a search around them; when they are asked stands in the numbered steps of `negamax`.

use super::params;
use crate::board::Position;
use crate::types::{Move, Score};

/// What is known about a node when its moves are decided about.
#[derive(Clone, Copy)]
pub(super) struct NodeFacts {
    /// Plies still to be searched.
    pub depth: i32,
    /// What a move must better.
    pub alpha: Score,
    /// The static evaluation, corrected.
    pub static_eval: Score,
    /// The window is one that static evaluations may prune in.
    pub is_estimable: bool,
    /// The side to move is in check.
    pub in_check: bool,
    /// The static evaluation is better than two plies ago.
    pub improving: bool,
    /// It is, or once was, on a principal variation.
    pub was_pv: bool,
    /// It is expected to fail high.
    pub cut_node: bool,
    /// The hash table knows a move.
    pub has_table_move: bool,
    /// That move is a capture.
    pub table_is_capture: bool,
    /// The hash table knows a score, and it betters alpha.
    pub table_is_better: bool,
    /// How many of its children have cut off.
    pub cutoffs: u32,
}

/// What is known about a move before it is made.
#[derive(Clone, Copy)]
pub(super) struct MoveFacts {
    /// The move.
    pub mv: Move,
    /// Its number in the order, from 1.
    pub number: i32,
    /// It takes something.
    pub is_capture: bool,
    /// It attacks the king.
    pub gives_check: bool,
    /// What the histories think of it.
    pub history: i32,
}

/// What becomes of a move, and of the quiet moves after it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Fate {
    /// It is searched.
    Search,
    /// It is searched, but no quiet move after it.
    SearchAsLast,
    /// It is not.
    Skip,
    /// Neither it nor any quiet move after it.
    SkipAll,
}

/// Hundredfold natural logarithms of 0 to 63, for the reductions.
static LOGARITHMS: [i32; 64] = [
    0, 0, 69, 110, 139, 161, 179, 195, 208, 220, 230, 240, 248, 256, 264, 271, 277, 283, 289, 294, 300, 304,
    309, 314, 318, 322, 326, 330, 333, 337, 340, 343, 347, 350, 353, 356, 358, 361, 364, 366, 369, 371, 374,
    376, 378, 381, 383, 385, 387, 389, 391, 393, 395, 397, 399, 401, 403, 404, 406, 408, 409, 411, 413, 414,
];

/// The plain late move reduction (LMR), in hundredths of a ply.
#[inline]
pub(super) fn base_reduction(depth: i32, number: i32) -> i32 {
    let product = LOGARITHMS[depth.clamp(0, 63) as usize] * LOGARITHMS[number.clamp(0, 63) as usize];
    params::lmr_base() + product / params::lmr_divisor()
}

/// How far above beta a node of this depth must be, so that no reply will change it.
#[inline]
pub(super) fn reverse_futility_margin(depth: i32, improving: bool) -> i32 {
    params::rfp_margin() * depth + params::rfp_square() * depth * depth
        - params::rfp_improving() * i32::from(improving)
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

/// The late move reduction of a move, in hundredths of a ply.
#[inline]
pub(super) fn late_move_reduction(node: &NodeFacts, mv: &MoveFacts) -> i32 {
    let mut reduction = base_reduction(node.depth, mv.number);
    reduction += params::lmr_cut() * i32::from(node.cut_node);
    reduction += params::lmr_no_move() * i32::from(node.cut_node && !node.has_table_move);
    reduction += params::lmr_worsening() * i32::from(!node.improving);
    reduction += params::lmr_table_capture() * i32::from(node.table_is_capture && !mv.is_capture);
    reduction += params::lmr_cutoffs() * i32::from(node.cutoffs > 3);
    reduction -= params::lmr_pv() * i32::from(node.was_pv);
    reduction -= params::lmr_pv_better() * i32::from(node.was_pv && node.table_is_better);
    reduction -= params::lmr_check() * i32::from(mv.gives_check);
    reduction -= params::lmr_in_check() * i32::from(node.in_check);
    reduction -= params::lmr_capture() * i32::from(mv.is_capture);
    reduction - 100 * mv.history / params::lmr_history()
}
