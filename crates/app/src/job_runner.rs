//! Where the searches of pages run: on threads of their own, or, where there are none, one after the other whenever the
//! program has nothing else to do.
//!
//! A search that runs in this way ends when a request comes. The request is handled, and the search goes on over its hash
//! table, unless it is not wanted any more.

use super::events::EventListener;
use chuhe_engine::search::{Control, Poll};
use chuhe_support::language::NoThread;
use chuhe_support::lock::Lock;
use std::collections::BTreeMap;
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Mutex};

/// Where searches run: the one place that knows whether there are threads.
#[derive(Clone, Default)]
pub enum JobRunner {
    #[default]
    Threads,
    Queue(Arc<JobQueue>),
}

impl JobRunner {
    pub fn has_threads(&self) -> bool {
        self.queue().is_none()
    }

    /// The jobs of a program without threads.
    pub fn queue(&self) -> Option<&Arc<JobQueue>> {
        match self {
            JobRunner::Threads => None,
            JobRunner::Queue(queue) => Some(queue),
        }
    }

    /// A worker that runs jobs one after the other: on a thread of this name, or whenever the program has nothing more
    /// urgent to do.
    pub fn worker(&self, name: &str, priority: JobPriority) -> Result<JobWorker, NoThread> {
        let Some(queue) = self.queue() else {
            let (jobs, inbox) = mpsc::channel::<Job>();
            let work = move || inbox.into_iter().for_each(|mut job| while job(None) == JobOutcome::Interrupted {});
            std::thread::Builder::new().name(name.to_string()).spawn(work).map_err(NoThread)?;
            return Ok(JobWorker::Thread(jobs));
        };
        Ok(JobWorker::Queue(Arc::clone(queue), priority))
    }

    /// Runs one job until it is done.
    pub fn begin(
        &self,
        name: &str,
        priority: JobPriority,
        job: impl FnMut(Option<Control>) -> JobOutcome + Send + 'static,
    ) -> Result<(), NoThread> {
        self.worker(name, priority).map(|worker| worker.submit(job))
    }
}

/// A job, which may be run several times. Without threads it gets a control for each run, which a request stops.
type Job = Box<dyn FnMut(Option<Control>) -> JobOutcome + Send>;

/// Runs jobs one after the other.
pub enum JobWorker {
    /// A thread, which ends when this is dropped and its jobs are done.
    Thread(Sender<Job>),
    Queue(Arc<JobQueue>, JobPriority),
}

impl JobWorker {
    /// Runs a job until it is done.
    pub fn submit(&self, mut job: impl FnMut(Option<Control>) -> JobOutcome + Send + 'static) {
        match self {
            // The thread ends only when this sender is dropped.
            JobWorker::Thread(jobs) => drop(jobs.send(Box::new(job))),
            JobWorker::Queue(queue, priority) => {
                let poll = Arc::clone(&queue.poll);
                queue.submit(*priority, move || job(Some(Control::with_poll(false, Arc::clone(&poll)))));
            }
        }
    }
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

/// The jobs of a program without threads.
pub struct JobQueue {
    waiting: Mutex<Waiting>,
    /// Ends the running search when a request comes.
    poll: Arc<dyn Poll>,
    /// Hears of every event at once.
    listener: EventListener,
}

#[derive(Default)]
struct Waiting {
    jobs: BTreeMap<(JobPriority, u64), Box<dyn FnMut() -> JobOutcome + Send>>,
    /// The number of jobs so far.
    count: u64,
}

impl JobQueue {
    pub fn new(poll: Arc<dyn Poll>, listener: EventListener) -> JobQueue {
        JobQueue { waiting: Mutex::default(), poll, listener }
    }

    fn submit(&self, priority: JobPriority, job: impl FnMut() -> JobOutcome + Send + 'static) {
        let mut waiting = self.waiting.locked();
        waiting.count += 1;
        let turn = (priority, waiting.count);
        waiting.jobs.insert(turn, Box::new(job));
    }

    /// Runs the next job until it is done or a request comes. Returns whether any job waits.
    pub fn run_next(&self) -> bool {
        let next = self.waiting.locked().jobs.pop_first();
        if let Some((turn, mut job)) = next
            && job() == JobOutcome::Interrupted
        {
            self.waiting.locked().jobs.insert(turn, job);
        }
        !self.waiting.locked().jobs.is_empty()
    }

    /// What a search asks whether a request has come.
    pub fn poll(&self) -> &Arc<dyn Poll> {
        &self.poll
    }

    /// Hears of every event at once, where nobody can wait for it.
    pub fn listener(&self) -> EventListener {
        Arc::clone(&self.listener)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use std::time::Duration;

    #[derive(Debug)]
    struct NoRequests;

    impl Poll for NoRequests {
        fn poll(&self, _: &Control) {}
        fn wait(&self, _: Duration) {}
    }

    /// A queue whose searches no request interrupts.
    pub(crate) fn undisturbed_queue() -> Arc<JobQueue> {
        Arc::new(JobQueue::new(Arc::new(NoRequests), Arc::new(|_| {})))
    }

    #[test]
    fn queued_jobs_go_by_priority_and_again_when_interrupted() {
        let jobs = undisturbed_queue();
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
