//! The searches of pages: where they run, and who owns one.
//!
//! They run on threads of their own, or, where there are none, one after the other whenever the program has nothing else to do. A
//! search that runs in this way ends when a request comes. The request is handled, and the search goes on over its hash table,
//! unless it is not wanted any more.
//!
//! A page has at most one search of a kind: an analysis, a review, a check, the judgement of a move. A new one stops the one before
//! and waits for its end, so that two never hold their tables together, and none begins after the page was closed.

use crate::context::{AppContext, EventListener, Events};
use chuhe_engine::search::{Control, Poll};
use chuhe_support::language::{Message, NoThread};
use chuhe_support::lock::Lock;
use std::collections::BTreeMap;
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Condvar, Mutex, PoisonError};

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

pub struct PageSearch {
    pub context: AppContext,
    /// Where what is found is published.
    pub events: Arc<Events>,
    state: Mutex<SearchState>,
    ended: Condvar,
}

#[derive(Default)]
struct SearchState {
    running: Option<Arc<Control>>,
    /// Counts requests to begin and to stop: only the latest may begin.
    requests: u64,
    /// The number that the page has given to the latest. Requests may arrive out of order; older ones are ignored.
    number: u64,
    is_closed: bool,
}

/// The right to search, until it is dropped.
pub struct SearchTurn {
    pub owner: Arc<PageSearch>,
    pub control: Arc<Control>,
}

impl PageSearch {
    pub fn new(context: &AppContext, events: &Arc<Events>) -> Arc<PageSearch> {
        let (state, ended) = Default::default();
        Arc::new(PageSearch { context: context.clone(), events: Arc::clone(events), state, ended })
    }

    /// Stops the running search, and waits for its end if it has a thread that ends it. `None` if the page was closed
    /// meanwhile, or another request came, or a newer one was there: those of this kind may have numbers.
    pub fn begin(self: &Arc<PageSearch>, number: Option<u64>) -> Option<SearchTurn> {
        let mut state = self.state.locked();
        if !state.request(number) {
            return None;
        }
        let request = state.requests;
        if self.context.runner.has_threads() {
            let waited = self.ended.wait_while(state, |state| state.running.is_some() && state.requests == request);
            state = waited.unwrap_or_else(PoisonError::into_inner);
        }
        if state.is_closed || state.requests != request {
            return None;
        }
        let control = Arc::new(Control::new(false));
        state.running = Some(Arc::clone(&control));
        Some(SearchTurn { owner: Arc::clone(self), control })
    }

    /// Stops the running search, and those that wait for its end, unless a request with a higher number was there.
    pub fn stop(&self, number: Option<u64>) {
        self.state.locked().request(number);
        self.ended.notify_all();
    }

    /// The same, and none begins until the page is opened again.
    pub fn close(&self) {
        self.state.locked().is_closed = true;
        self.stop(None);
    }

    pub fn reopen(&self) {
        self.state.locked().is_closed = false;
    }

    pub fn is_running(&self) -> bool {
        self.state.locked().running.is_some()
    }
}

impl SearchState {
    fn runs(&self, control: &Arc<Control>) -> bool {
        self.running.as_ref().is_some_and(|running| Arc::ptr_eq(running, control))
    }

    /// Stops the running search, unless a request with a higher number was there; returns whether none was.
    fn request(&mut self, number: Option<u64>) -> bool {
        if number.is_some_and(|number| number <= self.number) {
            return false;
        }
        self.number = number.unwrap_or(self.number);
        self.requests += 1;
        self.running.iter().for_each(|control| control.stop());
        true
    }
}

impl SearchTurn {
    /// Goes on until that is done, which `go_on` returns, or this turn is stopped: on a thread of this name, or whenever
    /// the program has nothing else to do. When it is stopped, `go_on` is called once more if it did not hear of that.
    pub fn search(
        self,
        name: &str,
        priority: JobPriority,
        go_on: impl FnMut(&SearchTurn, &Arc<Control>) -> bool + Send + 'static,
    ) -> Result<(), Message> {
        let runner = self.owner.context.runner.clone();
        // Dropped in this order: the tables are given back before another search may begin.
        let mut work = (go_on, self);
        let job = move |control: Option<Control>| {
            let (go_on, turn) = &mut work;
            // A stop comes as a request, and so between two runs.
            let control = control.filter(|_| !turn.control.stopped()).map(Arc::new);
            let is_last = control.is_none();
            if go_on(turn, control.as_ref().unwrap_or(&turn.control)) || is_last {
                JobOutcome::Done
            } else {
                JobOutcome::Interrupted
            }
        };
        runner.begin(name, priority, job).map_err(Message::from_error)
    }

    /// Whether no other search has taken its place.
    pub fn is_current(&self) -> bool {
        self.owner.state.locked().runs(&self.control)
    }
}

impl Drop for SearchTurn {
    fn drop(&mut self) {
        let mut state = self.owner.state.locked();
        if state.runs(&self.control) {
            state.running = None;
            self.owner.ended.notify_all();
        }
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
