//! What playing and judging anew have in common: workers with a searcher each, one file for all the games that they
//! bring, and a line that tells how far it is.

use super::archive::{ArchiveConditions, GameArchiveError, GameArchiveWriter};
use super::cpu_load::CpuLoadMonitor;
use super::game::{SearchEffort, SelfplayGame};
use crate::terminal::ProgressDisplay;
use chuhe_engine::search::{self, Limits, Options, SearchResult, Searcher};
use std::io::Write;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Megabytes of hash table of each worker.
const HASH_MB: usize = 4;
/// How often the state of things is told on a terminal, and elsewhere.
const TERMINAL_REPORT_INTERVAL: Duration = Duration::from_secs(1);
const FILE_REPORT_INTERVAL: Duration = Duration::from_secs(60);
/// How often is looked whether there is something to do.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Those who work.
#[derive(Clone, Copy)]
pub struct WorkerOptions {
    pub workers: usize,
    /// Whether they pause while others load the machine.
    pub yield_to_others: bool,
}

/// Where the workers bring their games: one file for all of them, and the count of what came.
pub struct WorkerPool {
    writer: Mutex<GameArchiveWriter>,
    /// How many games are wanted; `None` = all that come.
    game_limit: Option<u64>,
    tally: GameTally,
    /// So many workers may run; the others pause.
    running_limit: AtomicUsize,
    /// Enough games have come, the time is over, or nothing can be written any more.
    closed: AtomicBool,
    failure: Mutex<Option<GameArchiveError>>,
}

/// What has come so far.
#[derive(Default)]
pub struct GameTally {
    games: AtomicU64,
    plies: AtomicU64,
    /// Black wins, draws, red wins.
    results: [AtomicU64; 3],
}

impl WorkerPool {
    /// Workers who bring this many games.
    pub fn new(writer: GameArchiveWriter, wanted: Option<u64>) -> WorkerPool {
        WorkerPool {
            writer: Mutex::new(writer),
            game_limit: wanted,
            tally: GameTally::default(),
            running_limit: AtomicUsize::new(usize::MAX),
            closed: AtomicBool::new(false),
            failure: Mutex::new(None),
        }
    }

    /// Whether the worker of this number is to go on, once it may; `false` when nothing is taken any more.
    pub fn wait_for_turn(&self, worker: usize) -> bool {
        while worker >= self.running_limit.load(Ordering::Relaxed) && !self.closed.load(Ordering::Relaxed) {
            std::thread::sleep(POLL_INTERVAL);
        }
        !self.closed.load(Ordering::Relaxed)
    }

    fn close(&self) {
        self.closed.store(true, Ordering::Relaxed);
    }

    /// Writes a game down, unless there are enough.
    pub fn add_game(&self, game: &SelfplayGame) {
        let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        let is_enough = || self.game_limit.is_some_and(|wanted| self.tally.games() >= wanted);
        if !is_enough() {
            match writer.add(game).and_then(|()| writer.flush()) {
                Ok(()) => self.tally.count(game),
                Err(error) => self.fail(error),
            }
        }
        if is_enough() {
            self.close();
        }
    }

    /// Nothing is taken any more, for this reason.
    pub fn fail(&self, error: GameArchiveError) {
        *self.failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
        self.close();
    }

    /// Lets the crew work until all have finished, and tells how far they are, how many positions come in a second, and
    /// what they have of the machine; closes when the time is over. Each worker gets its number and a searcher.
    pub fn run(
        &self,
        crew: WorkerOptions,
        options: &Options,
        work: impl Fn(usize, &mut Searcher) + Sync,
        time: Option<Duration>,
        telling: (&mut dyn Write, impl Fn(&GameTally, f64) -> String),
    ) {
        std::thread::scope(|scope| {
            let work = &work;
            let start = |number| {
                let worker =
                    move || work(number, &mut Searcher::new(options.clone(), HASH_MB).expect("a few megabytes"));
                match search::thread_builder("worker").spawn_scoped(scope, worker) {
                    Ok(worker) => Some(worker),
                    // A machine that has no thread left to give works with those that are there.
                    Err(error) => {
                        log::warn!("a worker could not be started: {error}");
                        None
                    }
                }
            };
            let workers: Vec<_> = (0..crew.workers.max(1)).filter_map(start).collect();
            let finished = || workers.iter().all(|worker| worker.is_finished());
            self.report_until(finished, crew, time, telling);
        });
    }

    fn report_until(
        &self,
        finished: impl Fn() -> bool,
        crew: WorkerOptions,
        time: Option<Duration>,
        (out, line): (&mut dyn Write, impl Fn(&GameTally, f64) -> String),
    ) {
        let progress = ProgressDisplay::on_stdout(self.game_limit);
        let interval = if progress.is_shown() { TERMINAL_REPORT_INTERVAL } else { FILE_REPORT_INTERVAL };
        let mut watch = CpuLoadMonitor::begin();
        let begun = Instant::now();
        let mut told = begun;
        let words = |watch: &Option<CpuLoadMonitor>| {
            let rate = self.tally.plies() as f64 / begun.elapsed().as_secs_f64().max(0.001);
            line(&self.tally, rate) + &self.cpu_share_text(watch, crew)
        };
        // Whether anybody reads is no matter.
        let mut write = |line: String| {
            let _ = writeln!(out, "{line}").and_then(|()| out.flush());
        };
        while !finished() {
            std::thread::sleep(POLL_INTERVAL);
            if time.is_some_and(|time| begun.elapsed() >= time) {
                self.close();
            }
            let looked = watch.as_mut().filter(|_| crew.yield_to_others).and_then(|watch| watch.sample(crew.workers));
            if let Some(allowed) = looked {
                self.running_limit.store(allowed, Ordering::Relaxed);
            }
            if told.elapsed() >= interval {
                told = Instant::now();
                let words = words(&watch);
                if progress.is_shown() { progress.set(self.tally.games(), &words) } else { write(words) }
            }
        }
        drop(progress);
        write(words(&watch));
    }

    /// What the workers have had of the machine, and how many of them pause, behind a comma; nothing where it is not known.
    fn cpu_share_text(&self, watch: &Option<CpuLoadMonitor>, crew: WorkerOptions) -> String {
        let Some((watch, share)) = watch.as_ref().and_then(|watch| Some((watch, watch.share()?))) else {
            return String::new();
        };
        let of_machine = format!(", {:.0} % of {} processors", 100.0 * share, watch.processors());
        match crew.workers.saturating_sub(self.running_limit.load(Ordering::Relaxed)) {
            0 => of_machine,
            pausing => format!("{of_machine}, {pausing} of {} workers pause", crew.workers),
        }
    }

    /// Why not everything was done, if so.
    pub fn finish(self) -> Result<(), GameArchiveError> {
        match self.failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }
}

impl GameTally {
    pub fn games(&self) -> u64 {
        self.games.load(Ordering::Relaxed)
    }

    pub fn plies(&self) -> u64 {
        self.plies.load(Ordering::Relaxed)
    }

    /// How many of them black won, how many were drawn, and how many red won.
    pub fn results(&self) -> [u64; 3] {
        [0, 1, 2].map(|index| self.results[index].load(Ordering::Relaxed))
    }

    fn count(&self, game: &SelfplayGame) {
        self.games.fetch_add(1, Ordering::Relaxed);
        self.plies.fetch_add(game.plies.len() as u64, Ordering::Relaxed);
        self.results[usize::from(game.red_half_points.min(2))].fetch_add(1, Ordering::Relaxed);
    }
}

/// How long this search took; unknown if there was nothing to search.
pub fn search_effort(outcome: &SearchResult) -> Option<SearchEffort> {
    (outcome.nodes > 0).then_some(SearchEffort { depth: outcome.depth, nodes: outcome.nodes })
}

/// The conditions under which scores came about, as all files of games tell them.
pub fn search_conditions(evaluation: &str, nodes: u64, options: &Options) -> ArchiveConditions {
    [
        // Older versions took half of what the network says away on the way to the natural limit.
        ("damping", "none".to_string()),
        ("evaluation", evaluation.to_string()),
        ("nodes", nodes.to_string()),
        ("rules", format!("{:?}", options.rules.set).to_lowercase()),
    ]
    .into_iter()
    .map(|(name, value)| (name.to_string(), value))
    .collect()
}

/// A search of about so many nodes.
pub fn node_limits(nodes: u64) -> Limits {
    Limits { soft_nodes: Some(nodes), nodes: Some(nodes * 3), ..Limits::default() }
}
