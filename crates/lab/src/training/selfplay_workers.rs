//! The worker pool of self-play and relabelling: threads with a searcher each, one output file, and progress reports.

use super::archive::{ArchiveConditions, GameArchiveError, GameArchiveWriter};
use super::cpu_load::CpuLoadMonitor;
use super::game_format::{SearchEffort, SelfplayGame};
use chuhe_engine::search::{Limits, Options, SearchResult, Searcher};
use chuhe_support::POLL_INTERVAL;
use chuhe_support::batch::start_workers;
use chuhe_support::terminal::ProgressDisplay;
use std::io::Write;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Megabytes of transposition table per worker: for searches of some thousand nodes.
pub(crate) const HASH_MB: usize = 4;
/// Interval of progress reports on a terminal, and elsewhere.
const TERMINAL_REPORT_INTERVAL: Duration = Duration::from_secs(1);
const FILE_REPORT_INTERVAL: Duration = Duration::from_secs(60);

/// Number and behaviour of workers.
#[derive(Clone, Copy)]
pub struct WorkerOptions {
    pub workers: usize,
    /// Whether they pause while other programs load the machine.
    pub yield_to_others: bool,
}

/// State shared by the workers: the output file and the tally of games.
pub struct WorkerPool {
    writer: Mutex<GameArchiveWriter>,
    /// Number of games to write; `None` = unlimited.
    game_limit: Option<u64>,
    tally: GameTally,
    /// How many workers may run; the others pause.
    running_limit: AtomicUsize,
    /// Enough games, time over, or a write error.
    closed: AtomicBool,
    failure: Mutex<Option<GameArchiveError>>,
}

/// Counts of the games written so far.
#[derive(Default)]
pub struct GameTally {
    games: AtomicU64,
    plies: AtomicU64,
    /// Black wins, draws, red wins.
    results: [AtomicU64; 3],
}

impl WorkerPool {
    /// Creates a pool that writes up to `wanted` games.
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

    /// Waits while this worker must pause; `false` once the pool is closed.
    pub fn wait_for_turn(&self, worker: usize) -> bool {
        while worker >= self.running_limit.load(Ordering::Relaxed) && !self.closed.load(Ordering::Relaxed) {
            std::thread::sleep(POLL_INTERVAL);
        }
        !self.closed.load(Ordering::Relaxed)
    }

    fn close(&self) {
        self.closed.store(true, Ordering::Relaxed);
    }

    /// Writes a game unless there are enough.
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

    /// Closes the pool with an error.
    pub fn fail(&self, error: GameArchiveError) {
        *self.failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
        self.close();
    }

    /// Runs `work` on all workers, each with its number and a searcher, and reports progress until all have finished.
    /// Closes the pool after `time`.
    pub fn run(
        &self,
        worker_options: WorkerOptions,
        options: &Options,
        work: impl Fn(usize, &mut Searcher) + Sync,
        time: Option<Duration>,
        report: (&mut dyn Write, impl Fn(&GameTally, f64) -> String),
    ) {
        std::thread::scope(|scope| {
            let work = &work;
            let worker = |number| {
                move || match Searcher::new(options.clone(), HASH_MB) {
                    Ok(mut searcher) => work(number, &mut searcher),
                    Err(error) => self.fail(error.into()),
                }
            };
            let workers = match start_workers(scope, "worker", (0..worker_options.workers.max(1)).map(worker)) {
                Ok(workers) => workers,
                Err(error) => return self.fail(error.into()),
            };
            let finished = || workers.iter().all(|worker| worker.is_finished());
            self.report_until(finished, worker_options, time, report);
        });
    }

    fn report_until(
        &self,
        finished: impl Fn() -> bool,
        worker_options: WorkerOptions,
        time: Option<Duration>,
        (out, line): (&mut dyn Write, impl Fn(&GameTally, f64) -> String),
    ) {
        let progress = ProgressDisplay::on_stdout(self.game_limit);
        let interval = if progress.is_shown() { TERMINAL_REPORT_INTERVAL } else { FILE_REPORT_INTERVAL };
        let mut monitor = CpuLoadMonitor::begin();
        let begun = Instant::now();
        let mut last_report = begun;
        let text = |monitor: &Option<CpuLoadMonitor>| {
            let rate = self.tally.plies() as f64 / begun.elapsed().as_secs_f64().max(0.001);
            line(&self.tally, rate) + &self.cpu_share_text(monitor, worker_options)
        };
        // A closed output does not stop the work.
        let mut write = |line: String| {
            let _ = writeln!(out, "{line}").and_then(|()| out.flush());
        };
        while !finished() {
            std::thread::sleep(POLL_INTERVAL);
            if time.is_some_and(|time| begun.elapsed() >= time) {
                self.close();
            }
            let sampled = monitor
                .as_mut()
                .filter(|_| worker_options.yield_to_others)
                .and_then(|monitor| monitor.sample(worker_options.workers));
            if let Some(allowed) = sampled {
                self.running_limit.store(allowed, Ordering::Relaxed);
            }
            if last_report.elapsed() >= interval {
                last_report = Instant::now();
                let text = text(&monitor);
                if progress.is_shown() { progress.set(self.tally.games(), &text) } else { write(text) }
            }
        }
        drop(progress);
        write(text(&monitor));
    }

    /// The workers' CPU share and the number of paused workers, after a comma; empty if unknown.
    fn cpu_share_text(&self, monitor: &Option<CpuLoadMonitor>, worker_options: WorkerOptions) -> String {
        let Some((monitor, share)) = monitor.as_ref().and_then(|monitor| Some((monitor, monitor.share()?))) else {
            return String::new();
        };
        let of_machine = format!(", {:.0} % of {} processors", 100.0 * share, monitor.processors());
        match worker_options.workers.saturating_sub(self.running_limit.load(Ordering::Relaxed)) {
            0 => of_machine,
            pausing => format!("{of_machine}, {pausing} of {} workers pause", worker_options.workers),
        }
    }

    /// The error that closed the pool, if any.
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

    /// Number of black wins, draws and red wins.
    pub fn results(&self) -> [u64; 3] {
        [0, 1, 2].map(|index| self.results[index].load(Ordering::Relaxed))
    }

    fn count(&self, game: &SelfplayGame) {
        self.games.fetch_add(1, Ordering::Relaxed);
        self.plies.fetch_add(game.plies.len() as u64, Ordering::Relaxed);
        self.results[usize::from(game.red_half_points.min(2))].fetch_add(1, Ordering::Relaxed);
    }
}

/// Depth and nodes of a search; `None` if nothing was searched.
pub fn search_effort(outcome: &SearchResult) -> Option<SearchEffort> {
    (outcome.nodes > 0).then_some(SearchEffort { depth: outcome.depth, nodes: outcome.nodes })
}

/// The search conditions that are written to the header of every file of games.
pub fn search_conditions(evaluation: &str, nodes: u64, options: &Options) -> ArchiveConditions {
    [
        // Older versions damped the evaluation by up to half towards the natural move limit.
        ("damping", "none".to_string()),
        ("evaluation", evaluation.to_string()),
        ("nodes", nodes.to_string()),
        ("rules", format!("{:?}", options.rules.set).to_lowercase()),
    ]
    .into_iter()
    .map(|(name, value)| (name.to_string(), value))
    .collect()
}

/// Limits for a search of about this many nodes.
pub fn node_limits(nodes: u64) -> Limits {
    Limits { soft_nodes: Some(nodes), nodes: Some(nodes * 3), ..Limits::default() }
}
