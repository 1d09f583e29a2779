//! Where the searches of pages run: on threads of their own, or, where there are none, one after the other whenever the
//! program has nothing else to do.
//!
//! A search that runs in this way ends when a request comes. The request is handled, and the search goes on over its hash
//! table, unless it is not wanted any more.

use super::events::EventListener;
use chuhe_engine::search::{Control, Poll};
use chuhe_support::language::NoThread;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Where searches run.
#[derive(Clone, Default)]
pub enum JobRunner {
    #[default]
    Threads,
    Inline(Arc<InlineJobs>),
}

impl JobRunner {
    pub fn has_threads(&self) -> bool {
        matches!(self, JobRunner::Threads)
    }

    /// Hears of every event at once, where nobody can wait for it.
    pub fn listener(&self) -> Option<EventListener> {
        match self {
            JobRunner::Threads => None,
            JobRunner::Inline(jobs) => Some(Arc::clone(&jobs.listener)),
        }
    }

    /// Runs a job until it is done: on a thread of this name, or, with a control for each run, whenever the program has
    /// nothing more urgent to do.
    pub fn begin(
        &self,
        name: &str,
        priority: JobPriority,
        mut job: impl FnMut(Option<Control>) -> JobOutcome + Send + 'static,
    ) -> Result<(), NoThread> {
        match self {
            JobRunner::Threads => begin_thread(name, move || while job(None) == JobOutcome::Interrupted {}),
            JobRunner::Inline(jobs) => {
                let poll = Arc::clone(jobs);
                jobs.submit(priority, move || job(Some(poll.control())));
                Ok(())
            }
        }
    }
}

/// Begins a thread of this name.
pub fn begin_thread(name: &str, work: impl FnOnce() + Send + 'static) -> Result<(), NoThread> {
    std::thread::Builder::new().name(name.to_string()).spawn(work).map(drop).map_err(NoThread)
}

/// Of several jobs, which is run: the one of the highest priority, and of these the oldest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum JobPriority {
    /// A move, a hint, or the answer to a draw offer.
    Opponent,
    /// A review, which ends, before an analysis, which may not.
    Review,
    Analysis,
    /// Reviews for training, which are in nobody's way.
    Train,
}

/// What has become of a job that was run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum JobOutcome {
    Done,
    /// Its search was ended by a request: it is to be run again.
    Interrupted,
}

/// A job, which may be run several times.
pub type InlineJob = Box<dyn FnMut() -> JobOutcome + Send>;

/// The jobs of a program without threads.
pub struct InlineJobs {
    waiting: Mutex<Waiting>,
    /// Ends the running search when a request comes.
    poll: Arc<dyn Poll>,
    /// Hears of every event at once.
    listener: EventListener,
}

#[derive(Default)]
struct Waiting {
    jobs: BTreeMap<(JobPriority, u64), InlineJob>,
    /// The number of jobs so far.
    count: u64,
}

impl InlineJobs {
    pub fn new(poll: Arc<dyn Poll>, listener: EventListener) -> InlineJobs {
        InlineJobs { waiting: Mutex::default(), poll, listener }
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn submit(&self, priority: JobPriority, job: impl FnMut() -> JobOutcome + Send + 'static) {
        let mut waiting = self.waiting();
        waiting.count += 1;
        let turn = (priority, waiting.count);
        waiting.jobs.insert(turn, Box::new(job));
    }

    /// Runs the next job until it is done or a request comes. Returns whether any job waits.
    pub fn run_next(&self) -> bool {
        let next = self.waiting().jobs.pop_first();
        if let Some((turn, mut job)) = next
            && job() == JobOutcome::Interrupted
        {
            self.waiting().jobs.insert(turn, job);
        }
        !self.waiting().jobs.is_empty()
    }

    /// What a search asks whether a request has come.
    pub fn poll(&self) -> &Arc<dyn Poll> {
        &self.poll
    }

    /// The control of a search of a job: it is stopped when a request comes.
    pub fn control(&self) -> Control {
        Control::with_poll(false, Arc::clone(&self.poll))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[derive(Debug)]
    struct NoRequests;

    impl Poll for NoRequests {
        fn poll(&self, _: &Control) {}
        fn wait(&self, _: Duration) {}
    }

    #[test]
    fn inline_jobs_go_by_priority_and_again_when_interrupted() {
        let jobs = InlineJobs::new(Arc::new(NoRequests), Arc::new(|_| {}));
        let ran = Arc::new(Mutex::new(Vec::new()));
        let job = |name: &'static str, times: usize| {
            let ran = Arc::clone(&ran);
            let mut left = times;
            move || {
                ran.lock().expect("no panic").push(name);
                left -= 1;
                if left == 0 { JobOutcome::Done } else { JobOutcome::Interrupted }
            }
        };
        jobs.submit(JobPriority::Train, job("train", 1));
        jobs.submit(JobPriority::Analysis, job("analysis", 1));
        jobs.submit(JobPriority::Opponent, job("first", 2));
        jobs.submit(JobPriority::Opponent, job("second", 1));
        jobs.submit(JobPriority::Review, job("review", 1));
        while jobs.run_next() {}
        assert!(!jobs.run_next(), "nothing is left");
        assert_eq!(*ran.lock().expect("no panic"), ["first", "first", "second", "review", "analysis", "train"]);
    }
}
