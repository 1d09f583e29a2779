//! Which moves are searched deeper than their node asks: singular ones, and forcing ones near the horizon.

use super::node::{Node, NonPv};
use super::params;
use super::worker::Worker;
use crate::types::{Move, Score, score};

/// What the search for a move as good as that of the hash table has shown.
pub(super) enum Singular {
    /// So many plies more, or less.
    Extend(i32),
    /// Several moves beat beta: one of them will at full depth.
    MultiCut(Score),
    /// The search was stopped.
    Stopped,
}

impl Worker<'_> {
    /// Is this move, whose score the hash table knows, so much better than all others?
    #[inline]
    pub(super) fn singular_extension<N: Node>(
        &mut self,
        mv: Move,
        table_score: Score,
        beta: Score,
        depth: i32,
        ply: usize,
        cut_node: bool,
    ) -> Singular {
        let singular_beta = table_score - params::singular_margin() * depth / 8;
        self.frames[ply].excluded = mv;
        let value = self.negamax::<NonPv>(singular_beta - 1, singular_beta, (depth - 1) / 2, ply, cut_node);
        self.frames[ply].excluded = Move::NONE;
        if self.stopped {
            return Singular::Stopped;
        }
        if value < singular_beta {
            let on_pv = |margin: Score| if N::PV { margin } else { 0 };
            let double = params::double_margin() + on_pv(params::double_pv());
            let triple = params::triple_margin() + on_pv(params::triple_pv());
            let by_far = i32::from(value < singular_beta - double);
            let by_very_far = i32::from(value < singular_beta - triple);
            Singular::Extend(1 + by_far + by_very_far)
        } else if value >= beta && !score::is_known(value) {
            Singular::MultiCut(value)
        } else if table_score >= beta {
            Singular::Extend(-params::singular_above())
        } else if cut_node {
            Singular::Extend(-params::singular_cut())
        } else {
            Singular::Extend(0)
        }
    }

    /// Worth an extension: a check near the horizon that loses nothing, or the only answer to a check.
    #[inline]
    pub(super) fn is_forcing<N: Node>(
        &self,
        mv: Move,
        depth: i32,
        in_check: bool,
        gives_check: bool,
    ) -> bool {
        let safe_check = gives_check && depth <= params::check_depth() && self.position.see_at_least(mv, 0);
        safe_check || N::PV && in_check && params::single_reply() > 0 && self.position.count_legal() == 1
    }
}
