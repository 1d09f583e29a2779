//! The engine as opponent of a page, on a thread of its own if there are threads: jobs run one after the other, and a
//! search can be ended early.

use super::job_runner::{JobOutcome, JobPriority, JobRunner, JobWorker};
use chuhe_engine::search::{HashSizeError, Poll};
use chuhe_study::game::opponent::EngineOpponent;
use chuhe_support::language::NoThread;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A job: receives the opponent, or the error if it could not be created. On a thread it is never interrupted.
type EngineWork = Box<dyn FnMut(Result<&mut EngineOpponent, &HashSizeError>) -> JobOutcome + Send>;

/// A job with its own flag that ends it early, so that one is ended that has not begun yet, and none that comes later.
struct EngineJob {
    work: EngineWork,
    move_now: Arc<AtomicBool>,
}

pub struct OpponentWorker {
    worker: JobWorker,
    seat: Arc<Mutex<Seat>>,
    flags: Arc<Flags>,
}

/// The flags of the jobs that are not done.
#[derive(Default)]
struct Flags(Mutex<Vec<Arc<AtomicBool>>>);

impl Flags {
    fn of_jobs(&self) -> MutexGuard<'_, Vec<Arc<AtomicBool>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The place of the opponent, which comes with the first job: its hash table is allocated then.
struct Seat {
    opponent: Option<Result<EngineOpponent, HashSizeError>>,
    flags: Arc<Flags>,
    /// What a search asks whether a request has come, where there are no threads.
    poll: Option<Arc<dyn Poll>>,
}

impl Seat {
    /// Runs a job, not for the first time if it is run `again`.
    fn run(&mut self, job: &mut EngineJob, again: bool) -> JobOutcome {
        let flags = &self.flags;
        let slot = self.opponent.get_or_insert_with(|| {
            let opponent = EngineOpponent::new(Arc::clone(&job.move_now))?;
            Ok(match &self.poll {
                Some(poll) => opponent.searching_inline(Arc::clone(poll)),
                None => opponent,
            })
        });
        if let Ok(opponent) = slot {
            opponent.set_interrupt_flag(Arc::clone(&job.move_now));
            if !again {
                opponent.forget_interrupted();
            }
        }
        let outcome = (job.work)(slot.as_mut().map_err(|error| &*error));
        if outcome == JobOutcome::Done {
            flags.of_jobs().retain(|flag| !Arc::ptr_eq(flag, &job.move_now));
        }
        if slot.is_err() {
            self.opponent = None;
        }
        outcome
    }
}

impl OpponentWorker {
    pub fn start(runner: &JobRunner) -> Result<OpponentWorker, NoThread> {
        let flags = Arc::new(Flags::default());
        let poll = runner.queue().map(|queue| Arc::clone(queue.poll()));
        let seat = Arc::new(Mutex::new(Seat { opponent: None, flags: Arc::clone(&flags), poll }));
        Ok(OpponentWorker { worker: runner.worker("opponent", JobPriority::Opponent)?, seat, flags })
    }

    /// Submits a job; it reports its result itself.
    pub fn submit(&self, work: impl FnMut(Result<&mut EngineOpponent, &HashSizeError>) -> JobOutcome + Send + 'static) {
        let mut job = EngineJob { work: Box::new(work), move_now: Arc::default() };
        self.flags.of_jobs().push(Arc::clone(&job.move_now));
        let (seat, mut again) = (Arc::clone(&self.seat), false);
        self.worker.submit(move |_| {
            let mut seat = seat.lock().unwrap_or_else(PoisonError::into_inner);
            seat.run(&mut job, std::mem::replace(&mut again, true))
        });
    }

    /// Ends the running search with the best move so far, and at once those that were submitted and have not begun.
    pub fn move_now(&self) {
        self.flags.of_jobs().iter().for_each(|flag| flag.store(true, Ordering::Relaxed));
    }

    /// Whether a job is running or waiting.
    pub fn is_busy(&self) -> bool {
        !self.flags.of_jobs().is_empty()
    }
}

impl Drop for OpponentWorker {
    fn drop(&mut self) {
        self.move_now();
    }
}
