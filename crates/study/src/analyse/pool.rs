//! A pool of analysts with a priority queue. A query can be cancelled whether it is queued or running. Every submitted
//! query gets exactly one final update.

use super::analysis::Analysis;
use super::analyst::{Analyst, AnalystResources};
use super::query::Query;
use chuhe_engine::search::{Control, HashSizeError};
use chuhe_support::language::NoThread;
use chuhe_support::messages::Localize;
use chuhe_support::work_queue::WorkQueue;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use thiserror::Error;

/// An update of a query.
#[derive(Clone)]
pub enum AnalysisUpdate {
    /// A partial result.
    Partial(Analysis),
    /// The final result; the last update of the query.
    Final(Analysis),
}

/// Identifies a query of a pool.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct QueryId(usize);

/// Receives the updates of a query. It is called by one thread at a time and may block only its own query.
pub type UpdateHandler = Box<dyn FnMut(AnalysisUpdate) + Send>;

/// Why a pool cannot be opened.
#[derive(Debug, Error)]
pub enum PoolError {
    /// Out of memory.
    #[error("{}", .0.localized())]
    Hash(#[from] HashSizeError),
    /// A thread could not be started.
    #[error(transparent)]
    Thread(#[from] NoThread),
}

/// A query that waits, and how it is stopped.
struct Job {
    query: Arc<Query>,
    handler: UpdateHandler,
    control: Arc<Control>,
}

#[derive(Default)]
struct PoolShared {
    queue: WorkQueue<Job>,
    unanswered: Mutex<Unanswered>,
}

/// The queries without a final update.
#[derive(Default)]
struct Unanswered {
    controls: BTreeMap<QueryId, Arc<Control>>,
    submitted: usize,
}

impl PoolShared {
    fn unanswered(&self) -> MutexGuard<'_, Unanswered> {
        self.unanswered.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The analysts and their queue. Dropping it cancels all queries.
pub struct AnalystPool {
    shared: Arc<PoolShared>,
    workers: Vec<JoinHandle<()>>,
}

impl AnalystPool {
    /// Opens a pool with this number of analysts.
    pub fn open(analysts: usize, resources: &AnalystResources) -> Result<AnalystPool, PoolError> {
        let mut pool = AnalystPool { shared: Arc::default(), workers: Vec::new() };
        for number in 0..analysts.max(1) {
            let mut analyst = Analyst::new(resources)?;
            let shared = Arc::clone(&pool.shared);
            let work = move || {
                while let Some((number, job)) = shared.queue.next() {
                    job.answer(&mut analyst);
                    shared.unanswered().controls.remove(&QueryId(number));
                }
            };
            let thread = std::thread::Builder::new().name(format!("analyst-{number}"));
            pool.workers.push(thread.spawn(work).map_err(NoThread)?);
        }
        Ok(pool)
    }

    /// Submits a query; a higher priority is served earlier.
    pub fn submit(&self, query: Query, priority: i64, handler: UpdateHandler) -> QueryId {
        let control = Arc::new(Control::new(false));
        let mut unanswered = self.shared.unanswered();
        let id = QueryId(unanswered.submitted);
        unanswered.submitted += 1;
        unanswered.controls.insert(id, Arc::clone(&control));
        drop(unanswered);
        self.shared.queue.push(priority, id.0, Job { query: Arc::new(query), handler, control });
        id
    }

    /// Cancels a query; its final update follows at once. Returns false if it was already answered.
    pub fn cancel(&self, id: QueryId) -> bool {
        let mut unanswered = self.shared.unanswered();
        let Some(control) = unanswered.controls.get(&id) else { return false };
        control.stop();
        if let Some(Job { query, mut handler, .. }) = self.shared.queue.take(id.0) {
            unanswered.controls.remove(&id);
            // Unlock first: the handler may submit another query.
            drop(unanswered);
            handler(AnalysisUpdate::Final(Analysis::empty(&query)));
        }
        true
    }

    /// Cancels all queries submitted so far.
    pub fn cancel_all(&self) {
        let ids: Vec<QueryId> = self.shared.unanswered().controls.keys().copied().collect();
        for id in ids {
            self.cancel(id);
        }
    }
}

impl Drop for AnalystPool {
    fn drop(&mut self) {
        self.cancel_all();
        self.shared.queue.close();
        for worker in self.workers.drain(..) {
            // A worker that panicked needs no further handling.
            let _ = worker.join();
        }
    }
}

impl Job {
    fn answer(mut self, analyst: &mut Analyst) {
        let Job { query, handler, control } = &mut self;
        let report = &mut |analysis: &Analysis| handler(AnalysisUpdate::Partial(analysis.clone()));
        let answer = analyst.analyse(query, control, report);
        handler(AnalysisUpdate::Final(answer));
    }
}
