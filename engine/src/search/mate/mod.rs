//! `go mate`: is there a mate in so many moves? A solver beside the main search, which prunes and so can find a short
//! mate late, and can never say that there is none.
//!
//! * `dfpn` is a depth-first proof number search, `proof_table` what it remembers, `mate_line` shows what it has proven.
//!
//! It asks in three ways, in turns, each of which gets the same share of the work: by checks alone, which finds most
//! mates soon however long they are; with all moves, one move more each time, which knows of each length whether there is
//! a mate; and with all moves at once for the full length. The main search takes turns with them. When one of them has
//! found a mate, shorter ones are looked for as long again.

mod dfpn;
mod mate_line;
mod proof_table;

use self::dfpn::{Dfpn, GameHistory, ProofState};
use self::proof_table::{AttackerMoves, NO_MATE, ProofTable};
use super::huge_pages::available_memory_mb;
use super::info::{MateProgress, Reporter};
use super::search_thread::SearchThread;
use crate::types::{Move, score};

/// No longer mate is looked for, in moves: its plies fit a byte.
const MAX_MOVES: u32 = 100;
/// The solver begins with so many nodes.
const FIRST_SLICE_NODES: u64 = 30_000;
/// Then it gets so many nodes for each hundred of the main search.
const SOLVER_PERCENT: u64 = 40;
/// A way of asking is gone for so many nodes at a time, at least and at most.
const SLICE_NODES: [u64; 2] = [20_000, 1_000_000];
/// So many nodes at least are spent on a shorter mate.
const SHORTEN_NODES: u64 = 300_000;
/// The store is not larger than this, nor than the hash table.
const MAX_MEGABYTES: usize = 1024;

/// A way of asking.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SolveStrategy {
    ChecksOnly,
    /// With all moves, for the shortest mate that is not ruled out.
    ShortestFirst,
    /// With all moves, for any mate that is short enough.
    FullLength,
}

impl SolveStrategy {
    const ALL: [SolveStrategy; 3] =
        [SolveStrategy::ChecksOnly, SolveStrategy::ShortestFirst, SolveStrategy::FullLength];

    fn method(self) -> AttackerMoves {
        if self == SolveStrategy::ChecksOnly { AttackerMoves::ChecksOnly } else { AttackerMoves::All }
    }
}

/// A mate that was found.
struct FoundMate {
    plies: u8,
    /// Its line was told; it is not if the main search has found it.
    is_reported: bool,
    /// The line is that of the longest resistance against the shortest mate.
    is_shortest: bool,
    method: AttackerMoves,
}

/// A search for a mate, and what it has found out so far.
pub(super) struct MateSolver {
    /// What was asked for, in moves and plies.
    requested: u32,
    max_plies: u8,
    table: ProofTable,
    history: GameHistory,
    killer_replies: Vec<Move>,
    spare_children: Vec<Vec<dfpn::ProofChild>>,
    /// Nodes spent by each way.
    nodes_spent: [u64; 3],
    /// There is no mate within so many plies.
    ruled_out: u8,
    /// No checks alone mate within so many plies.
    ruled_out_by_checks: u8,
    found: Option<FoundMate>,
    /// At this many nodes of the worker the search for a shorter mate ends.
    shorten_until: u64,
}

/// What a turn has come to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum SolverStatus {
    /// The main search may go on.
    Continue,
    /// All is known that was asked for, or is worth its price.
    Done,
}

impl MateSolver {
    /// A search for a mate in so many moves.
    pub fn new(worker: &SearchThread, moves: u32) -> MateSolver {
        let asked = moves.min(MAX_MOVES);
        let room = available_memory_mb().map_or(usize::MAX, |megabytes| megabytes / 2);
        let megabytes = worker.shared.tt.megabytes().min(MAX_MEGABYTES).min(room).max(1);
        MateSolver {
            requested: asked,
            max_plies: (2 * asked).saturating_sub(1) as u8,
            table: ProofTable::new(megabytes << 20),
            history: GameHistory::of(worker),
            killer_replies: Vec::new(),
            spare_children: Vec::new(),
            nodes_spent: [0; 3],
            ruled_out: 0,
            ruled_out_by_checks: 0,
            found: None,
            shorten_until: 0,
        }
    }

    /// How the search for a mate stands, for the reporter.
    pub fn progress(&self, over: bool) -> MateProgress {
        MateProgress {
            asked: self.requested,
            found: self.found.as_ref().map(|found| u32::from(found.plies).div_ceil(2)),
            ruled_out: (u32::from(self.ruled_out).div_ceil(2)).min(self.requested),
            finished: over,
        }
    }

    /// Takes note of the mate that the main search has found, if it has.
    fn note_search_mate(&mut self, worker: &SearchThread) {
        if let Some(plies) = score::mate_plies(worker.root_moves[0].score)
            && let Ok(plies) = u8::try_from(plies)
            && plies > 0
            && plies <= self.max_plies
            && self.found.as_ref().is_none_or(|found| plies < found.plies)
        {
            self.found = Some(FoundMate { plies, is_reported: false, is_shortest: false, method: AttackerMoves::All });
            self.shorten_until = 2 * worker.nodes + SHORTEN_NODES;
        }
    }

    /// Takes a turn, if one is due. Alone, without a main search to take turns with, it runs until it is done or stopped.
    pub fn run(&mut self, worker: &mut SearchThread, is_alone: bool, reporter: &mut dyn Reporter) -> SolverStatus {
        self.note_search_mate(worker);
        loop {
            if self.is_done() {
                return SolverStatus::Done;
            }
            // A slice that the proof table answers counts no node, and so has looked at no limit.
            worker.check_limits();
            let spent: u64 = self.nodes_spent.iter().sum();
            let due = if self.found.is_some() {
                if worker.nodes >= self.shorten_until || worker.stopped {
                    return SolverStatus::Done;
                }
                u64::MAX
            } else if is_alone {
                u64::MAX
            } else {
                ((worker.nodes - spent) * SOLVER_PERCENT / 100).max(FIRST_SLICE_NODES)
            };
            if spent >= due || worker.stopped {
                return SolverStatus::Continue;
            }
            self.run_slice(worker, reporter);
        }
    }

    /// The longest mate that is still of interest, in plies. One that only the main search knows of is still to be proven.
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

    /// What this way asks next; `None` if it has nothing to ask.
    fn next_length(&self, way: SolveStrategy) -> Option<u8> {
        let (top, next) = (self.max_open_plies(), self.ruled_out.saturating_add(1 + self.ruled_out % 2));
        match way {
            SolveStrategy::ChecksOnly => Some(top).filter(|&top| self.ruled_out_by_checks < top),
            SolveStrategy::ShortestFirst => Some(next),
            // Where the ladder asks the same already.
            SolveStrategy::FullLength => Some(top).filter(|&top| top > next),
        }
    }

    /// Goes one way for a while: the one that has cost least so far.
    fn run_slice(&mut self, worker: &mut SearchThread, reporter: &mut dyn Reporter) {
        let ways = SolveStrategy::ALL.into_iter().filter_map(|way| Some((way, self.next_length(way)?)));
        let Some((way, plies)) = ways.min_by_key(|&(way, _)| self.nodes_spent[way as usize]) else { return };
        let begun = worker.nodes;
        let spell = (self.nodes_spent[way as usize] / 2).clamp(SLICE_NODES[0], SLICE_NODES[1]);
        let mut until = begun + spell;
        if self.found.is_some() {
            until = until.min(self.shorten_until);
        }
        let answer = self.dfpn(worker, way.method(), until).solve_root(plies);
        if let Ok((standing, children)) = answer {
            if standing.pn == 0 {
                let first = children.iter().find(|child| child.state.pn == 0).map(|child| child.mv);
                self.report_mate(way.method(), standing.plies, first, worker, reporter);
                self.shorten_until = 2 * worker.nodes + SHORTEN_NODES;
            } else {
                self.rule_out(way, standing, reporter);
            }
        }
        self.nodes_spent[way as usize] += worker.nodes - begun;
    }

    fn dfpn<'s, 'w>(&'s mut self, worker: &'s mut SearchThread<'w>, method: AttackerMoves, until: u64) -> Dfpn<'s, 'w> {
        let MateSolver { table: store, history: past, killer_replies: escapes, spare_children: spare, .. } = self;
        Dfpn {
            worker,
            table: store,
            history: past,
            killer_replies: escapes,
            spare_children: spare,
            method,
            node_limit: until,
        }
    }

    /// There is no mate of the length that was asked for.
    fn rule_out(&mut self, way: SolveStrategy, standing: ProofState, reporter: &mut dyn Reporter) {
        // None within fewer plies than it says, or none at all.
        let plies = if standing.plies == NO_MATE { NO_MATE } else { standing.plies - 1 };
        self.ruled_out_by_checks = self.ruled_out_by_checks.max(plies);
        if way != SolveStrategy::ChecksOnly && plies > self.ruled_out {
            self.ruled_out = plies;
            // The end is told when it comes.
            if !self.is_done() {
                reporter.mate_progress(&self.progress(false));
            }
        }
    }

    /// A mate is proven, and begins with this move: works out its line and tells of it.
    fn report_mate(
        &mut self,
        method: AttackerMoves,
        plies: u8,
        first: Option<Move>,
        worker: &mut SearchThread,
        reporter: &mut dyn Reporter,
    ) {
        let is_exact = self.ruled_out.saturating_add(2) >= plies;
        let (mut line, plies) = self.dfpn(worker, method, u64::MAX).mate_line(plies, is_exact);
        if line.is_empty() {
            line.extend(first);
        }
        worker.set_proven_mate(&line, usize::from(plies), reporter);
        self.found = Some(FoundMate { plies, is_reported: true, is_shortest: is_exact, method });
    }

    /// The end: if the mate has turned out to be the shortest, its line becomes that of the longest resistance.
    pub fn finish(&mut self, worker: &mut SearchThread, reporter: &mut dyn Reporter) {
        self.note_search_mate(worker);
        if let Some(FoundMate { plies, is_reported: true, is_shortest: false, method }) = self.found
            && self.ruled_out.saturating_add(2) >= plies
            && !worker.stopped
        {
            let first = Some(worker.root_moves[0].mv);
            self.report_mate(method, plies, first, worker, reporter);
        }
        reporter.mate_progress(&self.progress(true));
    }
}
