//! Mate solver of `go mate`: proves or rules out a mate within a number of moves. The main search prunes, so it may
//! find a short mate late and cannot rule one out.
//!
//! The solver runs three strategies in turns with equal node shares: checks only, which finds most mates quickly; all
//! moves at increasing length, which proves for each length whether there is a mate; and all moves at full length. The
//! main search takes turns with them. After a mate is found, the solver looks for shorter ones for as long again.
//!
//! `dfpn` is the proof number search, `proof_table` its table, and `mate_line` extracts
//! the line of a proven mate. `prover` asks about the positions of a tree, without a main search.

mod dfpn;
mod mate_line;
mod proof_table;
mod prover;

pub(super) use self::mate_line::CheckSeriesSolver;
pub use self::proof_table::AttackerMoves;
pub use self::prover::{MateProof, MateProver};

use self::dfpn::{Dfpn, GameHistory, ProofState};
use self::proof_table::{NO_MATE, ProofTable};
use super::report::{MateProgress, Reporter};
use super::search_thread::SearchThread;
use crate::memory::available_memory_mb;
use crate::score;
use xiangqi::{Move, MoveList};

/// Longest mate in moves; its plies fit in a byte.
const MAX_MOVES: u32 = 100;
/// Nodes that the solver may use before the main search has any.
const FIRST_SLICE_NODES: u64 = 30_000;
/// Nodes of the solver in percent of those of the main search.
const SOLVER_PERCENT: u64 = 10;
/// Minimum and maximum nodes of one slice of a strategy.
const SLICE_NODES: [u64; 2] = [20_000, 1_000_000];
/// Minimum nodes to spend on finding a shorter mate.
const SHORTEN_NODES: u64 = 300_000;
/// Maximum size of the proof table; it is not larger than the transposition table either.
const MAX_MEGABYTES: usize = 1024;

/// How the solver looks for a mate.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SolveStrategy {
    ChecksOnly,
    /// All moves, at the shortest length that is not ruled out.
    ShortestFirst,
    /// All moves, at the full length.
    FullLength,
}

impl SolveStrategy {
    const ALL: [SolveStrategy; 3] =
        [SolveStrategy::ChecksOnly, SolveStrategy::ShortestFirst, SolveStrategy::FullLength];

    fn method(self) -> AttackerMoves {
        if self == SolveStrategy::ChecksOnly { AttackerMoves::ChecksOnly } else { AttackerMoves::All }
    }
}

/// A mate that has been found.
struct FoundMate {
    plies: u8,
    /// Its line has been reported; false if the main search found it.
    is_reported: bool,
    /// It is the shortest mate, and its line has the longest resistance.
    is_shortest: bool,
    method: AttackerMoves,
}

/// State of the search for a mate.
pub(super) struct MateSolver {
    /// Maximum length of the mate in moves; `max_plies` is the same in plies.
    requested: u32,
    max_plies: u8,
    table: ProofTable,
    history: GameHistory,
    killer_replies: Vec<Option<Move>>,
    spare_children: Vec<Vec<dfpn::ProofChild>>,
    /// Nodes spent by each strategy.
    nodes_spent: [u64; 3],
    /// There is no mate within this many plies.
    ruled_out: u8,
    /// There is no mate by checks alone within this many plies.
    ruled_out_by_checks: u8,
    found: Option<FoundMate>,
    /// Node count of the thread at which the search for a shorter mate ends.
    shorten_until: u64,
}

/// Result of a turn of the solver.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum SolverStatus {
    /// The main search may go on.
    Continue,
    /// The solver has its answer, or its nodes are used up.
    Done,
}

impl MateSolver {
    /// Creates a solver for mates within this many moves.
    pub fn new(thread: &SearchThread, moves: u32) -> MateSolver {
        let requested = moves.min(MAX_MOVES);
        let memory_limit = available_memory_mb().map_or(usize::MAX, |megabytes| megabytes / 2);
        let megabytes = thread.shared.tt.megabytes().min(MAX_MEGABYTES).min(memory_limit).max(1);
        MateSolver {
            requested,
            max_plies: (2 * requested).saturating_sub(1) as u8,
            table: ProofTable::new(megabytes << 20),
            history: GameHistory::of(&thread.position, thread.shared.options.rules),
            killer_replies: Vec::new(),
            spare_children: Vec::new(),
            nodes_spent: [0; 3],
            ruled_out: 0,
            ruled_out_by_checks: 0,
            found: None,
            shorten_until: 0,
        }
    }

    /// The progress to report.
    pub fn progress(&self, finished: bool) -> MateProgress {
        MateProgress {
            requested: self.requested,
            found: self.found.as_ref().map(|found| u32::from(found.plies).div_ceil(2)),
            ruled_out: (u32::from(self.ruled_out).div_ceil(2)).min(self.requested),
            finished,
        }
    }

    /// Records a mate that the main search has found.
    fn note_search_mate(&mut self, thread: &SearchThread) {
        if let Some(plies) = score::mate_plies(thread.root_moves[0].score)
            && let Ok(plies) = u8::try_from(plies)
            && plies > 0
            && plies <= self.max_plies
            && self.found.as_ref().is_none_or(|found| plies < found.plies)
        {
            self.found = Some(FoundMate { plies, is_reported: false, is_shortest: false, method: AttackerMoves::All });
            self.shorten_until = 2 * thread.nodes + SHORTEN_NODES;
        }
    }

    /// Runs slices until the nodes of this turn are used up; alone, without a main search, until it is done or stopped.
    pub fn run(&mut self, thread: &mut SearchThread, is_alone: bool, reporter: &mut dyn Reporter) -> SolverStatus {
        self.note_search_mate(thread);
        loop {
            if self.is_done() {
                return SolverStatus::Done;
            }
            // A slice that the proof table answers counts no nodes, so it checks no limits.
            thread.check_limits();
            let spent: u64 = self.nodes_spent.iter().sum();
            let due = if self.found.is_some() {
                if thread.nodes >= self.shorten_until || thread.stopped {
                    return SolverStatus::Done;
                }
                u64::MAX
            } else if is_alone {
                u64::MAX
            } else {
                ((thread.nodes - spent) * SOLVER_PERCENT / 100).max(FIRST_SLICE_NODES)
            };
            if spent >= due || thread.stopped {
                return SolverStatus::Continue;
            }
            self.run_slice(thread, reporter);
        }
    }

    /// The longest mate still to be searched, in plies. A mate that only the main search has found is still to be
    /// proven.
    fn max_open_plies(&self) -> u8 {
        match &self.found {
            None => self.max_plies,
            Some(FoundMate { is_reported: false, plies, .. }) => *plies,
            Some(FoundMate { plies, .. }) => plies - 2.min(*plies),
        }
    }

    fn is_done(&self) -> bool {
        self.ruled_out >= self.max_open_plies()
    }

    /// The length in plies that a strategy tries next; `None` if it has nothing left to do.
    fn next_length(&self, strategy: SolveStrategy) -> Option<u8> {
        let (top, next) = (self.max_open_plies(), self.ruled_out.saturating_add(1 + self.ruled_out % 2));
        match strategy {
            SolveStrategy::ChecksOnly => Some(top).filter(|&top| self.ruled_out_by_checks < top),
            SolveStrategy::ShortestFirst => Some(next),
            // Unless `ShortestFirst` tries the same length.
            SolveStrategy::FullLength => Some(top).filter(|&top| top > next),
        }
    }

    /// Runs the strategy with the fewest nodes so far for one slice.
    fn run_slice(&mut self, thread: &mut SearchThread, reporter: &mut dyn Reporter) {
        let open_strategies =
            SolveStrategy::ALL.into_iter().filter_map(|strategy| Some((strategy, self.next_length(strategy)?)));
        let Some((strategy, plies)) = open_strategies.min_by_key(|&(strategy, _)| self.nodes_spent[strategy as usize])
        else {
            return;
        };
        let nodes_before = thread.nodes;
        let slice = (self.nodes_spent[strategy as usize] / 2).clamp(SLICE_NODES[0], SLICE_NODES[1]);
        let mut node_limit = nodes_before + slice;
        if self.found.is_some() {
            node_limit = node_limit.min(self.shorten_until);
        }
        let moves = root_moves(thread);
        let answer = self.dfpn(thread, strategy.method(), node_limit).solve_root(&moves, plies);
        if let Ok((state, children)) = answer {
            if state.pn == 0 {
                let first = children.iter().find(|child| child.state.pn == 0).map(|child| child.mv);
                self.report_mate(strategy.method(), state.plies, first, thread, reporter);
                self.shorten_until = 2 * thread.nodes + SHORTEN_NODES;
            } else {
                self.rule_out(strategy, state, reporter);
            }
        }
        self.nodes_spent[strategy as usize] += thread.nodes - nodes_before;
    }

    fn dfpn<'s, 'w>(
        &'s mut self,
        thread: &'s mut SearchThread<'w>,
        method: AttackerMoves,
        node_limit: u64,
    ) -> Dfpn<'s, SearchThread<'w>> {
        let MateSolver { table, history, killer_replies, spare_children, .. } = self;
        Dfpn { host: thread, table, more_proofs: None, history, killer_replies, spare_children, method, node_limit }
    }

    /// Records that a strategy has refuted a length.
    fn rule_out(&mut self, strategy: SolveStrategy, state: ProofState, reporter: &mut dyn Reporter) {
        // No mate within fewer plies than `state.plies`, or none at all.
        let plies = if state.plies == NO_MATE { NO_MATE } else { state.plies - 1 };
        self.ruled_out_by_checks = self.ruled_out_by_checks.max(plies);
        if strategy != SolveStrategy::ChecksOnly && plies > self.ruled_out {
            self.ruled_out = plies;
            // `finish` reports the end.
            if !self.is_done() {
                reporter.mate_progress(&self.progress(false));
            }
        }
    }

    /// Extracts and reports the line of a proven mate that begins with `first`.
    fn report_mate(
        &mut self,
        method: AttackerMoves,
        plies: u8,
        first: Option<Move>,
        thread: &mut SearchThread,
        reporter: &mut dyn Reporter,
    ) {
        let is_exact = self.ruled_out.saturating_add(2) >= plies;
        let (mut line, plies) = self.dfpn(thread, method, u64::MAX).mate_line(plies, is_exact);
        if line.is_empty() {
            line.extend(first);
        }
        thread.set_proven_mate(&line, usize::from(plies), reporter);
        self.found = Some(FoundMate { plies, is_reported: true, is_shortest: is_exact, method });
    }

    /// Ends the solver. If the mate is now known to be the shortest, reports its line with the longest resistance.
    pub fn finish(&mut self, thread: &mut SearchThread, reporter: &mut dyn Reporter) {
        self.note_search_mate(thread);
        if let Some(FoundMate { plies, is_reported: true, is_shortest: false, method }) = self.found
            && self.ruled_out.saturating_add(2) >= plies
            && !thread.stopped
        {
            let first = Some(thread.root_moves[0].mv);
            self.report_mate(method, plies, first, thread, reporter);
        }
        reporter.mate_progress(&self.progress(true));
    }
}

/// The moves of the root, which may be fewer than the legal ones.
fn root_moves(thread: &SearchThread) -> MoveList {
    let mut moves = MoveList::new();
    thread.root_moves.iter().for_each(|root_move| moves.add(root_move.mv));
    moves
}
