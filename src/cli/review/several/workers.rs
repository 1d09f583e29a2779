//! Threads that review a game each.

use super::super::{ReviewArgs, ReviewError, search_failed};
use chuhe_engine::search::{Control, Searcher, spawn_searching};
use chuhe_engine::tablebase::Tablebase;
use chuhe_study::reasons::ReasonLimits;
use chuhe_study::review::{AnalysisLimits, AnalysisObserver, KeptReview, Review, analyse_game};
use chuhe_support::language::NoThread;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::Scope;
use xiangqi_record::Game;

/// A game to review.
pub struct ReviewJob {
    /// Its number in the order of the games.
    pub index: usize,
    pub game: Box<Game>,
    /// The line of the journal, if it has one of this game.
    pub kept: Option<Vec<u8>>,
}

/// What came of a job.
pub enum Outcome {
    Reviewed(Box<Review>),
    /// The journal had it.
    Kept(Box<Review>),
    /// Ctrl-C has ended it.
    Stopped,
    Failed(ReviewError),
}

/// The threads; they end when this is dropped.
pub struct Workers {
    jobs: Sender<ReviewJob>,
    pub outcomes: Receiver<(usize, Outcome)>,
    control: Arc<Control>,
    /// The positions that were searched.
    positions: Arc<AtomicUsize>,
}

impl Workers {
    pub fn start<'scope>(
        scope: &'scope Scope<'scope, '_>,
        args: &'scope ReviewArgs,
        threads: usize,
        tablebase: &Arc<Tablebase>,
    ) -> Result<Workers, ReviewError> {
        let (jobs, queue) = channel();
        let (sender, outcomes) = channel();
        let queue = Arc::new(Mutex::new(queue));
        let (control, positions) = (Arc::new(Control::new(false)), Arc::<AtomicUsize>::default());
        for number in 0..threads {
            let mut worker = ReviewWorker {
                args,
                tablebase: Arc::clone(tablebase),
                searcher: None,
                control: Arc::clone(&control),
                positions: Arc::clone(&positions),
            };
            let (queue, sender) = (Arc::clone(&queue), sender.clone());
            match spawn_searching(scope, format!("review-{number}"), move || worker.run(&queue, &sender)) {
                Ok(_) => {}
                Err(error) if number == 0 => return Err(NoThread(error).into()),
                // Those that run do the work.
                Err(error) => {
                    log::warn!("a worker could not be started: {error}");
                    break;
                }
            }
        }
        Ok(Workers { jobs, outcomes, control, positions })
    }

    pub fn submit(&self, job: ReviewJob) {
        // If no worker is left, the channel of outcomes says so.
        let _ = self.jobs.send(job);
    }

    /// Ends the searches; the jobs that wait are not begun.
    pub fn stop(&self) {
        self.control.stop();
    }

    /// How many positions were searched.
    pub fn positions(&self) -> usize {
        self.positions.load(Ordering::Relaxed)
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        self.stop();
    }
}

/// A thread with its searcher.
struct ReviewWorker<'a> {
    args: &'a ReviewArgs,
    tablebase: Arc<Tablebase>,
    /// Made for the first game: there may be fewer games than threads.
    searcher: Option<Searcher>,
    control: Arc<Control>,
    positions: Arc<AtomicUsize>,
}

impl ReviewWorker<'_> {
    fn run(&mut self, queue: &Mutex<Receiver<ReviewJob>>, outcomes: &Sender<(usize, Outcome)>) {
        loop {
            let job = queue.lock().unwrap_or_else(PoisonError::into_inner).recv();
            let Ok(ReviewJob { index, game, kept }) = job else { return };
            let work = AssertUnwindSafe(|| self.review(*game, kept).unwrap_or_else(Outcome::Failed));
            let outcome = catch_unwind(work).unwrap_or_else(|_| Outcome::Failed(search_failed()));
            if outcomes.send((index, outcome)).is_err() {
                return;
            }
        }
    }

    fn review(&mut self, game: Game, kept: Option<Vec<u8>>) -> Result<Outcome, ReviewError> {
        let rules = self.args.rules();
        let kept: Option<KeptReview> = kept.and_then(|line| serde_json::from_slice(&line).ok());
        if let Some(review) = kept.and_then(|kept| kept.review(game.clone(), rules)) {
            return Ok(Outcome::Kept(Box::new(review)));
        }
        if self.control.stopped() {
            return Ok(Outcome::Stopped);
        }
        let searcher = match &mut self.searcher {
            Some(searcher) => searcher,
            none => none.insert(self.args.searcher(true, Arc::clone(&self.tablebase))?),
        };
        // What was searched of another game is no part of the answer.
        searcher.new_game();
        let measure = AnalysisLimits { limits: self.args.limits(true) };
        let mut observer = PositionCounter { all: &self.positions, done: 0 };
        let found = analyse_game(&game, searcher, &measure, &self.control, &mut observer);
        let mut review = Review::of(game, rules, found);
        // A review without all its reasons would be kept as it is.
        let is_done =
            review.is_complete() && review.find_reasons(Some(&self.tablebase), &ReasonLimits::default(), &self.control);
        Ok(if is_done { Outcome::Reviewed(Box::new(review)) } else { Outcome::Stopped })
    }
}

/// Adds the positions of a game to those of all games.
struct PositionCounter<'a> {
    all: &'a AtomicUsize,
    done: usize,
}

impl AnalysisObserver for PositionCounter<'_> {
    fn progress(&mut self, done: usize, _: usize) {
        self.all.fetch_add(done - self.done, Ordering::Relaxed);
        self.done = done;
    }
}
