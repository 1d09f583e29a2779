//! The engine as opponent of a page, on a thread of its own if there are threads: jobs run one after the other, and a
//! search can be ended early.

use super::job_runner::{InlineJobs, JobOutcome, JobPriority, JobRunner, begin_thread};
use chuhe_engine::search::HashSizeError;
use chuhe_study::game::opponent::EngineOpponent;
use chuhe_support::language::NoThread;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A job: receives the opponent, or the error if it could not be created. On a thread it is never interrupted.
type EngineWork = Box<dyn FnMut(Result<&mut EngineOpponent, &HashSizeError>) -> JobOutcome + Send>;

/// A job with its own flag that ends it early, so that one is ended that has not begun yet, and none that comes later.
struct EngineJob {
    work: EngineWork,
    move_now: Arc<AtomicBool>,
}

pub struct OpponentWorker {
    jobs: EngineJobs,
    flags: Arc<Flags>,
}

enum EngineJobs {
    Thread(Sender<EngineJob>),
    Inline(Arc<InlineJobs>, Arc<Mutex<Seat>>),
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
    inline: Option<Arc<InlineJobs>>,
}

impl Seat {
    /// Runs a job, not for the first time if it is run `again`.
    fn run(&mut self, job: &mut EngineJob, again: bool) -> JobOutcome {
        let flags = &self.flags;
        let slot = self.opponent.get_or_insert_with(|| {
            let opponent = EngineOpponent::new(Arc::clone(&job.move_now))?;
            Ok(match &self.inline {
                Some(jobs) => opponent.searching_inline(Arc::clone(jobs.poll())),
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
        let mut seat = Seat { opponent: None, flags: Arc::clone(&flags), inline: None };
        let jobs = match runner {
            JobRunner::Threads => {
                let (jobs, inbox) = mpsc::channel::<EngineJob>();
                let work = move || {
                    for mut job in inbox {
                        seat.run(&mut job, false);
                    }
                };
                begin_thread("opponent", work)?;
                EngineJobs::Thread(jobs)
            }
            JobRunner::Inline(jobs) => {
                seat.inline = Some(Arc::clone(jobs));
                EngineJobs::Inline(Arc::clone(jobs), Arc::new(Mutex::new(seat)))
            }
        };
        Ok(OpponentWorker { jobs, flags })
    }

    /// Submits a job; it reports its result itself.
    pub fn submit(&self, work: impl FnMut(Result<&mut EngineOpponent, &HashSizeError>) -> JobOutcome + Send + 'static) {
        let mut job = EngineJob { work: Box::new(work), move_now: Arc::default() };
        self.flags.of_jobs().push(Arc::clone(&job.move_now));
        match &self.jobs {
            // The thread ends only when this sender is dropped.
            EngineJobs::Thread(jobs) => drop(jobs.send(job)),
            EngineJobs::Inline(jobs, seat) => {
                let (seat, mut again) = (Arc::clone(seat), false);
                jobs.submit(JobPriority::Opponent, move || {
                    let mut seat = seat.lock().unwrap_or_else(PoisonError::into_inner);
                    seat.run(&mut job, std::mem::replace(&mut again, true))
                });
            }
        }
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
