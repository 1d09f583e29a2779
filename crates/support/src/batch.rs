//! A batch: items that workers answer, as many at a time as there are threads, until all are done or Ctrl-C ends it.
//!
//! The first Ctrl-C stops the searches; what is answered is still used. The second one ends the program. An answer is
//! heard of as soon as it is there, for a journal, and written when its turn has come.

use crate::POLL_INTERVAL;
use crate::interrupts::{EXIT_INTERRUPTED, InterruptHandler, StopRequest};
use crate::language::{NoThread, tr};
use crate::work_queue::WorkQueue;
use chuhe_engine::search::{Control, spawn_searching};
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

/// The items of a batch, and what becomes of their answers.
pub trait Batch {
    type Item;
    type Job: Send;
    type Answer: Send;
    type Error: From<io::Error> + From<NoThread> + Send;

    /// Whether items are written in their order, or as they are answered.
    const IS_IN_ORDER: bool = true;

    fn next(&mut self) -> Result<Next<Self::Item, Self::Job>, Self::Error>;

    /// An answer has come.
    fn answered(&mut self, _item: &Self::Item, _answer: &Self::Answer) -> Result<(), Self::Error> {
        Ok(())
    }

    /// Writes an item. It has no answer if it needed none or was stopped.
    fn write(&mut self, item: Self::Item, answer: Option<Self::Answer>) -> Result<(), Self::Error>;

    /// Is called from time to time.
    fn show_progress(&mut self);
}

/// A worker: the answer to a job, or none if it was stopped.
type Outcome<B> = Result<Option<<B as Batch>::Answer>, <B as Batch>::Error>;

/// Runs a batch on these workers, a thread each, with at most `window` items that are not written yet. Whoever stops the
/// control ends it. Returns whether Ctrl-C or the system did.
pub fn run<B: Batch>(
    batch: &mut B,
    name: &str,
    window: usize,
    workers: Vec<impl FnMut(B::Job) -> Outcome<B> + Send>,
    control: &Control,
) -> Result<bool, B::Error> {
    let interrupts = InterruptHandler::install()?;
    let (jobs, answers) = (WorkQueue::default(), WorkQueue::default());
    std::thread::scope(|scope| {
        let (jobs, answers) = (&jobs, &answers);
        let _end = End(jobs, control);
        let work = |mut worker| {
            move || {
                while let Some((number, job)) = jobs.next() {
                    answers.push(0, number, answer_of::<B>(&mut worker, job));
                }
            }
        };
        start_workers(scope, name, workers.into_iter().map(work))?;
        let slots = VecDeque::new();
        Running { batch, jobs, answers, slots, submitted: 0, window, is_at_end: false }.finish(&interrupts, control)
    })
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
fn answer_of<B: Batch>(worker: &mut impl FnMut(B::Job) -> Outcome<B>, job: B::Job) -> Outcome<B> {
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
struct Slot<B: Batch> {
    number: usize,
    item: B::Item,
    answer: Option<B::Answer>,
    /// Nothing more comes.
    is_settled: bool,
}

struct Running<'a, B: Batch> {
    batch: &'a mut B,
    jobs: &'a WorkQueue<B::Job>,
    answers: &'a WorkQueue<Outcome<B>>,
    slots: VecDeque<Slot<B>>,
    submitted: usize,
    window: usize,
    is_at_end: bool,
}

impl<B: Batch> Running<'_, B> {
    fn finish(&mut self, interrupts: &InterruptHandler, control: &Control) -> Result<bool, B::Error> {
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
            self.batch.show_progress();
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
    fn fill(&mut self) -> Result<(), B::Error> {
        while self.slots.len() < self.window && !self.is_at_end {
            let (item, job) = match self.batch.next()? {
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

    fn take(&mut self, number: usize, answer: Option<B::Answer>) -> Result<(), B::Error> {
        let Some(slot) = self.slots.iter_mut().find(|slot| slot.number == number) else { return Ok(()) };
        if let Some(answer) = &answer {
            self.batch.answered(&slot.item, answer)?;
        }
        (slot.answer, slot.is_settled) = (answer, true);
        Ok(())
    }

    /// Writes the items whose turn has come; returns whether there were any.
    fn write_settled(&mut self) -> Result<bool, B::Error> {
        let mut has_written = false;
        let candidates = if B::IS_IN_ORDER { 1 } else { usize::MAX };
        while let Some(index) = self.slots.iter().take(candidates).position(|slot| slot.is_settled)
            && let Some(slot) = self.slots.remove(index)
        {
            self.batch.write(slot.item, slot.answer)?;
            has_written = true;
        }
        Ok(has_written)
    }
}
