//! Node types, the inputs to pruning and reductions, and what both `negamax` and `quiescence` do at each node: making a
//! move, terminal checks and the static evaluation.
//!
//! The search stack: per-ply data that a node shares with its children and ancestors, and the triangular table of
//! principal variations.

use super::history::{CONTINUATION_PLIES, ContinuationKeys, PieceTo};
use super::params;
use super::search_thread::SearchThread;
use crate::score::{self, MAX_PLY, Score, rule_loss_in};
use std::ops::{Index, IndexMut};
use xiangqi::{Color, Ending, Move, Square};

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

/// Per-ply data, shared with children and ancestors.
#[derive(Clone, Copy)]
pub(super) struct StackEntry {
    /// The move being searched; `None` for a null move.
    pub current_move: Option<Move>,
    /// Position of `current_move` in the move order.
    pub move_number: i32,
    /// Moving piece and target of `current_move`; `None` for a null move.
    pub piece_to: Option<PieceTo>,
    /// Corrected static evaluation; `score::NONE` in check.
    pub static_eval: Score,
    /// Quiet moves that caused the latest cutoffs at this ply, newest first.
    pub killers: [Option<Move>; 2],
    /// The move that a singular search leaves out.
    pub excluded: Option<Move>,
    /// Beta cutoffs of nodes at this ply since their parent was entered.
    pub cutoff_count: u32,
}

impl StackEntry {
    const EMPTY: StackEntry = StackEntry {
        current_move: None,
        move_number: 0,
        piece_to: None,
        static_eval: score::NONE,
        killers: [None; 2],
        excluded: None,
        cutoff_count: 0,
    };
}

/// Principal variation from a ply. Only PV nodes have one, so it is kept out of [`StackEntry`], which every node uses.
#[derive(Clone, Copy)]
struct PvLine {
    len: usize,
    moves: [Move; MAX_PLY + 1],
}

/// Entries and principal variations of all plies.
pub(super) struct SearchStack {
    entries: Vec<StackEntry>,
    pv_lines: Vec<PvLine>,
}

/// Entries before the root, so that looking back four plies needs no check.
const ENTRIES_BEFORE_ROOT: usize = 4;
/// Entries beyond the maximum ply, which a node initializes for its children.
const ENTRIES_AFTER_MAX_PLY: usize = 4;

impl SearchStack {
    pub fn new() -> SearchStack {
        let nothing = PvLine { len: 0, moves: [Move::new(Square::new(0, 0), Square::new(0, 0)); MAX_PLY + 1] };
        SearchStack {
            entries: vec![StackEntry::EMPTY; ENTRIES_BEFORE_ROOT + MAX_PLY + ENTRIES_AFTER_MAX_PLY],
            pv_lines: vec![nothing; MAX_PLY + ENTRIES_AFTER_MAX_PLY],
        }
    }

    /// The entry `back` plies before `ply`; `back` is at most 4.
    #[inline]
    pub fn entry_before(&self, ply: usize, back: usize) -> &StackEntry {
        &self.entries[ply + ENTRIES_BEFORE_ROOT - back]
    }

    /// The moves `CONTINUATION_PLIES` before, the keys of continuation history.
    #[inline]
    pub fn continuation_keys(&self, ply: usize) -> ContinuationKeys {
        CONTINUATION_PLIES.map(|back| self.entry_before(ply, back).piece_to)
    }

    /// Sets the principal variation of `ply` to `mv` followed by that of the child.
    #[inline]
    pub fn update_pv(&mut self, ply: usize, mv: Move) {
        let (upper, lower) = self.pv_lines.split_at_mut(ply + 1);
        let (node, child) = (&mut upper[ply], &lower[0]);
        let len = child.len.min(MAX_PLY);
        node.moves[0] = mv;
        node.moves[1..=len].copy_from_slice(&child.moves[..len]);
        node.len = len + 1;
    }

    /// Empties the principal variation of a new node.
    #[inline]
    pub fn clear_pv(&mut self, ply: usize) {
        self.pv_lines[ply].len = 0;
    }

    /// The principal variation from this ply.
    pub fn pv(&self, ply: usize) -> &[Move] {
        let line = &self.pv_lines[ply];
        &line.moves[..line.len.min(MAX_PLY)]
    }

    /// Whether the static evaluation is better than two plies ago, or than four plies ago if that was in check.
    #[inline]
    pub fn is_improving(&self, ply: usize) -> bool {
        let now = self[ply].static_eval;
        let earlier = |back| match self.entry_before(ply, back).static_eval {
            score::NONE => None,
            eval if ply >= back => Some(eval),
            _ => None,
        };
        earlier(2).or_else(|| earlier(4)).is_none_or(|eval| now > eval)
    }
}

impl Index<usize> for SearchStack {
    type Output = StackEntry;
    #[inline]
    fn index(&self, ply: usize) -> &StackEntry {
        &self.entries[ply + ENTRIES_BEFORE_ROOT]
    }
}

impl IndexMut<usize> for SearchStack {
    #[inline]
    fn index_mut(&mut self, ply: usize) -> &mut StackEntry {
        &mut self.entries[ply + ENTRIES_BEFORE_ROOT]
    }
}
