//! Analysts at work: queries are handed in with a priority, answered as soon as an analyst is free, and can be given up at
//! once, whether somebody is at work on them or not. Everything that is handed in gets exactly one last word.

use super::analysis::Analysis;
use super::analyst::{Analyst, AnalystResources};
use super::query::Query;
use chuhe_engine::language::{reason, tr};
use chuhe_engine::search::{self, Control, HashSizeError};
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use thiserror::Error;

/// What the asker is told.
#[derive(Clone)]
pub enum AnalysisUpdate {
    /// So much is known so far.
    Partial(Analysis),
    /// This is the answer.
    Final(Analysis),
}

/// Names a query at a pool.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct QueryId(u64);

/// Whom a query's words go to. It is called by one thread at a time, and holds up no more than the answer to its own query.
pub type UpdateHandler = Box<dyn FnMut(AnalysisUpdate) + Send>;

/// Why a pool cannot be opened.
#[derive(Debug, Error)]
pub enum PoolError {
    /// There is no memory.
    #[error(transparent)]
    Hash(#[from] HashSizeError),
    /// There is no thread.
    #[error("{}", tr!("cannot start a thread: {reason}", reason = reason(_0)))]
    Thread(#[from] io::Error),
}

/// A query that waits: the most urgent first, of those the one that came first.
type QueueKey = (Reverse<i64>, QueryId);

#[derive(Default)]
struct QueryQueue {
    waiting: BTreeMap<QueueKey, (Arc<Query>, UpdateHandler)>,
    /// Where each of them stands.
    queue_keys: HashMap<QueryId, QueueKey>,
    running: HashMap<QueryId, Arc<Control>>,
    next_id: u64,
    /// The analysts go home when nothing is left.
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

/// The analysts and their queue. When it is dropped everything is given up.
pub struct AnalystPool {
    shared: Arc<PoolShared>,
    workers: Vec<JoinHandle<()>>,
}

impl AnalystPool {
    /// A pool with so many analysts, each of whom has equipment like this.
    pub fn open(analysts: usize, equipment: &AnalystResources) -> Result<AnalystPool, PoolError> {
        let mut pool = AnalystPool { shared: Arc::default(), workers: Vec::new() };
        for number in 0..analysts.max(1) {
            let mut analyst = Analyst::new(equipment)?;
            let office = Arc::clone(&pool.shared);
            let name = format!("analyst-{number}");
            let clerk = search::thread_builder(&name).spawn(move || while run_worker(&office, &mut analyst) {})?;
            pool.workers.push(clerk);
        }
        Ok(pool)
    }

    /// Hands a query in; the higher its priority the sooner it has its turn.
    pub fn submit(&self, query: Query, priority: i64, asker: UpdateHandler) -> QueryId {
        let mut queue = self.shared.queue();
        let ticket = QueryId(queue.next_id);
        let turn = (Reverse(priority), ticket);
        queue.next_id += 1;
        queue.queue_keys.insert(ticket, turn);
        queue.waiting.insert(turn, (Arc::new(query), asker));
        drop(queue);
        self.shared.changed.notify_all();
        ticket
    }

    /// Gives a query up: its last word, with what is known by then, comes at once. False if it was answered before.
    pub fn cancel(&self, ticket: QueryId) -> bool {
        let mut queue = self.shared.queue();
        if let Some(control) = queue.running.get(&ticket) {
            control.stop();
            return true;
        }
        let Some(turn) = queue.queue_keys.remove(&ticket) else { return false };
        let waiting = queue.waiting.remove(&turn);
        // The asker may want to hand something in.
        drop(queue);
        if let Some((query, mut asker)) = waiting {
            asker(AnalysisUpdate::Final(Analysis::empty(&query)));
        }
        self.shared.changed.notify_all();
        true
    }

    /// Gives up everything that was handed in so far.
    pub fn cancel_all(&self) {
        let queue = self.shared.queue();
        let mut tickets: Vec<QueryId> = queue.queue_keys.keys().chain(queue.running.keys()).copied().collect();
        drop(queue);
        tickets.sort();
        tickets.into_iter().for_each(|ticket| {
            self.cancel(ticket);
        });
    }

    /// How many queries have no last word yet.
    pub fn pending(&self) -> usize {
        let queue = self.shared.queue();
        queue.waiting.len() + queue.running.len()
    }

    /// Sleeps until no more than so many queries have no last word yet.
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
        for clerk in self.workers.drain(..) {
            // One that has panicked has nothing to say any more.
            let _ = clerk.join();
        }
    }
}

/// An analyst waits for a query and answers it; false if there will be none.
fn run_worker(office: &PoolShared, analyst: &mut Analyst) -> bool {
    let nothing_to_do = |queue: &mut QueryQueue| queue.waiting.is_empty() && !queue.closing;
    let mut queue = office.changed.wait_while(office.queue(), nothing_to_do).unwrap_or_else(PoisonError::into_inner);
    let Some(((_, ticket), (query, mut asker))) = queue.waiting.pop_first() else { return false };
    let control = Arc::new(Control::new(false));
    queue.queue_keys.remove(&ticket);
    queue.running.insert(ticket, Arc::clone(&control));
    drop(queue);
    let answer = analyst.analyse(&query, &control, &mut |analysis| asker(AnalysisUpdate::Partial(analysis.clone())));
    asker(AnalysisUpdate::Final(answer));
    office.queue().running.remove(&ticket);
    office.changed.notify_all();
    true
}
