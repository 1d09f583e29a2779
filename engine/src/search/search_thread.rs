//! One thread of the search: its position, its memory, and its view of the clock and of the other threads.

use super::history::{ContinuationHistory, Histories};
use super::lazy_smp::{Abdada, DepthSync};
use super::limits::{Control, Limits};
use super::move_picker::MoveBuffers;
use super::options::{Level, Options};
use super::params;
use super::root::RootMove;
use super::search_stack::SearchStack;
use super::tablebase_probe::TablebaseProbe;
use super::time_manager::TimeManager;
use super::transposition_table::TranspositionTable;
use crate::board::Position;
use crate::nnue::Evaluator;
use crate::types::score::{INFINITE, MAX_PLY};
use crate::types::{Color, Move, Score};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// What all threads of one search share.
pub struct SharedState<'a> {
    pub tt: &'a TranspositionTable,
    /// What is learned together.
    pub continuation_history: &'a Arc<ContinuationHistory>,
    pub control: &'a Control,
    /// Raised by the main thread when the search is over.
    pub done: &'a Control,
    /// Nodes of each thread, published now and then.
    pub nodes: &'a [AtomicU64],
    /// What each thread is searching; only if there are several.
    pub abdada: Option<&'a Abdada>,
    /// The furthest iteration of all; only if there are several threads.
    pub depth_sync: Option<&'a DepthSync>,
    /// Endgame tables, if there are any.
    pub tablebase: Option<TablebaseProbe<'a>>,
    /// What may be spent.
    pub limits: &'a Limits,
    pub options: &'a Options,
    /// How many best lines to work out, the unreported ones of a handicap included.
    pub multi_pv: usize,
    /// What the search before this one, of the same game, thought of it, from the side to move.
    pub previous_score: Option<Score>,
}

impl SharedState<'_> {
    /// Nodes of all threads, as far as published.
    pub fn total_nodes(&self) -> u64 {
        self.nodes.iter().map(|count| count.load(Ordering::Relaxed)).sum()
    }
}

/// Which kinds of forward pruning the option `pruning` leaves.
#[derive(Clone, Copy)]
pub(super) struct PruningFlags {
    pub null_move: bool,
    /// Futility on both sides of the window, razoring.
    pub futility: bool,
    /// Everything that judges single moves: late moves, exchanges, history, probcut.
    pub move_pruning: bool,
}

/// Nodes between two looks at the clock and the other threads.
const LIMIT_CHECK_INTERVAL: u64 = 64;

pub struct SearchThread<'a> {
    pub(super) id: usize,
    pub(super) shared: &'a SharedState<'a>,
    pub(super) position: Position,
    pub(super) evaluator: Evaluator,
    pub(super) histories: &'a mut Histories,
    pub(super) tt: &'a TranspositionTable,
    /// What style adds to the evaluation for each attacker on the board, by the side to move.
    pub(super) style_bonus: [Score; 2],
    /// What a draw is worth to the side to move.
    pub(super) draw_score: [Score; 2],
    pub(super) pruning: PruningFlags,
    /// In windows beyond this no static evaluation prunes.
    pub(super) mate_window: Score,
    pub(super) nodes: u64,
    pub(super) seldepth: usize,
    pub(super) root_depth: i32,
    pub(super) root_moves: Vec<RootMove>,
    /// The root moves before this one are settled lines of this iteration.
    pub(super) pv_index: usize,
    pub(super) stopped: bool,
    /// Stopped only because another thread has finished this iteration.
    pub(super) preempted: bool,
    /// Below this ply no null move: set while one is verified.
    pub(super) null_move_min_ply: usize,
    /// Depth of the last iteration finished.
    pub(super) completed_depth: i32,
    pub(super) stack: SearchStack,
    spare_buffers: Vec<Box<MoveBuffers>>,
    pub(super) time: TimeManager,
    node_limit: u64,
    /// The first move of the best line that was last told.
    pub(super) last_reported: Move,
    /// How often a root move has taken the place of the best one in this iteration.
    pub(super) best_move_changes: u32,
    /// The best move of the iteration before.
    pub(super) previous_best_move: Move,
    /// Fill of the hash table when the best line was last told.
    pub(super) hashfull: u32,
}

impl<'a> SearchThread<'a> {
    /// A thread ready to search these root moves.
    pub fn new(
        id: usize,
        shared: &'a SharedState<'a>,
        position: &Position,
        root_moves: &[Move],
        histories: &'a mut Option<Histories>,
        plan: TimeManager,
    ) -> SearchThread<'a> {
        let histories = histories.get_or_insert_with(|| Histories::new(shared.continuation_history));
        histories.prepare();
        let mut position = position.clone();
        position.reserve(MAX_PLY + 8);
        let evaluator = Evaluator::new(&shared.options.eval_mode(), &position);
        let side = position.side();
        let pruning = shared.options.pruning;
        SearchThread {
            id,
            shared,
            evaluator,
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
            // What a mate costs no evaluation knows.
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
            spare_buffers: Vec::with_capacity(MAX_PLY),
            time: plan,
            node_limit: shared.limits.nodes.unwrap_or(u64::MAX),
            last_reported: Move::NONE,
            best_move_changes: 0,
            previous_best_move: Move::NONE,
            hashfull: 0,
        }
    }

    /// Memory for a move picker.
    #[inline]
    pub(super) fn take_buffers(&mut self) -> Box<MoveBuffers> {
        self.spare_buffers.pop().unwrap_or_default()
    }

    /// Takes the memory of a move picker back.
    #[inline]
    pub(super) fn return_buffers(&mut self, memory: Box<MoveBuffers>) {
        self.spare_buffers.push(memory);
    }

    /// Fetches what the table knows about the position after this move: memory answers slowly, so it is asked
    /// as soon as a move is thought of.
    #[inline]
    pub(super) fn prefetch(&self, mv: Move) {
        self.tt.prefetch(self.position.key_after(mv));
    }

    #[inline]
    pub(super) fn make_on_board(&mut self, mv: Move) {
        self.position.make_unchecked_observed(mv, &mut self.evaluator);
    }

    #[inline]
    pub(super) fn unmake_move(&mut self) {
        self.position.unmake();
        self.evaluator.pop();
    }

    /// Counts a node; true if the search must end now.
    #[inline]
    pub(super) fn count_node(&mut self) -> bool {
        self.nodes += 1;
        if self.nodes.is_multiple_of(LIMIT_CHECK_INTERVAL) || self.nodes >= self.node_limit {
            self.check_limits();
        }
        self.stopped
    }

    /// Lets the other threads know how many nodes this one has searched.
    pub(super) fn publish_nodes(&self) {
        self.shared.nodes[self.id].store(self.nodes, Ordering::Relaxed);
    }

    /// Looks at the clock, at the nodes of all threads and at the strings from outside.
    #[cold]
    pub(super) fn check_limits(&mut self) {
        let shared = self.shared;
        self.publish_nodes();
        if shared.done.stopped() || shared.control.stopped() {
            self.stopped = true;
        } else if self.completed_depth < self.root_depth
            && shared.depth_sync.is_some_and(|relay| relay.depth() >= self.root_depth)
        {
            // Not between two iterations, when nothing is left to be overtaken in.
            self.stopped = true;
            self.preempted = true;
        }
        if !shared.control.pondering() {
            self.time.start_clock();
        }
        if self.id == 0 {
            // At least one line must be there to answer with.
            let answerable = self.completed_depth > 0 || self.nodes > 20_000;
            let over = self.time.is_hard_limit_reached() && answerable;
            if over || shared.limits.nodes.is_some_and(|limit| shared.total_nodes() >= limit) {
                self.stopped = true;
                self.preempted = false;
            }
        }
        if !self.stopped
            && let Some(rest) = self.time.throttle_due(f64::from(shared.options.idle))
        {
            // The main thread wakes the others when it is done.
            let alarm = if self.id == 0 { shared.control } else { shared.done };
            alarm.rest(rest);
            self.time.throttled();
        }
    }

    /// How long this thread was put aside, for the next search.
    pub fn expected_stall(&self) -> Duration {
        self.time.expected_stall()
    }

    /// Under `ponder` and without limits the answer is held back until it is asked for.
    pub fn wait_for_stop_or_ponderhit(&self) {
        let limits = self.shared.limits;
        if limits.ponder || limits.is_unlimited() {
            let wanted = |control: &Control| control.stopped() || limits.ponder && !control.pondering();
            self.shared.control.wait_while(|control| !wanted(control));
        }
    }

    /// The best line so far, its score and its depth.
    pub fn best_line(&self) -> (Move, Score, i32, &[Move]) {
        let best = &self.root_moves[0];
        (best.mv, best.score, self.completed_depth, &best.pv)
    }

    /// The worked-out lines with their scores, best first.
    pub(super) fn multi_pv_lines(&self) -> &[RootMove] {
        &self.root_moves[..self.shared.multi_pv.clamp(1, self.root_moves.len())]
    }

    /// Since the search began.
    pub(super) fn elapsed(&self) -> Duration {
        self.time.elapsed()
    }
}

/// Something that is good for one side and as bad for the other.
fn signed_for_both(value: Score, side: Color) -> [Score; 2] {
    let mut both = [-value; 2];
    both[side] = value;
    both
}
