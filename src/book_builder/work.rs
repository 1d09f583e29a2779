//! The searches of a book, on several threads: whoever is free takes the next one from the desk.

use super::graph::Graph;
use super::journal::{Journal, JournalError};
use super::plan::{Job, Plan};
use super::{Errand, Finding};
use chuhe_engine::board::Position;
use chuhe_engine::search::{self, Bound, Control, Info, Limits, Options, Outcome, Reporter, Searcher};
use chuhe_engine::types::score::hundredths;
use chuhe_engine::types::{Key, Move, Score};
use chuhe_toolkit::book::fold::Folded;
use std::collections::{HashSet, VecDeque};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Megabytes of hash table of each thread.
const HASH: usize = 32;
/// How often whoever watches is asked whether to go on.
const GLANCE: Duration = Duration::from_millis(100);

/// How far the work is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Progress {
    pub positions: usize,
    /// Positions with a proof.
    pub proofs: usize,
    /// Searches made in this run.
    pub searches: usize,
    /// Nodes searched in this run.
    pub nodes: u64,
}

/// What the threads share.
struct Desk<'a> {
    graph: &'a mut Graph,
    journal: &'a mut Journal,
    queue: VecDeque<Job>,
    busy: HashSet<Key>,
    progress: Progress,
    failure: Option<JournalError>,
}

/// The desk, and how those at it wake each other.
struct Room<'a> {
    desk: Mutex<Desk<'a>>,
    news: Condvar,
    control: Control,
    plan: Plan,
}

/// Searches until the plan is fulfilled, or whoever watches answers false, or the journal cannot be written.
pub fn run(
    graph: &mut Graph,
    journal: &mut Journal,
    plan: Plan,
    threads: usize,
    watch: &mut dyn FnMut(&Progress) -> bool,
) -> Result<(), JournalError> {
    let progress = Progress { positions: graph.nodes().len(), proofs: graph.proofs(), ..Progress::default() };
    let (queue, busy) = (VecDeque::new(), HashSet::new());
    let room = Room {
        desk: Mutex::new(Desk { graph, journal, queue, busy, progress, failure: None }),
        news: Condvar::new(),
        control: Control::new(false),
        plan,
    };
    std::thread::scope(|scope| {
        let mut workers = Vec::new();
        for number in 0..threads.max(1) {
            let name = format!("book-{number}");
            match search::thread(&name).spawn_scoped(scope, || room.labour()) {
                Ok(worker) => workers.push(worker),
                Err(error) => log::warn!("only {number} threads could be started: {error}"),
            }
        }
        while workers.iter().any(|worker| !worker.is_finished()) {
            std::thread::sleep(GLANCE);
            let progress = room.desk().progress;
            if !watch(&progress) {
                room.control.stop();
                room.news.notify_all();
            }
        }
    });
    let desk = room.desk.into_inner().unwrap_or_else(PoisonError::into_inner);
    desk.graph.minimax();
    desk.failure.map_or(Ok(()), Err)
}

impl<'a> Room<'a> {
    fn desk(&self) -> MutexGuard<'_, Desk<'a>> {
        self.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn labour(&self) {
        let mut searcher = match Searcher::new(Options::default(), HASH) {
            Ok(searcher) => searcher,
            Err(error) => return log::warn!("a thread less: {error}"),
        };
        while let Some(job) = self.take() {
            let found = search_for(&mut searcher, &job, &self.plan, &self.control);
            let mut desk = self.desk();
            desk.busy.remove(&job.key);
            if let Some((finding, nodes)) = found.filter(|_| !self.control.stopped()) {
                desk.take_in(&finding, nodes);
                if desk.failure.is_some() {
                    self.control.stop();
                }
            }
            drop(desk);
            self.news.notify_all();
        }
    }

    /// The next job; `None` if there is nothing more to do.
    fn take(&self) -> Option<Job> {
        let mut desk = self.desk();
        loop {
            if self.control.stopped() {
                return None;
            }
            if desk.queue.is_empty() {
                let Desk { graph, busy, .. } = &mut *desk;
                let jobs = self.plan.next(graph, busy);
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
            desk = self.news.wait(desk).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl Desk<'_> {
    fn take_in(&mut self, finding: &Finding, nodes: u64) {
        if let Err(error) = self.journal.add(finding) {
            self.failure = Some(error);
            return;
        }
        if let Err(error) = self.graph.add(finding) {
            log::warn!("{}: {error}", finding.fen);
        }
        let (positions, proofs) = (self.graph.nodes().len(), self.graph.proofs());
        let (searches, nodes) = (self.progress.searches + 1, self.progress.nodes + nodes);
        self.progress = Progress { positions, proofs, searches, nodes };
    }
}

fn search_for(searcher: &mut Searcher, job: &Job, plan: &Plan, control: &Control) -> Option<(Finding, u64)> {
    let position = Position::from_fen(&job.fen).ok()?;
    let folded = Folded::of(&position);
    let (lines, nodes) = match job.errand {
        Errand::Survey => (plan.lines.max(1), plan.survey),
        Errand::Proof => (1, plan.proof),
    };
    // Of two moves that are mirror images of each other one is enough.
    let legal = position.legal_moves();
    let only = legal.moves().filter(|&mv| folded.fold(mv) == mv || !folded.symmetric).collect();
    let limits = Limits { nodes: Some(nodes), only, ..Limits::default() };
    searcher.options.multi_pv = lines;
    let mut lines = Lines::default();
    let outcome = searcher.search(&position, &limits, control, &mut lines);
    let lines = match job.errand {
        Errand::Survey => lines.found(&outcome),
        Errand::Proof => outcome.best.map(|mv| (mv, hundredths(outcome.score))).into_iter().collect(),
    };
    Some((Finding { errand: job.errand, fen: job.fen.clone(), depth: outcome.depth, lines }, outcome.nodes))
}

/// Hears the lines of the last iteration that was finished.
#[derive(Default)]
struct Lines {
    depth: u32,
    lines: Vec<(Move, Score)>,
}

impl Lines {
    fn found(self, outcome: &Outcome) -> Vec<(Move, Score)> {
        if self.lines.is_empty() {
            return outcome.best.map(|mv| (mv, hundredths(outcome.score))).into_iter().collect();
        }
        self.lines
    }
}

impl Reporter for Lines {
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
