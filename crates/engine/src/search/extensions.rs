//! Extensions: which moves are searched deeper, in step 14 of `negamax`.

use super::node::{NodeType, NonPv};
use super::params;
use super::search_thread::SearchThread;
use crate::score::{self, Score};
use xiangqi::Move;

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
