//! Which moves are searched deeper than their node asks: singular ones, and forcing ones near the horizon.

use super::node::{Cut, Node};
use super::params;
use super::worker::Worker;
use crate::types::{Move, Score};

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
        let value = self.negamax::<Cut>(singular_beta - 1, singular_beta, (depth - 1) / 2, ply, cut_node);
        self.frames[ply].excluded = Move::NONE;
        if self.stopped {
            return Singular::Stopped;
        }
        if value < singular_beta {
            let by_far = !N::PV && value < singular_beta - params::double_margin();
            Singular::Extend(if by_far { 2 } else { 1 })
        } else if singular_beta >= beta {
            Singular::MultiCut(singular_beta)
        } else if table_score >= beta {
            Singular::Extend(-2)
        } else if cut_node {
            Singular::Extend(-1)
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
        let safe_check = gives_check && depth <= 8 && self.position.see_at_least(mv, 0);
        safe_check || in_check && N::PV && self.position.count_legal() == 1
    }
}
