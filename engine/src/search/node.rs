//! The kinds of nodes, and what is known about a node and its moves when they are decided about.
//!
//! What every node does, whichever search it belongs to: how it is come to, whether there is anything to search, and what
//! it is worth at a glance.

use super::history::PieceTo;
use super::params;
use super::search_thread::SearchThread;
use crate::rules::Ending;
use crate::types::score::{self, MAX_PLY, rule_loss_in};
use crate::types::{Color, Move, Score};

/// Kinds of nodes, as types: the compiler makes a search for each.
pub trait NodeType {
    /// On the principal variation: the window is open.
    const PV: bool;
}

/// On the principal variation.
pub struct Pv;
/// Off it: a null window.
pub struct NonPv;

impl NodeType for Pv {
    const PV: bool = true;
}
impl NodeType for NonPv {
    const PV: bool = false;
}

/// What is known about a node when its moves are decided about.
#[derive(Clone, Copy)]
pub(super) struct NodeContext {
    /// Plies still to be searched.
    pub depth: i32,
    /// What a move must better.
    pub alpha: Score,
    /// The static evaluation, corrected.
    pub static_eval: Score,
    /// The window is one that static evaluations may prune in.
    pub allows_eval_pruning: bool,
    /// The side to move is in check.
    pub in_check: bool,
    /// The static evaluation is better than two plies ago.
    pub improving: bool,
    /// It is, or once was, on a principal variation.
    pub was_pv: bool,
    /// It is expected to fail high.
    pub cut_node: bool,
    /// The hash table knows a move.
    pub has_tt_move: bool,
    /// That move is a capture.
    pub tt_move_is_capture: bool,
    /// The hash table knows a score, and it betters alpha.
    pub tt_score_above_alpha: bool,
    /// How many of its children have cut off.
    pub child_cutoffs: u32,
}

/// What is known about a move before it is made.
#[derive(Clone, Copy)]
pub(super) struct MoveContext {
    pub mv: Move,
    /// Its number in the order, from 1.
    pub move_number: i32,
    pub is_capture: bool,
    /// It attacks the king.
    pub gives_check: bool,
    /// What the histories think of it.
    pub history: i32,
}

impl SearchThread<'_> {
    /// Notes what is played at this ply and plays it.
    #[inline]
    pub(super) fn make_move(&mut self, ply: usize, mv: Move) {
        let piece_to = PieceTo::new(self.position.piece_at(mv.from()), mv.to());
        let frame = &mut self.stack[ply];
        frame.current_move = mv;
        frame.piece_to = Some(piece_to);
        self.make_on_board(mv);
    }

    /// Counts and prepares a node. A score ends it at once: the search was stopped, the game is over by
    /// repetition, natural limit or want of material, or the line is as long as lines can be.
    #[inline]
    pub(super) fn check_terminal(&mut self, ply: usize) -> Option<Score> {
        self.stack.clear_pv(ply);
        if self.count_node() {
            return Some(score::DRAW);
        }
        self.seldepth = self.seldepth.max(ply);
        if let Some(ending) = self.shared.options.rules.ending_in_search(&self.position, ply) {
            return Some(self.ending_score(ending, ply));
        }
        if let Some(tables) = &self.shared.tablebase
            && let Some(score) = tables.probe_score(&self.position, ply)
        {
            return Some(score);
        }
        let too_long = ply >= MAX_PLY - 1;
        too_long.then(|| if self.position.in_check() { score::DRAW } else { self.evaluate() })
    }

    /// The static evaluation as the network gives it: it depends on the position alone, so the table may keep it.
    #[inline]
    pub(super) fn evaluate(&mut self) -> Score {
        self.evaluator.evaluate(&self.position)
    }

    /// The static evaluation with what was learned about its errors, and with the style of play.
    #[inline]
    pub(super) fn corrected_eval(&self, raw: Score) -> Score {
        let side = self.position.side();
        let mut value = raw + self.histories.correction(side, self.evaluator.correction_keys());
        if self.style_bonus[side] != 0 {
            let majors = self.position.major_count(Color::Red) + self.position.major_count(Color::Black);
            value += self.style_bonus[side] * majors as Score;
        }
        value.clamp(-score::MAX_EVAL, score::MAX_EVAL)
    }

    /// The score of a game that is over by rule, from the side to move.
    #[inline]
    pub(super) fn ending_score(&self, ending: Ending, ply: usize) -> Score {
        match ending {
            Ending::Draw => self.draw_score[self.position.side()],
            Ending::Loss(color) if color == self.position.side() => rule_loss_in(ply),
            Ending::Loss(_) => -rule_loss_in(ply),
        }
    }

    /// Near the natural limit the table, which knows nothing of the game's length, is not trusted with cutoffs.
    #[inline]
    pub(super) fn tt_may_cut_off(&self) -> bool {
        let limit = self.shared.options.rules.natural_limit;
        limit == 0 || self.position.plies_since_capture() + (params::tt_natural_limit_distance() as usize) < limit
    }
}
