//! Pruning of whole nodes: the margin of reverse futility, and by a smaller search the null move and probcut.

use super::hash_table::Entry;
use super::node::NonPv;
use super::params;
use super::picker::{Hints, Mode, Picker};
use super::report::Bound;
use super::worker::Worker;
use crate::types::score;
use crate::types::{Move, Score};

/// How far above beta a node of this depth must be, so that no reply will change it.
#[inline]
pub(super) fn reverse_futility_margin(depth: i32, improving: bool) -> i32 {
    params::rfp_margin() * depth + params::rfp_square() * depth * depth
        - params::rfp_improving() * i32::from(improving)
}

impl Worker<'_> {
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
        let attackers = self.position.majors(self.position.side());
        let wanted = self.allowed.null_move
            && cut_node
            && depth >= params::null_depth()
            && eval >= beta
            && self.frames[ply].static_eval + params::null_static_slope() * depth
                >= beta + params::null_static_base()
            && self.frames.before(ply, 1).piece_to.is_some()
            && ply >= self.null_from_ply
            && attackers > 0;
        if !wanted {
            return None;
        }
        let reduction = params::null_base()
            + depth / params::null_depth_divisor()
            + ((eval - beta) / params::null_eval_divisor()).min(params::null_eval_max());
        let frame = &mut self.frames[ply];
        frame.current = Move::NONE;
        frame.piece_to = None;
        self.position.make_null();
        self.table.prefetch(self.position.key());
        let value = -self.negamax::<NonPv>(-beta, -beta + 1, depth - reduction, ply + 1, false);
        self.position.unmake_null();
        if self.stopped || value < beta {
            return None;
        }
        // A mate behind a null move is not proven.
        let value = if score::is_known(value) { beta } else { value };
        if depth < params::null_verify_depth() && attackers > 2 || self.null_from_ply > 0 {
            return Some(value);
        }
        let before = self.null_from_ply;
        self.null_from_ply = ply + ((depth - reduction).max(1) as usize) * 3 / 4 + 1;
        let verified = self.negamax::<NonPv>(beta - 1, beta, (depth - reduction).max(1), ply, false);
        self.null_from_ply = before;
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
        let needed = raised_beta - self.frames[ply].static_eval;
        let memory = self.take_memory();
        let hints = Hints { table_move, ..Hints::default() };
        let mode = Mode::Quiescence { checks: false };
        let mut picker = Picker::new(memory, &self.position, mode, hints);
        let mut result = None;
        while let Some(mv) = picker.next(&self.position, self.histories) {
            if !self.position.see_at_least(mv, needed) {
                continue;
            }
            self.foresee(mv);
            self.enter(ply, mv);
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
            self.unmake();
            if self.stopped {
                break;
            }
            if value >= raised_beta {
                if !score::is_known(value) {
                    let entry = Entry {
                        mv,
                        score: score::to_table(value, ply),
                        eval: raw_eval,
                        depth: depth - params::probcut_reduction() + 1,
                        bound: Bound::Lower,
                        was_pv: false,
                    };
                    self.table.put(self.position.key(), entry);
                    result = Some(value);
                }
                break;
            }
        }
        self.give_memory(picker.into_memory());
        result
    }
}
