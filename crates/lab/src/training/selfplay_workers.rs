//! The workers of self-play and relabelling: threads with a searcher each, one output file, and progress reports.

use super::archive::{ArchiveConditions, GameArchiveError, GameArchiveWriter};
use super::game_format::{SearchEffort, SelfplayGame};
use chuhe_engine::search::{Limits, Options, SearchResult, Searcher};
use chuhe_study::batch::start_workers;
use chuhe_support::POLL_INTERVAL;
use chuhe_support::terminal::ProgressDisplay;
use std::io::Write;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Megabytes of transposition table per worker: for searches of some thousand nodes.
pub(crate) const HASH_MB: usize = 4;
/// Interval of progress reports on a terminal, and elsewhere.
const TERMINAL_REPORT_INTERVAL: Duration = Duration::from_secs(1);
const FILE_REPORT_INTERVAL: Duration = Duration::from_secs(60);

/// Gives way to other programs from now on: they get the processors that they want. False if the system has no such thing.
pub fn yield_to_others() -> bool {
    // Of programs in sessions of their own Linux weighs the sessions first.
    let _ = std::fs::write("/proc/self/autogroup", "19");
    #[cfg(unix)]
    return rustix::process::nice(19).is_ok();
    #[cfg(not(unix))]
    false
}

/// The time of processors that this program has had, if the system tells it.
fn cpu_time() -> Option<Duration> {
    #[cfg(unix)]
    return Duration::try_from(rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime)).ok();
    #[cfg(not(unix))]
    None
}

/// State shared by the workers: the output file and the tally of games.
pub struct WorkerPool {
    writer: Mutex<GameArchiveWriter>,
    /// Number of games to write; `None` = unlimited.
    game_limit: Option<u64>,
    tally: GameTally,
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
            closed: AtomicBool::new(false),
            failure: Mutex::new(None),
        }
    }

    /// Whether there is more to do.
    pub fn is_open(&self) -> bool {
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

    /// Runs `work` on so many workers, each with a searcher, and reports progress until all have finished. Closes the
    /// pool after `time`.
    pub fn run(
        &self,
        workers: usize,
        options: &Options,
        work: impl Fn(&mut Searcher) + Sync,
        time: Option<Duration>,
        (out, line): (&mut dyn Write, impl Fn(&GameTally, f64) -> String),
    ) {
        std::thread::scope(|scope| {
            let worker = || match Searcher::new(options.clone(), HASH_MB) {
                Ok(mut searcher) => work(&mut searcher),
                Err(error) => self.fail(error.into()),
            };
            let workers = match start_workers(scope, "worker", (0..workers.max(1)).map(|_| worker)) {
                Ok(workers) => workers,
                Err(error) => return self.fail(error.into()),
            };
            let progress = ProgressDisplay::on_stdout(self.game_limit);
            let interval = if progress.is_shown() { TERMINAL_REPORT_INTERVAL } else { FILE_REPORT_INTERVAL };
            let (begun, cpu_before) = (Instant::now(), cpu_time());
            let mut last_report = begun;
            let text = || {
                let seconds = begun.elapsed().as_secs_f64().max(0.001);
                let text = line(&self.tally, self.tally.plies() as f64 / seconds);
                let (Some(now), Some(before)) = (cpu_time(), cpu_before) else { return text };
                let processors = std::thread::available_parallelism().map_or(1, usize::from);
                let share = 100.0 * (now - before).as_secs_f64() / (seconds * processors as f64);
                format!("{text}, {share:.0} % of {processors} processors")
            };
            // A closed output does not stop the work.
            let mut write = |line: String| drop(writeln!(out, "{line}").and_then(|()| out.flush()));
            while !workers.iter().all(|worker| worker.is_finished()) {
                std::thread::sleep(POLL_INTERVAL);
                if time.is_some_and(|time| begun.elapsed() >= time) {
                    self.close();
                }
                if last_report.elapsed() >= interval {
                    last_report = Instant::now();
                    if progress.is_shown() { progress.set(self.tally.games(), &text()) } else { write(text()) }
                }
            }
            drop(progress);
            write(text());
        });
    }

    /// The error that closed the pool, if any.
    pub fn finish(self) -> Result<(), GameArchiveError> {
        self.failure.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(()), Err)
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
pub fn search_conditions(evaluation: &str, nodes: u64, sample_interval: u64, options: &Options) -> ArchiveConditions {
    let every = (sample_interval > 1).then(|| ("every", sample_interval.to_string()));
    let shared = [
        // Older versions damped the evaluation by up to half towards the natural move limit.
        ("damping", "none".to_string()),
        ("evaluation", evaluation.to_string()),
        ("nodes", nodes.to_string()),
        ("rules", format!("{:?}", options.rules.set).to_lowercase()),
    ];
    shared.into_iter().chain(every).map(|(name, value)| (name.to_string(), value)).collect()
}

/// Limits for a search of about this many nodes.
pub fn node_limits(nodes: u64) -> Limits {
    Limits { soft_nodes: Some(nodes), nodes: Some(nodes * 3), ..Limits::default() }
}
