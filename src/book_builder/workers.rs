//! What is to be searched next.
//!
//! The searches of a book, on several threads: whoever is free takes the next one from the desk.

use super::graph::Graph;
use super::journal::{Journal, JournalError};
use super::{SearchKind, SearchRecord};
use chuhe_engine::board::Position;
use chuhe_engine::search::{self, Bound, Control, Info, Limits, Options, Reporter, SearchResult, Searcher};
use chuhe_engine::types::score::hundredths;
use chuhe_engine::types::{Key, Move, Score};
use chuhe_toolkit::book::mirror::MirrorKey;
use std::collections::{HashSet, VecDeque};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Of so many positions one at most waits for its proof, so that the book can be picked at any time …
const UNPROVEN_RATIO: usize = 8;
/// … and a few more in the beginning.
const UNPROVEN_ALLOWANCE: usize = 24;

/// The named systems are followed for so many plies before anything else.
const NAMED_PLIES: usize = 8;

/// What the maker of a book wants.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BuildPlan {
    /// Positions that the book is to have.
    pub positions: usize,
    /// Nodes for getting to know a position's moves.
    pub survey: u64,
    /// Nodes for being sure of the best one.
    pub proof: u64,
    /// Moves to get to know.
    pub lines: usize,
}

/// A search to be made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SearchJob {
    pub kind: SearchKind,
    pub key: Key,
    pub fen: String,
}

impl BuildPlan {
    /// The next searches, the most important first, without those that are being made; none if all is done. Not many at
    /// a time, because each may change what is important.
    pub fn next_jobs(&self, graph: &mut Graph, busy: &HashSet<Key>) -> Vec<SearchJob> {
        graph.back_up_values();
        let positions = graph.nodes().len();
        let some = 1 + positions / 200;
        let idle = |key: &Key| !busy.contains(key);
        let survey = |leaf: super::graph::ExpansionCandidate| SearchJob {
            kind: SearchKind::Survey,
            key: leaf.key,
            fen: leaf.fen,
        };
        let wanted: Vec<SearchJob> =
            graph.unsearched_named().filter(|leaf| idle(&leaf.key)).take(some).map(survey).collect();
        if !wanted.is_empty() {
            return wanted;
        }
        let short: Vec<SearchJob> =
            graph.named_frontier(NAMED_PLIES).into_iter().filter(|leaf| idle(&leaf.key)).map(survey).collect();
        if let Some(job) = short.into_iter().next() {
            return vec![job];
        }
        let (order, leaves) = graph.expansion_order();
        let unproven = positions - graph.proofs();
        let is_enough = positions >= self.positions;
        if !is_enough && unproven <= UNPROVEN_ALLOWANCE + positions / UNPROVEN_RATIO {
            let next: Vec<SearchJob> =
                leaves.into_iter().filter(|leaf| idle(&leaf.key)).take(some).map(survey).collect();
            if !next.is_empty() {
                return next;
            }
        }
        let nodes = order.into_iter().map(|index| &graph.nodes()[index]);
        let unproven = nodes.filter(|node| node.proof.is_none() && !node.edges.is_empty());
        unproven
            .filter_map(|node| {
                let position = chuhe_engine::board::Position::from_fen(&node.fen).ok()?;
                let key = chuhe_toolkit::book::mirror::MirrorKey::of(&position).key;
                idle(&key).then(|| SearchJob { kind: SearchKind::Proof, key, fen: node.fen.clone() })
            })
            .take(some.max(8))
            .collect()
    }
}

/// Megabytes of hash table of each thread.
const HASH_MB: usize = 32;
/// How often whoever watches is asked whether to go on.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// How far the work is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct BuildProgress {
    pub positions: usize,
    /// Positions with a proof.
    pub proofs: usize,
    /// Searches made in this run.
    pub searches: usize,
    /// Nodes searched in this run.
    pub nodes: u64,
}

/// What the threads share.
struct BuildState<'a> {
    graph: &'a mut Graph,
    journal: &'a mut Journal,
    queue: VecDeque<SearchJob>,
    busy: HashSet<Key>,
    progress: BuildProgress,
    failure: Option<JournalError>,
}

/// The desk, and how those at it wake each other.
struct BuildQueue<'a> {
    state: Mutex<BuildState<'a>>,
    changed: Condvar,
    control: Control,
    plan: BuildPlan,
}

/// Searches until the plan is fulfilled, or whoever watches answers false, or the journal cannot be written.
pub fn run(
    graph: &mut Graph,
    journal: &mut Journal,
    plan: BuildPlan,
    threads: usize,
    watch: &mut dyn FnMut(&BuildProgress) -> bool,
) -> Result<(), JournalError> {
    let progress = BuildProgress { positions: graph.nodes().len(), proofs: graph.proofs(), ..BuildProgress::default() };
    let (queue, busy) = (VecDeque::new(), HashSet::new());
    let room = BuildQueue {
        state: Mutex::new(BuildState { graph, journal, queue, busy, progress, failure: None }),
        changed: Condvar::new(),
        control: Control::new(false),
        plan,
    };
    std::thread::scope(|scope| {
        let mut workers = Vec::new();
        for number in 0..threads.max(1) {
            let name = format!("book-{number}");
            match search::thread_builder(&name).spawn_scoped(scope, || room.run_worker()) {
                Ok(worker) => workers.push(worker),
                Err(error) => log::warn!("only {number} threads could be started: {error}"),
            }
        }
        while workers.iter().any(|worker| !worker.is_finished()) {
            std::thread::sleep(POLL_INTERVAL);
            let progress = room.state().progress;
            if !watch(&progress) {
                room.control.stop();
                room.changed.notify_all();
            }
        }
    });
    let desk = room.state.into_inner().unwrap_or_else(PoisonError::into_inner);
    desk.graph.back_up_values();
    desk.failure.map_or(Ok(()), Err)
}

impl<'a> BuildQueue<'a> {
    fn state(&self) -> MutexGuard<'_, BuildState<'a>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn run_worker(&self) {
        let mut searcher = match Searcher::new(Options::default(), HASH_MB) {
            Ok(searcher) => searcher,
            Err(error) => return log::warn!("a thread less: {error}"),
        };
        while let Some(job) = self.next_job() {
            let found = run_search(&mut searcher, &job, &self.plan, &self.control);
            let mut desk = self.state();
            desk.busy.remove(&job.key);
            if let Some((finding, nodes)) = found.filter(|_| !self.control.stopped()) {
                desk.record(&finding, nodes);
                if desk.failure.is_some() {
                    self.control.stop();
                }
            }
            drop(desk);
            self.changed.notify_all();
        }
    }

    /// The next job; `None` if there is nothing more to do.
    fn next_job(&self) -> Option<SearchJob> {
        let mut desk = self.state();
        loop {
            if self.control.stopped() {
                return None;
            }
            if desk.queue.is_empty() {
                let BuildState { graph, busy, .. } = &mut *desk;
                let jobs = self.plan.next_jobs(graph, busy);
                desk.queue.extend(jobs);
            }
            if let Some(job) = desk.queue.pop_front() {
                desk.busy.insert(job.key);
                return Some(job);
            }
            // What others are at may lead to more.
            if desk.busy.is_empty() {
                return None;
            }
            desk = self.changed.wait(desk).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl BuildState<'_> {
    fn record(&mut self, finding: &SearchRecord, nodes: u64) {
        if let Err(error) = self.journal.add(finding) {
            self.failure = Some(error);
            return;
        }
        if let Err(error) = self.graph.add(finding) {
            log::warn!("{}: {error}", finding.fen);
        }
        let (positions, proofs) = (self.graph.nodes().len(), self.graph.proofs());
        let (searches, nodes) = (self.progress.searches + 1, self.progress.nodes + nodes);
        self.progress = BuildProgress { positions, proofs, searches, nodes };
    }
}

fn run_search(
    searcher: &mut Searcher,
    job: &SearchJob,
    plan: &BuildPlan,
    control: &Control,
) -> Option<(SearchRecord, u64)> {
    let position = Position::from_fen(&job.fen).ok()?;
    let folded = MirrorKey::of(&position);
    let (lines, nodes) = match job.kind {
        SearchKind::Survey => (plan.lines.max(1), plan.survey),
        SearchKind::Proof => (1, plan.proof),
    };
    // Of two moves that are mirror images of each other one is enough.
    let legal = position.legal_moves();
    let only = legal.moves().filter(|&mv| folded.to_book_move(mv) == mv || !folded.symmetric).collect();
    let limits = Limits { nodes: Some(nodes), search_moves: only, ..Limits::default() };
    searcher.options.multi_pv = lines;
    let mut lines = LineCollector::default();
    let outcome = searcher.search(&position, &limits, control, &mut lines);
    let lines = match job.kind {
        SearchKind::Survey => lines.into_lines(&outcome),
        SearchKind::Proof => outcome.best_move.map(|mv| (mv, hundredths(outcome.score))).into_iter().collect(),
    };
    Some((SearchRecord { kind: job.kind, fen: job.fen.clone(), depth: outcome.depth, lines }, outcome.nodes))
}

/// Hears the lines of the last iteration that was finished.
#[derive(Default)]
struct LineCollector {
    depth: u32,
    lines: Vec<(Move, Score)>,
}

impl LineCollector {
    fn into_lines(self, outcome: &SearchResult) -> Vec<(Move, Score)> {
        if self.lines.is_empty() {
            return outcome.best_move.map(|mv| (mv, hundredths(outcome.score))).into_iter().collect();
        }
        self.lines
    }
}

impl Reporter for LineCollector {
    fn info(&mut self, info: &Info) {
        if info.bound != Bound::Exact {
            return;
        }
        if info.multipv == 1 || info.depth != self.depth {
            self.lines.clear();
            self.depth = info.depth;
        }
        if let Some(&mv) = info.pv.first() {
            self.lines.push((mv, hundredths(info.score)));
        }
    }
}
