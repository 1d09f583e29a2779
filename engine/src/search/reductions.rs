//! Late move reductions (LMR): by how much less deep a move is searched first that comes late in a good order.
//!
//! The formula stands here, without a search around it; when it is asked stands in the numbered steps of `negamax`.

use super::node::{MoveFacts, NodeFacts};
use super::params;

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

/// The late move reduction of a move, in hundredths of a ply.
#[inline]
pub(super) fn late_move_reduction(node: &NodeFacts, mv: &MoveFacts) -> i32 {
    let mut reduction = base_reduction(node.depth, mv.number);
    reduction += params::lmr_cut() * i32::from(node.cut_node);
    reduction += params::lmr_no_move() * i32::from(node.cut_node && !node.has_table_move);
    reduction += params::lmr_worsening() * i32::from(!node.improving);
    reduction += params::lmr_table_capture() * i32::from(node.table_is_capture && !mv.is_capture);
    reduction += params::lmr_cutoffs() * i32::from(node.cutoffs > params::lmr_cutoffs_from() as u32);
    reduction -= params::lmr_pv() * i32::from(node.was_pv);
    reduction -= params::lmr_pv_better() * i32::from(node.was_pv && node.table_is_better);
    reduction -= params::lmr_check() * i32::from(mv.gives_check);
    reduction -= params::lmr_in_check() * i32::from(node.in_check);
    reduction -= params::lmr_capture() * i32::from(mv.is_capture);
    reduction - 100 * mv.history / params::lmr_history()
}
