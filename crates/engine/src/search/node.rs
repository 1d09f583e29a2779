//! Node types, the inputs to pruning and reductions, and what both `negamax` and `quiescence` do at each node: making a
//! move, terminal checks and the static evaluation.

use super::history::PieceTo;
use super::params;
use super::search_thread::SearchThread;
use crate::score::{self, MAX_PLY, Score, rule_loss_in};
use xiangqi::{Color, Ending, Move};

/// Type of a node, a type parameter of the search functions.
pub trait NodeType {
    /// The window is open (wider than a null window).
    const PV: bool;
}

/// A node searched with an open window.
pub struct Pv;
/// A node searched with a null window.
pub struct NonPv;

impl NodeType for Pv {
    const PV: bool = true;
}
impl NodeType for NonPv {
    const PV: bool = false;
}

/// Per-node inputs to move pruning and late move reduction.
#[derive(Clone, Copy)]
pub(super) struct NodeContext {
    /// Remaining depth; less once alpha is raised.
    pub depth: i32,
    /// The score that a move must beat: at first that of the window, then that of the best move.
    pub alpha: Score,
    /// From here on alpha asks for a mate, see [`NodeContext::allows_eval_pruning`].
    pub mate_window: Score,
    /// Of the transposition table; `score::NONE` if it has none.
    pub tt_score: Score,
    /// With correction history applied.
    pub static_eval: Score,
    pub in_check: bool,
    /// The static evaluation is better than two plies ago.
    pub improving: bool,
    /// The node is or was a PV node.
    pub was_pv: bool,
    /// The node is expected to fail high.
    pub cut_node: bool,
    pub has_tt_move: bool,
    pub tt_move_is_capture: bool,
    /// Beta cutoffs among the child nodes so far.
    pub child_cutoffs: u32,
}

impl NodeContext {
    /// Whether pruning by the static evaluation is allowed: it finds no mates.
    #[inline]
    pub fn allows_eval_pruning(&self) -> bool {
        self.alpha < self.mate_window
    }

    #[inline]
    pub fn tt_score_above_alpha(&self) -> bool {
        self.tt_score != score::NONE && self.tt_score > self.alpha
    }
}

/// Per-move inputs to move pruning and late move reduction.
#[derive(Clone, Copy)]
pub(super) struct MoveContext {
    pub mv: Move,
    /// Position in the move order, from 1.
    pub move_number: i32,
    pub is_capture: bool,
    pub gives_check: bool,
    /// Quiet score or capture score.
    pub history: i32,
}

impl SearchThread<'_> {
    /// Records the move on the search stack and makes it.
    #[inline]
    pub(super) fn make_move(&mut self, ply: usize, mv: Move) {
        let piece_to = PieceTo::new(self.position.moved_piece(mv), mv.to());
        let entry = &mut self.stack[ply];
        entry.current_move = Some(mv);
        entry.piece_to = Some(piece_to);
        self.make_on_board(mv);
    }

    /// Counts the node and checks whether it is terminal: the search was stopped, the game is over by repetition,
    /// natural limit or insufficient material, a tablebase knows the score, or the maximum ply is reached.
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

    /// The raw static evaluation. It depends on the position alone, so the transposition table may store it.
    #[inline]
    pub(super) fn evaluate(&mut self) -> Score {
        self.observer.evaluate(&self.position)
    }

    /// The static evaluation with correction history and the style bonus added.
    #[inline]
    pub(super) fn corrected_eval(&self, raw: Score) -> Score {
        let side = self.position.side();
        let mut value = raw + self.histories.correction(side, self.observer.correction_keys());
        if self.style_bonus[side] != 0 {
            let majors = self.position.major_count(Color::Red) + self.position.major_count(Color::Black);
            value += self.style_bonus[side] * majors as Score;
        }
        value.clamp(-score::MAX_EVAL, score::MAX_EVAL)
    }

    /// The score of a game that has ended by rule, from the side to move.
    #[inline]
    pub(super) fn ending_score(&self, ending: Ending, ply: usize) -> Score {
        match ending {
            Ending::Draw => self.draw_score[self.position.side()],
            Ending::Loss(color) if color == self.position.side() => rule_loss_in(ply),
            Ending::Loss(_) => -rule_loss_in(ply),
        }
    }

    /// False near the natural limit: transposition table scores ignore the plies since the last capture.
    #[inline]
    pub(super) fn tt_may_cut_off(&self) -> bool {
        let limit = self.shared.options.rules.natural_limit;
        limit == 0 || self.position.plies_since_capture() + (params::tt_natural_limit_distance() as usize) < limit
    }
}
