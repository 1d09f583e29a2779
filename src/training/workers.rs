//! What playing and judging anew have in common: workers with a searcher each, one file for all the games that they
//! bring, and a line that tells how far it is.

use super::archive::{ArchiveError, Conditions, Writer};
use super::game::{Effort, Game};
use super::load::Watch;
use crate::terminal::Progress;
use chuhe_engine::search::{self, Limits, Options, Outcome, Searcher};
use std::io::Write;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Megabytes of hash table of each worker.
const HASH: usize = 4;
/// How often the state of things is told on a terminal, and elsewhere.
const TELL_TERMINAL: Duration = Duration::from_secs(1);
const TELL_FILE: Duration = Duration::from_secs(60);
/// How often is looked whether there is something to do.
const WAIT: Duration = Duration::from_millis(50);

/// Those who work.
#[derive(Clone, Copy)]
pub struct Crew {
    pub workers: usize,
    /// Whether they pause while others load the machine.
    pub polite: bool,
}

/// Where the workers bring their games: one file for all of them, and the count of what came.
pub struct Workers {
    writer: Mutex<Writer>,
    /// How many games are wanted; `None` = all that come.
    wanted: Option<u64>,
    tally: Tally,
    /// So many workers may run; the others pause.
    allowed: AtomicUsize,
    /// Enough games have come, the time is over, or nothing can be written any more.
    closed: AtomicBool,
    failure: Mutex<Option<ArchiveError>>,
}

/// What has come so far.
#[derive(Default)]
pub struct Tally {
    games: AtomicU64,
    plies: AtomicU64,
    /// Black wins, draws, red wins.
    results: [AtomicU64; 3],
}

impl Workers {
    /// Workers who bring this many games.
    pub fn new(writer: Writer, wanted: Option<u64>) -> Workers {
        Workers {
            writer: Mutex::new(writer),
            wanted,
            tally: Tally::default(),
            allowed: AtomicUsize::new(usize::MAX),
            closed: AtomicBool::new(false),
            failure: Mutex::new(None),
        }
    }

    /// Whether the worker of this number is to go on, once it may; `false` when nothing is taken any more.
    pub fn goes_on(&self, worker: usize) -> bool {
        while worker >= self.allowed.load(Ordering::Relaxed) && !self.closed.load(Ordering::Relaxed) {
            std::thread::sleep(WAIT);
        }
        !self.closed.load(Ordering::Relaxed)
    }

    fn close(&self) {
        self.closed.store(true, Ordering::Relaxed);
    }

    /// Writes a game down, unless there are enough.
    pub fn take(&self, game: &Game) {
        let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        let is_enough = || self.wanted.is_some_and(|wanted| self.tally.games() >= wanted);
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
    pub fn fail(&self, error: ArchiveError) {
        *self.failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
        self.close();
    }

    /// Lets the crew work until all have finished, and tells how far they are, how many positions come in a second, and
    /// what they have of the machine; closes when the time is over. Each worker gets its number and a searcher.
    pub fn employ(
        &self,
        crew: Crew,
        options: &Options,
        work: impl Fn(usize, &mut Searcher) + Sync,
        time: Option<Duration>,
        telling: (&mut dyn Write, impl Fn(&Tally, f64) -> String),
    ) {
        std::thread::scope(|scope| {
            let work = &work;
            let start = |number| {
                let worker =
                    move || work(number, &mut Searcher::new(options.clone(), HASH).expect("a few megabytes"));
                match search::thread("worker").spawn_scoped(scope, worker) {
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
            self.tell_until(finished, crew, time, telling);
        });
    }

    fn tell_until(
        &self,
        finished: impl Fn() -> bool,
        crew: Crew,
        time: Option<Duration>,
        (out, line): (&mut dyn Write, impl Fn(&Tally, f64) -> String),
    ) {
        let progress = Progress::on_output(self.wanted);
        let interval = if progress.is_shown() { TELL_TERMINAL } else { TELL_FILE };
        let mut watch = Watch::begin();
        let begun = Instant::now();
        let mut told = begun;
        let words = |watch: &Option<Watch>| {
            let rate = self.tally.plies() as f64 / begun.elapsed().as_secs_f64().max(0.001);
            line(&self.tally, rate) + &self.part_of_machine(watch, crew)
        };
        // Whether anybody reads is no matter.
        let mut write = |line: String| {
            let _ = writeln!(out, "{line}").and_then(|()| out.flush());
        };
        while !finished() {
            std::thread::sleep(WAIT);
            if time.is_some_and(|time| begun.elapsed() >= time) {
                self.close();
            }
            let looked = watch.as_mut().filter(|_| crew.polite).and_then(|watch| watch.look(crew.workers));
            if let Some(allowed) = looked {
                self.allowed.store(allowed, Ordering::Relaxed);
            }
            if told.elapsed() >= interval {
                told = Instant::now();
                let words = words(&watch);
                if progress.is_shown() { progress.at(self.tally.games(), &words) } else { write(words) }
            }
        }
        drop(progress);
        write(words(&watch));
    }

    /// What the workers have had of the machine, and how many of them pause, behind a comma; nothing where it is not known.
    fn part_of_machine(&self, watch: &Option<Watch>, crew: Crew) -> String {
        let Some((watch, share)) = watch.as_ref().and_then(|watch| Some((watch, watch.share()?))) else {
            return String::new();
        };
        let of_machine = format!(", {:.0} % of {} processors", 100.0 * share, watch.processors());
        match crew.workers.saturating_sub(self.allowed.load(Ordering::Relaxed)) {
            0 => of_machine,
            pausing => format!("{of_machine}, {pausing} of {} workers pause", crew.workers),
        }
    }

    /// Why not everything was done, if so.
    pub fn end(self) -> Result<(), ArchiveError> {
        match self.failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }
}

impl Tally {
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

    fn count(&self, game: &Game) {
        self.games.fetch_add(1, Ordering::Relaxed);
        self.plies.fetch_add(game.plies.len() as u64, Ordering::Relaxed);
        self.results[usize::from(game.red_half_points.min(2))].fetch_add(1, Ordering::Relaxed);
    }
}

/// How long this search took; unknown if there was nothing to search.
pub fn effort(outcome: &Outcome) -> Option<Effort> {
    (outcome.nodes > 0).then_some(Effort { depth: outcome.depth, nodes: outcome.nodes })
}

/// The conditions under which scores came about, as all files of games tell them.
pub fn conditions(evaluation: &str, nodes: u64, options: &Options) -> Conditions {
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
pub fn about(nodes: u64) -> Limits {
    Limits { soft_nodes: Some(nodes), nodes: Some(nodes * 3), ..Limits::default() }
}
