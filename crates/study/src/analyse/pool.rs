//! A pool of analysts with a priority queue. A query can be cancelled whether it is queued or running. Every submitted
//! query gets exactly one final update.

use super::analysis::Analysis;
use super::analyst::{Analyst, AnalystResources};
use super::query::Query;
use chuhe_engine::search::{Control, HashSizeError};
use chuhe_support::language::NoThread;
use chuhe_support::messages::Localize;
use chuhe_support::small_sort::SmallSort;
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
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
pub struct QueryId(u64);

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

/// Queue order: higher priority first, then first in, first out.
type QueueKey = (Reverse<i64>, QueryId);

#[derive(Default)]
struct QueryQueue {
    waiting: BTreeMap<QueueKey, (Arc<Query>, UpdateHandler)>,
    /// The queue key of each waiting query.
    queue_keys: HashMap<QueryId, QueueKey>,
    running: HashMap<QueryId, Arc<Control>>,
    next_id: u64,
    /// The workers exit when the queue is empty.
    closing: bool,
}

#[derive(Default)]
struct PoolShared {
    queue: Mutex<QueryQueue>,
    changed: Condvar,
}

impl PoolShared {
    fn queue(&self) -> MutexGuard<'_, QueryQueue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
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
            let name = format!("analyst-{number}");
            let worker = std::thread::Builder::new()
                .name(name)
                .spawn(move || while run_worker(&shared, &mut analyst) {})
                .map_err(NoThread)?;
            pool.workers.push(worker);
        }
        Ok(pool)
    }

    /// Submits a query; a higher priority is served earlier.
    pub fn submit(&self, query: Query, priority: i64, handler: UpdateHandler) -> QueryId {
        let mut queue = self.shared.queue();
        let id = QueryId(queue.next_id);
        let key = (Reverse(priority), id);
        queue.next_id += 1;
        queue.queue_keys.insert(id, key);
        queue.waiting.insert(key, (Arc::new(query), handler));
        drop(queue);
        self.shared.changed.notify_all();
        id
    }

    /// Cancels a query; its final update follows at once. Returns false if it was already answered.
    pub fn cancel(&self, id: QueryId) -> bool {
        let mut queue = self.shared.queue();
        if let Some(control) = queue.running.get(&id) {
            control.stop();
            return true;
        }
        let Some(key) = queue.queue_keys.remove(&id) else { return false };
        let waiting = queue.waiting.remove(&key);
        // Unlock first: the handler may submit another query.
        drop(queue);
        if let Some((query, mut handler)) = waiting {
            handler(AnalysisUpdate::Final(Analysis::empty(&query)));
        }
        self.shared.changed.notify_all();
        true
    }

    /// Cancels all queries submitted so far.
    pub fn cancel_all(&self) {
        let queue = self.shared.queue();
        let mut ids: Vec<QueryId> = queue.queue_keys.keys().chain(queue.running.keys()).copied().collect();
        drop(queue);
        ids.order();
        ids.into_iter().for_each(|id| {
            self.cancel(id);
        });
    }

    /// The number of queries without a final update.
    pub fn pending(&self) -> usize {
        let queue = self.shared.queue();
        queue.waiting.len() + queue.running.len()
    }

    /// Blocks until at most `left` queries have no final update.
    pub fn wait_for_pending(&self, left: usize) {
        let too_many = |queue: &mut QueryQueue| queue.waiting.len() + queue.running.len() > left;
        drop(self.shared.changed.wait_while(self.shared.queue(), too_many));
    }
}

impl Drop for AnalystPool {
    fn drop(&mut self) {
        self.shared.queue().closing = true;
        self.cancel_all();
        self.shared.changed.notify_all();
        for worker in self.workers.drain(..) {
            // A worker that panicked needs no further handling.
            let _ = worker.join();
        }
    }
}

/// Waits for a query and answers it; returns false when the pool is closing.
fn run_worker(pool: &PoolShared, analyst: &mut Analyst) -> bool {
    let nothing_to_do = |queue: &mut QueryQueue| queue.waiting.is_empty() && !queue.closing;
    let mut queue = pool.changed.wait_while(pool.queue(), nothing_to_do).unwrap_or_else(PoisonError::into_inner);
    let Some(((_, id), (query, mut handler))) = queue.waiting.pop_first() else { return false };
    let control = Arc::new(Control::new(false));
    queue.queue_keys.remove(&id);
    queue.running.insert(id, Arc::clone(&control));
    drop(queue);
    let answer = analyst.analyse(&query, &control, &mut |analysis| handler(AnalysisUpdate::Partial(analysis.clone())));
    handler(AnalysisUpdate::Final(answer));
    pool.queue().running.remove(&id);
    pool.changed.notify_all();
    true
}
