//! A search thread: its position, evaluator, histories and search stack, and the state shared with the other threads.

use super::abdada::Abdada;
use super::history::SearchObserver;
use super::history::{ContinuationHistory, Histories};
use super::lazy_smp::DepthSync;
use super::limits::{Control, Limits};
use super::node::SearchStack;
use super::options::{Level, Options};
use super::params;
use super::root::RootMove;
use super::search_clock::SearchClock;
use super::tablebase_probe::TablebaseProbe;
use super::transposition_table::TranspositionTable;
use crate::score::{INFINITE, MAX_PLY, Score};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use xiangqi::{Color, Move, Position};

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
