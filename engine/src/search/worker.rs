//! One thread of the search: its position, its memory, and its view of the clock and of the other threads.

use super::abdada::Abdada;
use super::frames::Frames;
use super::hash_table::Table;
use super::history::{ContinuationHistory, Histories};
use super::limits::{Control, Limits};
use super::options::{Level, Options};
use super::params;
use super::picker::PickerMemory;
use super::probing::Probing;
use super::relay::Relay;
use super::root_moves::RootMove;
use super::time::TimePlan;
use crate::board::Position;
use crate::nnue::Evaluator;
use crate::types::score::{INFINITE, MAX_PLY};
use crate::types::{Color, Move, Score};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// What all threads of one search share.
pub struct Shared<'a> {
    pub table: &'a Table,
    /// What is learned together.
    pub continuation: &'a Arc<ContinuationHistory>,
    pub control: &'a Control,
    /// Raised by the main thread when the search is over.
    pub done: &'a Control,
    /// Nodes of each thread, published now and then.
    pub nodes: &'a [AtomicU64],
    /// What each thread is searching; only if there are several.
    pub abdada: Option<&'a Abdada>,
    /// The furthest iteration of all; only if there are several threads.
    pub relay: Option<&'a Relay>,
    /// Endgame tables, if there are any.
    pub tables: Option<Probing<'a>>,
    /// What may be spent.
    pub limits: &'a Limits,
    pub options: &'a Options,
    /// How many best lines to work out, the unreported ones of a handicap included.
    pub lines: usize,
    /// What the search before this one, of the same game, thought of it, from the side to move.
    pub opinion: Option<Score>,
}

impl Shared<'_> {
    /// Nodes of all threads, as far as published.
    pub fn total_nodes(&self) -> u64 {
        self.nodes.iter().map(|count| count.load(Ordering::Relaxed)).sum()
    }
}

/// Which kinds of forward pruning the option `pruning` leaves.
#[derive(Clone, Copy)]
pub(super) struct Allowed {
    pub null_move: bool,
    /// Futility on both sides of the window, razoring.
    pub futility: bool,
    /// Everything that judges single moves: late moves, exchanges, history, probcut.
    pub moves: bool,
}

/// Nodes between two looks at the clock and the other threads.
const CHECK_INTERVAL: u64 = 64;

pub struct Worker<'a> {
    pub(super) id: usize,
    pub(super) shared: &'a Shared<'a>,
    pub(super) position: Position,
    pub(super) evaluator: Evaluator,
    pub(super) histories: &'a mut Histories,
    pub(super) table: &'a Table,
    /// What style adds to the evaluation for each attacker on the board, by the side to move.
    pub(super) eagerness: [Score; 2],
    /// What a draw is worth to the side to move.
    pub(super) draw: [Score; 2],
    pub(super) allowed: Allowed,
    /// In windows beyond this no static evaluation prunes.
    pub(super) estimates_until: Score,
    pub(super) nodes: u64,
    pub(super) seldepth: usize,
    pub(super) root_depth: i32,
    pub(super) root_moves: Vec<RootMove>,
    /// The root moves before this one are settled lines of this iteration.
    pub(super) pv_index: usize,
    pub(super) stopped: bool,
    /// Stopped only because another thread has finished this iteration.
    pub(super) overtaken: bool,
    /// Below this ply no null move: set while one is verified.
    pub(super) null_from_ply: usize,
    /// Depth of the last iteration finished.
    pub(super) completed: i32,
    pub(super) frames: Frames,
    spare: Vec<Box<PickerMemory>>,
    pub(super) plan: TimePlan,
    node_limit: u64,
    /// The first move of the best line that was last told.
    pub(super) told: Move,
    /// How often a root move has taken the place of the best one in this iteration.
    pub(super) best_changes: u32,
    /// The best move of the iteration before.
    pub(super) best_before: Move,
    /// Fill of the hash table when the best line was last told.
    pub(super) hashfull: u32,
}

impl<'a> Worker<'a> {
    /// A thread ready to search these root moves.
    pub fn new(
        id: usize,
        shared: &'a Shared<'a>,
        position: &Position,
        root_moves: &[Move],
        histories: &'a mut Option<Histories>,
        plan: TimePlan,
    ) -> Worker<'a> {
        let histories = histories.get_or_insert_with(|| Histories::new(shared.continuation));
        histories.freshen();
        let mut position = position.clone();
        position.reserve(MAX_PLY + 8);
        let evaluator = Evaluator::new(&shared.options.knowledge(), &position);
        let side = position.side();
        let pruning = shared.options.pruning;
        Worker {
            id,
            shared,
            evaluator,
            position,
            histories,
            table: shared.table,
            eagerness: for_both(shared.options.style.eagerness(), side),
            draw: for_both(-shared.options.style.contempt(), side),
            allowed: Allowed {
                null_move: pruning >= Level::Small,
                futility: pruning >= Level::Medium,
                moves: pruning >= Level::Large,
            },
            // What a mate costs no evaluation knows.
            estimates_until: if shared.limits.mate.is_some() { params::mate_window() } else { INFINITE },
            nodes: 0,
            seldepth: 0,
            root_depth: 0,
            root_moves: root_moves.iter().map(|&mv| RootMove::new(mv)).collect(),
            pv_index: 0,
            stopped: false,
            overtaken: false,
            null_from_ply: 0,
            completed: 0,
            frames: Frames::new(),
            spare: Vec::with_capacity(MAX_PLY),
            plan,
            node_limit: shared.limits.nodes.unwrap_or(u64::MAX),
            told: Move::NONE,
            best_changes: 0,
            best_before: Move::NONE,
            hashfull: 0,
        }
    }

    /// Memory for a move picker.
    #[inline]
    pub(super) fn take_memory(&mut self) -> Box<PickerMemory> {
        self.spare.pop().unwrap_or_default()
    }

    /// Takes the memory of a move picker back.
    #[inline]
    pub(super) fn give_memory(&mut self, memory: Box<PickerMemory>) {
        self.spare.push(memory);
    }

    /// Fetches what the table knows about the position after this move: memory answers slowly, so it is asked
    /// as soon as a move is thought of.
    #[inline]
    pub(super) fn foresee(&self, mv: Move) {
        self.table.prefetch(self.position.key_after(mv));
    }

    #[inline]
    pub(super) fn make(&mut self, mv: Move) {
        self.position.make_observed(mv, &mut self.evaluator);
    }

    #[inline]
    pub(super) fn unmake(&mut self) {
        self.position.unmake();
        self.evaluator.pop();
    }

    /// Counts a node; true if the search must end now.
    #[inline]
    pub(super) fn count_node(&mut self) -> bool {
        self.nodes += 1;
        if self.nodes.is_multiple_of(CHECK_INTERVAL) || self.nodes >= self.node_limit {
            self.look_around();
        }
        self.stopped
    }

    /// Lets the other threads know how many nodes this one has searched.
    pub(super) fn publish_nodes(&self) {
        self.shared.nodes[self.id].store(self.nodes, Ordering::Relaxed);
    }

    /// Looks at the clock, at the nodes of all threads and at the strings from outside.
    #[cold]
    fn look_around(&mut self) {
        let shared = self.shared;
        self.publish_nodes();
        if shared.done.stopped() || shared.control.stopped() {
            self.stopped = true;
        } else if self.completed < self.root_depth
            && shared.relay.is_some_and(|relay| relay.depth() >= self.root_depth)
        {
            // Not between two iterations, when nothing is left to be overtaken in.
            self.stopped = true;
            self.overtaken = true;
        }
        if !shared.control.pondering() {
            self.plan.start_clock();
        }
        if self.id == 0 {
            // At least one line must be there to answer with.
            let answerable = self.completed > 0 || self.nodes > 20_000;
            let over = self.plan.is_over() && answerable;
            if over || shared.limits.nodes.is_some_and(|limit| shared.total_nodes() >= limit) {
                self.stopped = true;
                self.overtaken = false;
            }
        }
        if !self.stopped
            && let Some(rest) = self.plan.rest_due(f64::from(shared.options.idle))
        {
            // The main thread wakes the others when it is done.
            let alarm = if self.id == 0 { shared.control } else { shared.done };
            alarm.rest(rest);
            self.plan.rested();
        }
    }

    /// How long this thread was put aside, for the next search.
    pub fn pause_to_expect(&self) -> Duration {
        self.plan.pause_to_expect()
    }

    /// Under `ponder` and without limits the answer is held back until it is asked for.
    pub fn wait_until_wanted(&self) {
        let limits = self.shared.limits;
        if limits.ponder || limits.are_none() {
            let wanted = |control: &Control| control.stopped() || limits.ponder && !control.pondering();
            self.shared.control.wait_while(|control| !wanted(control));
        }
    }

    /// The best line so far, its score and its depth.
    pub fn result(&self) -> (Move, Score, i32, &[Move]) {
        let best = &self.root_moves[0];
        (best.mv, best.score, self.completed, &best.pv)
    }

    /// The worked-out lines with their scores, best first.
    pub(super) fn lines(&self) -> &[RootMove] {
        &self.root_moves[..self.shared.lines.clamp(1, self.root_moves.len())]
    }

    /// Since the search began.
    pub(super) fn elapsed(&self) -> Duration {
        self.plan.elapsed()
    }
}

/// Something that is good for one side and as bad for the other.
fn for_both(value: Score, side: Color) -> [Score; 2] {
    let mut both = [-value; 2];
    both[side] = value;
    both
}
