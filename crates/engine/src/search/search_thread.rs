//! A search thread: its position, evaluator, histories and root moves, and the state shared with the other threads.
//!
//! The search stack: per-ply data that a node shares with its children and ancestors, and the triangular table of
//! principal variations.
//!
//! [`DepthSync`] holds the deepest finished iteration. Threads still searching that depth abort it and adopt the result.

use super::abdada::Abdada;
use super::history::{CONTINUATION_PLIES, ContinuationHistory, ContinuationKeys, Histories, PieceTo, SearchObserver};
use super::limits::{Control, Limits};
use super::options::{Level, Options};
use super::params;
use super::search_clock::SearchClock;
use super::tablebase_probe::TablebaseProbe;
use super::transposition_table::TranspositionTable;
use crate::score::{self, Bound, INFINITE, MAX_PLY, Score};
use std::ops::{Index, IndexMut};
use std::sync::atomic::{AtomicI32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;
use xiangqi::{Color, Move, Position, Square};

/// State shared by all threads of a search.
pub struct SharedState<'a> {
    pub tt: &'a TranspositionTable,
    pub continuation_history: &'a Arc<ContinuationHistory>,
    pub control: &'a Control,
    /// Stopped by the main thread when the search is over.
    pub done: &'a Control,
    /// Nodes of each thread, updated at intervals.
    pub nodes: &'a [AtomicU64],
    /// The moves being searched; only with several threads.
    pub abdada: Option<&'a Abdada>,
    /// The deepest finished iteration; only with several threads.
    pub depth_sync: Option<&'a DepthSync>,
    pub tablebase: Option<TablebaseProbe<'a>>,
    pub limits: &'a Limits,
    pub options: &'a Options,
    /// Number of PV lines to search, including those that only `skill` needs.
    pub multi_pv: usize,
    /// Score of the previous search of this game, from the side to move.
    pub previous_score: Option<Score>,
}

impl SharedState<'_> {
    /// Published nodes of all threads.
    pub fn total_nodes(&self) -> u64 {
        self.nodes.iter().map(|count| count.load(Ordering::Relaxed)).sum()
    }
}

/// Kinds of forward pruning that the option `pruning` allows.
#[derive(Clone, Copy)]
pub(super) struct PruningFlags {
    pub null_move: bool,
    /// Futility, reverse futility, razoring.
    pub futility: bool,
    /// Late move, SEE, history and futility pruning, ProbCut.
    pub move_pruning: bool,
}

/// Nodes between two checks of the limits.
const LIMIT_CHECK_INTERVAL: u64 = 64;

/// One thread of the search.
pub struct SearchThread<'a> {
    pub(super) id: usize,
    pub(super) shared: &'a SharedState<'a>,
    pub(super) position: Position,
    /// The evaluation and the correction keys of `position`.
    pub(super) observer: SearchObserver,
    pub(super) histories: &'a mut Histories,
    pub(super) tt: &'a TranspositionTable,
    /// Style bonus per attacking piece on the board, by side to move.
    pub(super) style_bonus: [Score; 2],
    /// Score of a draw, by side to move (contempt).
    pub(super) draw_score: [Score; 2],
    pub(super) pruning: PruningFlags,
    /// No pruning by static evaluation in windows beyond this score.
    pub(super) mate_window: Score,
    pub(super) nodes: u64,
    pub(super) seldepth: usize,
    pub(super) root_depth: i32,
    pub(super) root_moves: Vec<RootMove>,
    /// Index of the PV line being searched; the root moves before it are finished in this iteration.
    pub(super) pv_index: usize,
    pub(super) stopped: bool,
    /// Stopped because another thread has finished this iteration.
    pub(super) preempted: bool,
    /// Minimum ply for null moves; set during null move verification.
    pub(super) null_move_min_ply: usize,
    /// Depth of the last finished iteration.
    pub(super) completed_depth: i32,
    pub(super) stack: SearchStack,
    pub(super) time: SearchClock,
    node_limit: u64,
    /// The root moves as the last finished iteration left them, if several lines are searched.
    pub(super) previous_iteration: Vec<RootMove>,
    /// First move, score and depth of each line as last reported.
    pub(super) reported: Vec<(Move, Score, u32)>,
    /// Changes of the best move in this iteration.
    pub(super) best_move_changes: u32,
    /// Best move of the previous iteration.
    pub(super) previous_best_move: Option<Move>,
    /// Hash usage at the last report of the best line.
    pub(super) hashfull: u32,
}

impl<'a> SearchThread<'a> {
    /// Creates a search thread for these root moves.
    pub fn new(
        id: usize,
        shared: &'a SharedState<'a>,
        position: &Position,
        root_moves: &[Move],
        histories: &'a mut Option<Histories>,
        time: SearchClock,
    ) -> SearchThread<'a> {
        let histories = histories.get_or_insert_with(|| Histories::new(shared.continuation_history));
        histories.prepare();
        let mut position = position.clone();
        position.reserve(MAX_PLY + 8);
        let observer = SearchObserver::new(&shared.options.eval_mode(), &position);
        let side = position.side();
        let pruning = shared.options.pruning;
        SearchThread {
            id,
            shared,
            observer,
            position,
            histories,
            tt: shared.tt,
            style_bonus: signed_for_both(shared.options.style.attacker_bonus(), side),
            draw_score: signed_for_both(-shared.options.style.contempt(), side),
            pruning: PruningFlags {
                null_move: pruning >= Level::Small,
                futility: pruning >= Level::Medium,
                move_pruning: pruning >= Level::Large,
            },
            // Under `go mate` static evaluations must not prune lines that sacrifice material.
            mate_window: if shared.limits.mate.is_some() { params::mate_window() } else { INFINITE },
            nodes: 0,
            seldepth: 0,
            root_depth: 0,
            root_moves: root_moves.iter().map(|&mv| RootMove::new(mv)).collect(),
            pv_index: 0,
            stopped: false,
            preempted: false,
            null_move_min_ply: 0,
            completed_depth: 0,
            stack: SearchStack::new(),
            time,
            node_limit: shared.limits.nodes.unwrap_or(u64::MAX),
            previous_iteration: Vec::new(),
            reported: Vec::new(),
            best_move_changes: 0,
            previous_best_move: None,
            hashfull: 0,
        }
    }

    /// Prefetches the transposition table entry of the position after this move.
    #[inline]
    pub(super) fn prefetch(&self, mv: Move) {
        self.tt.prefetch(self.position.key_after(mv));
    }

    #[inline]
    pub(super) fn make_on_board(&mut self, mv: Move) {
        self.position.play_unchecked_observed(mv, &mut self.observer);
    }

    #[inline]
    pub(super) fn unmake_move(&mut self) {
        self.position.undo();
        self.observer.pop();
    }

    /// Counts a node and checks the limits at intervals; true if the search is stopped.
    #[inline]
    pub(super) fn count_node(&mut self) -> bool {
        self.nodes += 1;
        if self.nodes.is_multiple_of(LIMIT_CHECK_INTERVAL) || self.nodes >= self.node_limit {
            self.check_limits();
        }
        self.stopped
    }

    /// Publishes the node count to the other threads.
    pub(super) fn publish_nodes(&self) {
        self.shared.nodes[self.id].store(self.nodes, Ordering::Relaxed);
    }

    /// Checks stop signals, other threads, clock and node limits, and runs the idle throttle.
    #[cold]
    pub(super) fn check_limits(&mut self) {
        let shared = self.shared;
        self.publish_nodes();
        if self.id == 0 {
            shared.control.poll();
        }
        if shared.done.stopped() || shared.control.stopped() {
            self.stopped = true;
        } else if self.completed_depth < self.root_depth
            && shared.depth_sync.is_some_and(|depth_sync| depth_sync.depth() >= self.root_depth)
        {
            // Another thread has finished this iteration. Between two iterations there is nothing to preempt.
            self.stopped = true;
            self.preempted = true;
        }
        if self.time.counts_nodes() {
            self.time.set_nodes(shared.total_nodes());
        }
        if !shared.control.pondering() {
            self.time.start_clock();
        }
        if self.id == 0 {
            // Do not stop before there is a reasonable move.
            let has_answer = self.completed_depth > 0 || self.nodes > params::time_min_nodes() as u64;
            let time_is_up = self.time.is_hard_limit_reached() && has_answer;
            if time_is_up || shared.limits.nodes.is_some_and(|limit| shared.total_nodes() >= limit) {
                self.stopped = true;
                self.preempted = false;
            }
        }
        if !self.stopped
            && let Some(pause) = self.time.throttle_due(f64::from(shared.options.idle))
        {
            // `done` wakes helper threads when the main thread ends.
            let control = if self.id == 0 { shared.control } else { shared.done };
            control.sleep(pause);
            self.time.throttled();
        }
    }

    /// The longest stall of this thread, decayed, for the next search.
    pub fn expected_stall(&self) -> Duration {
        self.time.expected_stall()
    }

    /// Waits for `stop` or `ponderhit` before answering a ponder search or an unlimited one.
    pub fn wait_for_stop_or_ponderhit(&self) {
        let limits = self.shared.limits;
        if limits.ponder || limits.is_unlimited() {
            let may_answer = |control: &Control| control.stopped() || limits.ponder && !control.pondering();
            self.shared.control.wait_while(|control| !may_answer(control));
        }
    }

    /// The PV lines, best first.
    pub(super) fn multi_pv_lines(&self) -> &[RootMove] {
        &self.root_moves[..self.shared.multi_pv.clamp(1, self.root_moves.len())]
    }

    /// Time since the search began.
    pub(super) fn elapsed(&self) -> Duration {
        self.time.elapsed()
    }
}

/// `value` for `side` and `-value` for the other side.
fn signed_for_both(value: Score, side: Color) -> [Score; 2] {
    let mut both = [-value; 2];
    both[side] = value;
    both
}

/// A root move and its results.
#[derive(Clone, Debug)]
pub(super) struct RootMove {
    pub mv: Move,
    /// Score of this iteration; `-INFINITE` until searched.
    pub score: Score,
    /// Whether the score is exact or a bound.
    pub bound: Bound,
    /// Depth of the iteration that the score is from.
    pub depth: i32,
    /// Score of the previous iteration.
    pub previous_score: Score,
    /// Deepest ply reached below it.
    pub seldepth: u32,
    /// Nodes searched below it in all iterations.
    pub nodes: u64,
    /// The principal variation, beginning with `mv`.
    pub pv: Vec<Move>,
}

impl RootMove {
    pub fn new(mv: Move) -> RootMove {
        let mut pv = Vec::with_capacity(MAX_PLY + 1);
        pv.push(mv);
        let (score, previous_score) = (-INFINITE, -INFINITE);
        RootMove { mv, score, bound: Bound::Exact, depth: 0, previous_score, seldepth: 0, nodes: 0, pv }
    }

    /// Saves the score and resets it for a new iteration.
    pub fn begin_iteration(&mut self) {
        self.previous_score = self.score;
        self.score = -INFINITE;
    }

    /// Sets the result of an iteration of this depth; `tail` is the variation after the move.
    pub fn set_result(&mut self, (score, bound): (Score, Bound), depth: i32, seldepth: u32, tail: &[Move]) {
        (self.score, self.bound, self.depth, self.seldepth) = (score, bound, depth, seldepth);
        self.pv.truncate(1);
        self.pv.extend_from_slice(tail);
    }
}

/// The deepest iteration that any thread has finished.
pub struct DepthSync {
    /// Depth of the iteration; read without the lock, written under it.
    depth: AtomicI32,
    result: Mutex<Vec<RootMove>>,
}

impl DepthSync {
    pub fn new() -> DepthSync {
        DepthSync { depth: AtomicI32::new(0), result: Mutex::new(Vec::new()) }
    }

    /// Depth of the deepest finished iteration; 0 if none.
    #[inline]
    pub fn depth(&self) -> i32 {
        self.depth.load(Ordering::Relaxed)
    }

    /// Publishes a finished iteration if it is the deepest.
    pub(super) fn publish(&self, depth: i32, root_moves: &[RootMove]) {
        let mut result = self.lock();
        if depth > self.depth() {
            result.clear();
            result.extend_from_slice(root_moves);
            self.depth.store(depth, Ordering::Relaxed);
        }
    }

    /// Copies the deepest iteration into `root_moves`, which keep their node counts, and returns its depth.
    pub(super) fn adopt(&self, root_moves: &mut [RootMove]) -> i32 {
        let result = self.lock();
        let effort = |mv| root_moves.iter().find(|own| own.mv == mv).map_or(0, |own| own.nodes);
        let nodes: Vec<u64> = result.iter().map(|root_move| effort(root_move.mv)).collect();
        root_moves.clone_from_slice(&result);
        root_moves.iter_mut().zip(nodes).for_each(|(root_move, nodes)| root_move.nodes = nodes);
        self.depth()
    }

    fn lock(&self) -> MutexGuard<'_, Vec<RootMove>> {
        self.result.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
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

#[cfg(test)]
mod tests {
    use super::*;
    use xiangqi::{Move, Square};

    fn root_move(number: u8, score: i32, nodes: u64) -> RootMove {
        RootMove { score, nodes, ..RootMove::new(Move::new(Square::A0, Square::new(number, 0))) }
    }

    #[test]
    fn depth_sync_adopts_the_deepest_iteration_and_keeps_node_counts() {
        let depth_sync = DepthSync::new();
        depth_sync.publish(2, &[root_move(8, 30, 100), root_move(7, 10, 200)]);
        depth_sync.publish(1, &[root_move(7, 99, 1), root_move(8, 0, 1)]);
        depth_sync.publish(2, &[root_move(7, 98, 1), root_move(8, 0, 1)]);
        let mut own = [root_move(7, 5, 11), root_move(8, 4, 12)];
        assert_eq!((depth_sync.depth(), depth_sync.adopt(&mut own)), (2, 2));
        let facts = own.map(|root_move| (root_move.mv.to().dense(), root_move.score, root_move.nodes));
        assert_eq!(facts, [(8, 30, 12), (7, 10, 11)]);
    }
}
