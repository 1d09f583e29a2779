//! A batch: items that workers answer, as many at a time as there are threads, until all are done or Ctrl-C ends it.
//!
//! The first Ctrl-C stops the searches; what is answered is still used. The second one ends the program. An answer is
//! heard of as soon as it is there, for a journal, and written when its turn has come.

use chuhe_engine::search::{Control, spawn_searching};
use chuhe_support::POLL_INTERVAL;
use chuhe_support::interrupts::{EXIT_INTERRUPTED, InterruptHandler, StopRequest};
use chuhe_support::language::{NoThread, tr};
use chuhe_support::work_queue::WorkQueue;
use std::collections::VecDeque;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread::{Scope, ScopedJoinHandle};

/// What comes next in a batch.
pub enum Next<Item, Job> {
    /// An item, and what a worker is to do for it.
    Job(Item, Job),
    /// An item that needs no work.
    Settled(Item),
    /// More may come.
    NotYet,
    End,
}

/// A step of a batch, for whoever runs it.
pub enum Step<'a, Item, Job, Answer> {
    /// There is room for an item: it is to be put here.
    Next(&'a mut Next<Item, Job>),
    /// An answer has come.
    Answered(&'a Item, &'a Answer),
    /// The turn of an item has come. It has no answer if it needed none or was stopped.
    Write(Item, Option<Answer>),
    /// Comes from time to time.
    Progress,
}

/// How a batch runs.
pub struct Batch<'a> {
    /// Of its threads.
    pub name: &'a str,
    /// At most so many items are not written yet.
    pub window: usize,
    /// Whether items are written in their order, or as they are answered.
    pub is_in_order: bool,
    /// Whoever stops it ends the batch.
    pub control: &'a Control,
}

/// The answer to a job, or none if it was stopped.
type Outcome<Answer, Error> = Result<Option<Answer>, Error>;

impl Batch<'_> {
    /// Runs the batch on these workers, a thread each. Returns whether Ctrl-C or the system has ended it.
    pub fn run<Item, Job: Send, Answer: Send, Error: From<io::Error> + From<NoThread> + Send>(
        &self,
        workers: Vec<impl FnMut(Job) -> Outcome<Answer, Error> + Send>,
        mut step: impl FnMut(Step<Item, Job, Answer>) -> Result<(), Error>,
    ) -> Result<bool, Error> {
        let interrupts = InterruptHandler::install()?;
        let (jobs, answers) = (WorkQueue::default(), WorkQueue::default());
        std::thread::scope(|scope| {
            let (jobs, answers) = (&jobs, &answers);
            let _end = End(jobs, self.control);
            let work = |mut worker| {
                move || {
                    while let Some((number, job)) = jobs.next() {
                        answers.push(0, number, answer_of(&mut worker, job));
                    }
                }
            };
            start_workers(scope, self.name, workers.into_iter().map(work))?;
            let slots = VecDeque::new();
            let mut running =
                Running { batch: self, step: &mut step, jobs, answers, slots, submitted: 0, is_at_end: false };
            running.finish(&interrupts)
        })
    }
}

/// Starts threads with the stack of a search. If only some can be started, those do all the work.
pub fn start_workers<'scope, R: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    name: &str,
    works: impl IntoIterator<Item = impl FnOnce() -> R + Send + 'scope>,
) -> Result<Vec<ScopedJoinHandle<'scope, R>>, NoThread> {
    let mut workers = Vec::new();
    for work in works {
        match spawn_searching(scope, name.to_string(), work) {
            Ok(worker) => workers.push(worker),
            Err(error) if workers.is_empty() => return Err(NoThread(error)),
            Err(error) => {
                log::warn!("only {} threads could be started: {error}", workers.len());
                break;
            }
        }
    }
    Ok(workers)
}

/// A search has panicked.
pub fn search_failed() -> io::Error {
    io::Error::other(tr!("the search has failed"))
}

/// The answer of a worker; that a search has panicked is one, too.
fn answer_of<Job, Answer, Error: From<io::Error>>(
    worker: &mut impl FnMut(Job) -> Outcome<Answer, Error>,
    job: Job,
) -> Outcome<Answer, Error> {
    catch_unwind(AssertUnwindSafe(|| worker(job))).unwrap_or_else(|_| Err(search_failed().into()))
}

/// The end of a batch, in whatever way it comes: searches stop, and workers leave.
struct End<'a, Job>(&'a WorkQueue<Job>, &'a Control);

impl<Job> Drop for End<'_, Job> {
    fn drop(&mut self) {
        self.1.stop();
        self.0.close();
    }
}

/// An item that is not written.
struct Slot<Item, Answer> {
    number: usize,
    item: Item,
    answer: Option<Answer>,
    /// Nothing more comes.
    is_settled: bool,
}

/// Does what is to be done at a step.
type OnStep<'a, Item, Job, Answer, Error> = &'a mut dyn FnMut(Step<Item, Job, Answer>) -> Result<(), Error>;

struct Running<'a, Item, Job, Answer, Error> {
    batch: &'a Batch<'a>,
    step: OnStep<'a, Item, Job, Answer, Error>,
    jobs: &'a WorkQueue<Job>,
    answers: &'a WorkQueue<Outcome<Answer, Error>>,
    slots: VecDeque<Slot<Item, Answer>>,
    submitted: usize,
    is_at_end: bool,
}

impl<Item, Job, Answer, Error> Running<'_, Item, Job, Answer, Error> {
    fn finish(&mut self, interrupts: &InterruptHandler) -> Result<bool, Error> {
        let control = self.batch.control;
        loop {
            match interrupts.poll() {
                Some(StopRequest::Abort) if control.stopped() => std::process::exit(i32::from(EXIT_INTERRUPTED)),
                Some(_) => control.stop(),
                None => {}
            }
            let begun = self.submitted;
            if !control.stopped() {
                self.fill()?;
            }
            let has_written = self.write_settled()?;
            (self.step)(Step::Progress)?;
            if self.slots.is_empty() && (self.is_at_end || control.stopped()) {
                return Ok(interrupts.is_requested());
            }
            if has_written && self.submitted > begun {
                continue;
            }
            if let Some((number, outcome)) = self.answers.next_within(POLL_INTERVAL) {
                self.take(number, outcome?)?;
            }
        }
    }

    /// Takes items until there are as many as may be.
    fn fill(&mut self) -> Result<(), Error> {
        while self.slots.len() < self.batch.window && !self.is_at_end {
            let mut next = Next::End;
            (self.step)(Step::Next(&mut next))?;
            let (item, job) = match next {
                Next::Job(item, job) => (item, Some(job)),
                Next::Settled(item) => (item, None),
                Next::NotYet => break,
                Next::End => {
                    self.is_at_end = true;
                    break;
                }
            };
            self.slots.push_back(Slot { number: self.submitted, item, answer: None, is_settled: job.is_none() });
            if let Some(job) = job {
                self.jobs.push(0, self.submitted, job);
            }
            self.submitted += 1;
        }
        Ok(())
    }

    fn take(&mut self, number: usize, answer: Option<Answer>) -> Result<(), Error> {
        let Some(slot) = self.slots.iter_mut().find(|slot| slot.number == number) else { return Ok(()) };
        if let Some(answer) = &answer {
            (self.step)(Step::Answered(&slot.item, answer))?;
        }
        (slot.answer, slot.is_settled) = (answer, true);
        Ok(())
    }

    /// Writes the items whose turn has come; returns whether there were any.
    fn write_settled(&mut self) -> Result<bool, Error> {
        let mut has_written = false;
        let candidates = if self.batch.is_in_order { 1 } else { usize::MAX };
        while let Some(index) = self.slots.iter().take(candidates).position(|slot| slot.is_settled)
            && let Some(slot) = self.slots.remove(index)
        {
            (self.step)(Step::Write(slot.item, slot.answer))?;
            has_written = true;
        }
        Ok(has_written)
    }
}
