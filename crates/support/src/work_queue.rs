//! Jobs on their way to workers, and their answers on the way back. A channel of the standard library would be compiled
//! anew, in its three kinds, for each type that passes through it.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// All workers have ended.
pub(crate) struct NoWorker;

/// Numbered jobs that wait, and the answers that nobody has taken yet.
pub(crate) struct WorkQueue<Job, Answer> {
    state: Mutex<State<Job, Answer>>,
    changed: Condvar,
}

struct State<Job, Answer> {
    jobs: VecDeque<(usize, Job)>,
    answers: VecDeque<(usize, Answer)>,
    workers: usize,
    is_closed: bool,
}

impl<Job, Answer> WorkQueue<Job, Answer> {
    /// A queue for so many workers.
    pub fn new(workers: usize) -> WorkQueue<Job, Answer> {
        let state = State { jobs: VecDeque::new(), answers: VecDeque::new(), workers, is_closed: false };
        WorkQueue { state: Mutex::new(state), changed: Condvar::new() }
    }

    fn state(&self) -> MutexGuard<'_, State<Job, Answer>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn push(&self, number: usize, job: Job) {
        self.state().jobs.push_back((number, job));
        self.changed.notify_all();
    }

    /// Answers jobs until the queue is closed.
    pub fn work(&self, mut answer: impl FnMut(Job) -> Answer) {
        let _leaving = Leaving(self);
        while let Some((number, job)) = self.next_job() {
            let answer = answer(job);
            self.state().answers.push_back((number, answer));
            self.changed.notify_all();
        }
    }

    fn next_job(&self) -> Option<(usize, Job)> {
        let is_waiting = |state: &mut State<Job, Answer>| state.jobs.is_empty() && !state.is_closed;
        let mut state = self.changed.wait_while(self.state(), is_waiting).unwrap_or_else(PoisonError::into_inner);
        if state.is_closed { None } else { state.jobs.pop_front() }
    }

    /// The next answer, waited for as long as this; none if none came.
    pub fn next_answer(&self, most: Duration) -> Result<Option<(usize, Answer)>, NoWorker> {
        let end = Instant::now() + most;
        let mut state = self.state();
        loop {
            if let Some(answer) = state.answers.pop_front() {
                return Ok(Some(answer));
            }
            if state.workers == 0 {
                return Err(NoWorker);
            }
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(None);
            }
            state = self.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// The workers end: jobs that wait are dropped.
    pub fn close(&self) {
        self.state().is_closed = true;
        self.changed.notify_all();
    }

    /// So many workers have ended, or could not be started.
    pub fn forget_workers(&self, count: usize) {
        self.state().workers -= count;
        self.changed.notify_all();
    }
}

/// Says that a worker has ended, also if it panicked.
struct Leaving<'a, Job, Answer>(&'a WorkQueue<Job, Answer>);

impl<Job, Answer> Drop for Leaving<'_, Job, Answer> {
    fn drop(&mut self) {
        self.0.forget_workers(1);
    }
}

/// Closes the queue when it goes out of scope, so that no worker waits for ever.
pub(crate) struct Closing<'a, Job, Answer>(pub &'a WorkQueue<Job, Answer>);

impl<Job, Answer> Drop for Closing<'_, Job, Answer> {
    fn drop(&mut self) {
        self.0.close();
    }
}
