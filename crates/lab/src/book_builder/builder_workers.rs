//! Chooses the next searches of a book and runs them on several threads.

use super::book_journal::{Journal, JournalError};
use super::graph::Graph;
use super::{SearchKind, SearchRecord};
use chuhe_engine::score::{Score, hundredths};
use chuhe_engine::search::{Bound, Control, Info, Limits, Options, Reporter, SearchResult, Searcher};
use chuhe_study::book::mirror::MirrorKey;
use chuhe_support::language::NoThread;
use std::collections::{HashSet, VecDeque};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use xiangqi::{Move, Position, zobrist::Key};

/// At most one in this many positions lacks its proof, so that the book can be extracted at any time …
const UNPROVEN_RATIO: usize = 8;
/// … plus this many, which matters at the beginning.
const UNPROVEN_ALLOWANCE: usize = 24;

/// The named systems are continued for this many plies first.
const NAMED_PLIES: usize = 8;

/// What to build.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BuildPlan {
    /// Target number of positions.
    pub positions: usize,
    /// Nodes of a survey search.
    pub survey: u64,
    /// Nodes of a proof search.
    pub proof: u64,
    /// Moves (MultiPV lines) per survey.
    pub lines: usize,
}

/// A search to make.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SearchJob {
    pub kind: SearchKind,
    pub key: Key,
    pub fen: String,
}

impl BuildPlan {
    /// The next searches, the most important first, without the running ones; empty if all is done. Only a few at a
    /// time, since each result may change the order.
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
                let position = xiangqi::Position::from_fen(&node.fen).ok()?;
                let key = chuhe_study::book::mirror::MirrorKey::of(&position).key;
                idle(&key).then(|| SearchJob { kind: SearchKind::Proof, key, fen: node.fen.clone() })
            })
            .take(some.max(8))
            .collect()
    }
}

/// Megabytes of transposition table per thread.
const HASH_MB: usize = 32;
/// How often `watch` is called.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// Progress of the build.
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

/// State shared by the threads.
struct BuildState<'a> {
    graph: &'a mut Graph,
    journal: &'a mut Journal,
    queue: VecDeque<SearchJob>,
    busy: HashSet<Key>,
    progress: BuildProgress,
    failure: Option<JournalError>,
}

/// The shared state with its lock and notification.
struct BuildQueue<'a> {
    state: Mutex<BuildState<'a>>,
    changed: Condvar,
    control: Control,
    plan: BuildPlan,
}

/// Searches until the plan is complete, `watch` returns false, or the journal cannot be written.
pub fn run(
    graph: &mut Graph,
    journal: &mut Journal,
    plan: BuildPlan,
    threads: usize,
    watch: &mut dyn FnMut(&BuildProgress) -> bool,
) -> Result<(), JournalError> {
    let progress = BuildProgress { positions: graph.nodes().len(), proofs: graph.proofs(), ..BuildProgress::default() };
    let (queue, busy) = (VecDeque::new(), HashSet::new());
    let shared = BuildQueue {
        state: Mutex::new(BuildState { graph, journal, queue, busy, progress, failure: None }),
        changed: Condvar::new(),
        control: Control::new(false),
        plan,
    };
    std::thread::scope(|scope| -> Result<(), JournalError> {
        let mut workers = Vec::new();
        for number in 0..threads.max(1) {
            let name = format!("book-{number}");
            match std::thread::Builder::new().name(name).spawn_scoped(scope, || shared.run_worker()) {
                Ok(worker) => workers.push(worker),
                Err(error) if number == 0 => return Err(NoThread(error).into()),
                Err(error) => {
                    log::warn!("only {number} threads could be started: {error}");
                    break;
                }
            }
        }
        while workers.iter().any(|worker| !worker.is_finished()) {
            std::thread::sleep(POLL_INTERVAL);
            let progress = shared.state().progress;
            if !watch(&progress) {
                shared.control.stop();
                shared.changed.notify_all();
            }
        }
        Ok(())
    })?;
    let state = shared.state.into_inner().unwrap_or_else(PoisonError::into_inner);
    state.graph.back_up_values();
    state.failure.map_or(Ok(()), Err)
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
            let mut state = self.state();
            state.busy.remove(&job.key);
            if let Some((record, nodes)) = found.filter(|_| !self.control.stopped()) {
                state.add_record(&record, nodes);
                if state.failure.is_some() {
                    self.control.stop();
                }
            }
            drop(state);
            self.changed.notify_all();
        }
    }

    /// The next job; `None` if nothing is left.
    fn next_job(&self) -> Option<SearchJob> {
        let mut state = self.state();
        loop {
            if self.control.stopped() {
                return None;
            }
            if state.queue.is_empty() {
                let BuildState { graph, busy, .. } = &mut *state;
                let jobs = self.plan.next_jobs(graph, busy);
                state.queue.extend(jobs);
            }
            if let Some(job) = state.queue.pop_front() {
                state.busy.insert(job.key);
                return Some(job);
            }
            // Running jobs may lead to more.
            if state.busy.is_empty() {
                return None;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl BuildState<'_> {
    fn add_record(&mut self, record: &SearchRecord, nodes: u64) {
        if let Err(error) = self.journal.add(record) {
            self.failure = Some(error);
            return;
        }
        if let Err(error) = self.graph.add(record) {
            log::warn!("{}: {error}", record.fen);
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
    // In a symmetric position one of two mirrored moves is enough.
    let legal = position.legal_moves();
    let only = legal.iter().copied().filter(|&mv| folded.to_book_move(mv) == mv || !folded.symmetric).collect();
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

/// Collects the lines of the last completed iteration.
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
