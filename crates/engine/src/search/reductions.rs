//! Late move reduction (LMR): how much less deep a late move is searched, in step 15 of `negamax`.

use super::node::{MoveContext, NodeContext};
use super::params;

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
    reduction -= params::lmr_pv_tt_above_alpha() * i32::from(node.was_pv && node.tt_score_above_alpha);
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
mod tests;
