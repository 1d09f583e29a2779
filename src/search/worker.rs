//! One thread of the search: its position, its memory, and the iterations that it goes through.

use super::busy::Busy;
use super::history::{Answers, Histories, Place};
use super::limits::{Control, Limits};
use super::mate::{Finding, Prover};
use super::options::{Level, Options};
use super::params;
use super::picker::PickerMemory;
use super::relay::Relay;
use super::report::{Bound, Info, Reporter};
use super::table::Table;
use super::time::{Confidence, TimePlan};
use crate::board::Position;
use crate::eval::Evaluator;
use crate::types::score::{self, INFINITE, MAX_PLY};
use crate::types::{Color, Move, Score};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// What all threads of one search share.
pub struct Shared<'a> {
    /// The hash table.
    pub table: &'a Table,
    /// What is learned together.
    pub answers: &'a Arc<Answers>,
    /// Strings from outside.
    pub control: &'a Control,
    /// Raised by the main thread when the search is over.
    pub done: &'a Control,
    /// Nodes of each thread, published now and then.
    pub nodes: &'a [AtomicU64],
    /// What each thread is searching; only if there are several.
    pub busy: Option<&'a Busy>,
    /// The furthest iteration of all; only if there are several threads.
    pub relay: Option<&'a Relay>,
    /// What may be spent.
    pub limits: &'a Limits,
    /// How to play.
    pub options: &'a Options,
    /// How many best lines to work out, the unreported ones of a handicap included.
    pub lines: usize,
}

impl Shared<'_> {
    /// Nodes of all threads, as far as published.
    pub fn total_nodes(&self) -> u64 {
        self.nodes.iter().map(|count| count.load(Ordering::Relaxed)).sum()
    }
}

/// What a node leaves for its children and parents.
#[derive(Clone, Copy)]
pub(super) struct Frame {
    /// The move being searched; none at a null move.
    pub current: Move,
    /// Its number in the order.
    pub number: i32,
    /// Where its piece goes; `None` at a null move.
    pub place: Option<Place>,
    pub static_eval: Score,
    pub killers: [Move; 2],
    /// Left out by the singular search.
    pub excluded: Move,
    /// Beta cutoffs among this node's children.
    pub cutoffs: u32,
    pub pv_len: usize,
    pub pv: [Move; MAX_PLY + 1],
}

impl Frame {
    const EMPTY: Frame = Frame {
        current: Move::NONE,
        number: 0,
        place: None,
        static_eval: score::NONE,
        killers: [Move::NONE; 2],
        excluded: Move::NONE,
        cutoffs: 0,
        pv_len: 0,
        pv: [Move::NONE; MAX_PLY + 1],
    };
}

/// A move of the root and what is known about it.
#[derive(Clone, Debug)]
pub(super) struct RootMove {
    pub mv: Move,
    /// Of this iteration; `-INFINITE` until searched.
    pub score: Score,
    pub bound: Bound,
    /// Of the iteration before.
    pub previous: Score,
    pub seldepth: u32,
    pub nodes: u64,
    pub pv: Vec<Move>,
}

/// Which kinds of forward pruning the option `pruning` leaves.
#[derive(Clone, Copy)]
pub(super) struct Allowed {
    /// Null move.
    pub null_move: bool,
    /// Futility on both sides of the window, razoring.
    pub futility: bool,
    /// Everything that judges single moves: late moves, exchanges, history, probcut.
    pub moves: bool,
}

/// Offset of ply 0 in the frames, so that looking back four plies needs no test.
const FRAME_OFFSET: usize = 4;
/// From this depth on threads search ahead; before it an iteration takes no time.
const AHEAD_FROM: i32 = 6;
/// Nodes between two looks at the clock and the other threads.
const CHECK_INTERVAL: u64 = 64;

/// One thread.
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
    pub(super) nodes: u64,
    pub(super) seldepth: usize,
    pub(super) root_depth: i32,
    pub(super) root_moves: Vec<RootMove>,
    /// The root moves before this one are settled lines of this iteration.
    pub(super) pv_index: usize,
    pub(super) stopped: bool,
    /// Stopped only because another thread has finished this iteration.
    overtaken: bool,
    /// Below this ply no null move: set while one is verified.
    pub(super) null_from_ply: usize,
    /// Depth of the last iteration finished.
    pub(super) completed: i32,
    frames: Vec<Frame>,
    spare: Vec<Box<PickerMemory>>,
    plan: TimePlan,
    node_limit: u64,
    /// The first move of the best line that was last told.
    told: Move,
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
        let histories = histories.get_or_insert_with(|| Histories::new(shared.answers));
        histories.freshen();
        let mut position = position.clone();
        position.reserve(MAX_PLY + 8);
        let evaluator = Evaluator::new(&shared.options.knowledge(), &position);
        let side = position.side();
        let root_moves = root_moves
            .iter()
            .map(|&mv| RootMove {
                mv,
                score: -INFINITE,
                bound: Bound::Exact,
                previous: -INFINITE,
                seldepth: 0,
                nodes: 0,
                pv: {
                    let mut pv = Vec::with_capacity(MAX_PLY + 1);
                    pv.push(mv);
                    pv
                },
            })
            .collect();
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
            nodes: 0,
            seldepth: 0,
            root_depth: 0,
            root_moves,
            pv_index: 0,
            stopped: false,
            overtaken: false,
            null_from_ply: 0,
            completed: 0,
            frames: vec![Frame::EMPTY; MAX_PLY + FRAME_OFFSET + 4],
            spare: Vec::with_capacity(MAX_PLY),
            plan,
            node_limit: shared.limits.nodes.unwrap_or(u64::MAX),
            told: Move::NONE,
        }
    }

    #[inline]
    pub(super) fn frame(&self, ply: usize) -> &Frame {
        &self.frames[ply + FRAME_OFFSET]
    }

    #[inline]
    pub(super) fn frame_mut(&mut self, ply: usize) -> &mut Frame {
        &mut self.frames[ply + FRAME_OFFSET]
    }

    /// The frame this many plies before `ply`; exists for up to four, also at the root.
    #[inline]
    pub(super) fn frame_before(&self, ply: usize, back: usize) -> &Frame {
        &self.frames[ply + FRAME_OFFSET - back]
    }

    /// Makes `mv` the head of this node's principal variation and its child's variation the tail.
    #[inline]
    pub(super) fn extend_pv(&mut self, ply: usize, mv: Move) {
        let (upper, lower) = self.frames.split_at_mut(ply + FRAME_OFFSET + 1);
        let (node, child) = (&mut upper[ply + FRAME_OFFSET], &lower[0]);
        let len = child.pv_len.min(MAX_PLY);
        node.pv[0] = mv;
        node.pv[1..=len].copy_from_slice(&child.pv[..len]);
        node.pv_len = len + 1;
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

    /// Looks at the clock, at the nodes of all threads and at the strings from outside.
    #[cold]
    fn look_around(&mut self) {
        let shared = self.shared;
        shared.nodes[self.id].store(self.nodes, Ordering::Relaxed);
        if shared.done.stopped() || shared.control.stopped() {
            self.stopped = true;
        } else if shared.relay.is_some_and(|relay| relay.depth() >= self.root_depth) {
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

    /// Iterates until a limit is reached, telling the reporter.
    pub fn iterate(&mut self, reporter: &mut dyn Reporter) {
        let limits = self.shared.limits;
        let lines = self.shared.lines.clamp(1, self.root_moves.len().max(1));
        let shown = lines.min(self.shared.options.multi_pv.max(1));
        let last_depth = limits.last_depth() as i32;
        let mut confidence = Confidence::default();
        let mut prover = limits.mate.map(Prover::new);
        self.plan.rested();
        let (mut last_best, mut last_score) = (Move::NONE, score::NONE);

        while self.root_depth < last_depth {
            self.root_depth = (self.root_depth + self.stride()).min(last_depth);
            for root_move in &mut self.root_moves {
                root_move.previous = root_move.score;
                root_move.score = -INFINITE;
            }
            for index in 0..lines {
                self.pv_index = index;
                self.seldepth = 0;
                self.search_line(reporter);
                if self.stopped {
                    break;
                }
            }
            if self.stopped {
                if !self.take_over() {
                    self.settle_unfinished();
                }
                if !self.overtaken {
                    break;
                }
                (self.overtaken, self.stopped) = (false, false);
            } else if let Some(relay) = self.shared.relay {
                relay.hand_on(self.root_depth, &self.root_moves);
            }
            debug_assert_eq!(
                self.root_moves.iter().map(|root_move| root_move.nodes).sum::<u64>(),
                self.nodes
            );
            let depth = self.root_depth;
            self.completed = depth;
            self.shared.nodes[self.id].store(self.nodes, Ordering::Relaxed);
            if self.id > 0 {
                continue;
            }
            for index in 0..shown {
                self.report(reporter, index, Bound::Exact);
            }

            let best = &self.root_moves[0];
            confidence.stable_iterations =
                if best.mv == last_best { confidence.stable_iterations + 1 } else { 0 };
            // Against what was thought best, whichever move that was.
            let comparable = last_score != score::NONE && !score::is_decided(last_score) && depth >= 4;
            confidence.score_drop = if comparable { last_score - best.score } else { 0 };
            (last_best, last_score) = (best.mv, best.score);
            confidence.effort = best.nodes as f64 / self.nodes.max(1) as f64;
            if self.is_done(depth, &confidence) || self.settle_mate(&mut prover, reporter) {
                break;
            }
        }
    }

    /// How many iterations this thread goes on by. Every other thread searches one ahead of the rest: what it finds
    /// is deep enough for all, and if it is the first to be done the others need not search the one between.
    fn stride(&self) -> i32 {
        let ahead = params::use_ahead() != 0 && self.id % 2 == 1 && self.root_depth >= AHEAD_FROM;
        1 + i32::from(ahead)
    }

    /// Goes on from an iteration that another thread has finished, which is better than what was begun here;
    /// false if there is none.
    fn take_over(&mut self) -> bool {
        let Some(relay) = self.shared.relay.filter(|relay| relay.depth() >= self.root_depth) else {
            return false;
        };
        self.root_depth = relay.take_over(&mut self.root_moves);
        self.completed = self.root_depth;
        true
    }

    /// Whether the iterations may end before their last depth.
    fn is_done(&mut self, depth: i32, confidence: &Confidence) -> bool {
        let limits = self.shared.limits;
        let best = &self.root_moves[0];
        if let Some(moves) = limits.mate
            && score::mate_plies(best.score).is_some_and(|plies| plies > 0 && plies <= 2 * moves as i32)
        {
            return true;
        }
        if limits.soft_nodes.is_some_and(|soft| self.shared.total_nodes() >= soft) {
            return true;
        }
        if !self.shared.control.pondering() {
            self.plan.start_clock();
        }
        if self.plan.is_clocked() {
            // Nothing to decide, or a mate that a deeper search cannot shorten.
            if self.root_moves.len() == 1 && depth >= 4 {
                return true;
            }
            if score::mate_plies(best.score).is_some_and(|plies| plies.abs() * 2 <= depth) {
                return true;
            }
        }
        self.plan.is_enough(confidence)
    }

    /// Under `go mate` everything is tried beside the search, which prunes: true if that has found the mate, or has
    /// found that there is none.
    fn settle_mate(&mut self, prover: &mut Option<Prover>, reporter: &mut dyn Reporter) -> bool {
        let Some(prover) = prover else { return false };
        let before = self.nodes;
        let finding = prover.go_on(self);
        let best = &mut self.root_moves[0];
        best.nodes += self.nodes - before;
        let Finding::Mate(line) = finding else { return finding == Finding::NoMate || self.stopped };
        let place = self.root_moves.iter().position(|root_move| root_move.mv == line[0]).unwrap_or(0);
        self.root_moves[..=place].rotate_right(1);
        let best = &mut self.root_moves[0];
        (best.score, best.bound, best.seldepth) =
            (score::mate_in(line.len()), Bound::Exact, line.len() as u32);
        best.pv = line;
        self.report(reporter, 0, Bound::Exact);
        true
    }

    /// Searches one line of the root with a window around its last score.
    fn search_line(&mut self, reporter: &mut dyn Reporter) {
        let depth = self.root_depth;
        let expected = self.root_moves[self.pv_index].previous;
        let mut delta = params::aspiration_delta();
        let (mut alpha, mut beta) = (-INFINITE, INFINITE);
        if params::use_aspiration() != 0
            && depth >= 5
            && !score::is_decided(expected)
            && expected != -INFINITE
        {
            alpha = expected - delta;
            beta = expected + delta;
        }
        let mut reduction = 0;
        loop {
            let search_depth = (depth - reduction).max(1);
            let score = self.search_root(alpha, beta, search_depth, reporter);
            // Stable: moves that were not improved keep their order.
            self.root_moves[self.pv_index..].sort_by_key(|root_move| -root_move.score);
            if self.stopped {
                return;
            }
            if score <= alpha {
                self.mark_and_report(reporter, Bound::Upper);
                beta = (alpha + beta) / 2;
                alpha = (score - delta).max(-INFINITE);
                reduction = 0;
            } else if score >= beta {
                self.mark_and_report(reporter, Bound::Lower);
                beta = (score + delta).min(INFINITE);
                reduction = (reduction + 1).min(3);
            } else {
                break;
            }
            delta += delta * params::aspiration_growth() / 100 + 2;
            if delta > 600 {
                alpha = -INFINITE;
                beta = INFINITE;
            }
        }
        self.root_moves[..=self.pv_index].sort_by_key(|root_move| -root_move.score);
    }

    fn mark_and_report(&mut self, reporter: &mut dyn Reporter, bound: Bound) {
        self.root_moves[self.pv_index].bound = bound;
        if self.id == 0 && self.shared.lines == 1 && self.plan.elapsed() > Duration::from_secs(3) {
            self.report(reporter, self.pv_index, bound);
        }
    }

    /// An iteration was cut off. A line that was searched in it counts, what was not keeps its place.
    fn settle_unfinished(&mut self) {
        for root_move in &mut self.root_moves {
            if root_move.score == -INFINITE {
                root_move.score = root_move.previous;
            }
        }
        if self.root_moves[0].score == -INFINITE {
            // Cut off before anything was searched.
            let raw = self.evaluate();
            self.root_moves[0].score = self.corrected(raw);
        }
    }

    fn report(&mut self, reporter: &mut dyn Reporter, index: usize, bound: Bound) {
        let mut pv = std::mem::take(&mut self.root_moves[index].pv);
        self.complete_pv(&mut pv);
        self.root_moves[index].pv = pv;
        let root_move = &self.root_moves[index];
        reporter.info(&Info {
            seldepth: root_move.seldepth.max(root_move.pv.len() as u32),
            bound,
            ..self.line(index, root_move.score, &root_move.pv)
        });
        if index == 0 {
            self.told = root_move.mv;
        }
    }

    /// Ends the search with this line: names the expected answer if the hash table knows one, and tells of the
    /// line if the last one told began with another move.
    pub fn conclude(&mut self, pv: &mut Vec<Move>, score: Score, depth: i32, reporter: &mut dyn Reporter) {
        self.complete_pv(pv);
        // A lone move is followed by the answer that the hash table thinks of, sure or not.
        self.follow(pv, 2, |_| true);
        if self.told != pv[0] && self.shared.lines == 1 {
            reporter.info(&Info { depth: depth.max(1) as u32, ..self.line(0, score, pv) });
        }
    }

    /// What there is to tell of a line; its score is exact unless the caller knows better.
    fn line<'p>(&self, index: usize, score: Score, pv: &'p [Move]) -> Info<'p> {
        Info {
            depth: self.root_depth as u32,
            seldepth: self.seldepth.max(pv.len()) as u32,
            multipv: index + 1,
            score: score::hundredths(score),
            bound: Bound::Exact,
            nodes: self.shared.total_nodes().max(self.nodes),
            time: self.plan.elapsed(),
            hashfull: if index == 0 { self.table.hashfull() } else { 0 },
            pv,
        }
    }

    /// A variation that ends early is continued from the hash table as far as that is sure of itself.
    fn complete_pv(&mut self, pv: &mut Vec<Move>) {
        let wanted = (self.root_depth as usize).min(MAX_PLY);
        self.follow(pv, wanted, |bound| bound == Bound::Exact);
    }

    /// Continues a variation up to this length by moves of the hash table whose scores are good enough.
    fn follow(&mut self, pv: &mut Vec<Move>, wanted: usize, is_good: impl Fn(Bound) -> bool) {
        let position = &mut self.position;
        let before = position.history_len();
        for &mv in pv.iter() {
            position.make(mv);
        }
        while pv.len() < wanted {
            let Some(entry) = self.table.get(position.key()) else { break };
            let usable =
                is_good(entry.bound) && position.is_pseudo_legal(entry.mv) && position.is_legal(entry.mv);
            if !usable {
                break;
            }
            position.make(entry.mv);
            if position.repetition_distance().is_some() {
                break;
            }
            pv.push(entry.mv);
        }
        while position.history_len() > before {
            position.unmake();
        }
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
