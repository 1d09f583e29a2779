//! Analysts at work: queries are handed in with a priority, answered as soon as an analyst is free, and can be given up at
//! once, whether somebody is at work on them or not. Everything that is handed in gets exactly one last word.

use super::analysis::Analysis;
use super::analyst::{Analyst, Equipment};
use super::query::Query;
use chuhe_engine::language::{reason, tr};
use chuhe_engine::search::{self, Control, TableSizeError};
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use thiserror::Error;

/// What the asker is told.
#[derive(Clone)]
pub enum Word {
    /// So much is known so far.
    Partial(Analysis),
    /// This is the answer.
    Final(Analysis),
}

/// Names a query at a pool.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Ticket(u64);

/// Whom a query's words go to. It is called by one thread at a time, and holds up no more than the answer to its own query.
pub type Asker = Box<dyn FnMut(Word) + Send>;

/// Why a pool cannot be opened.
#[derive(Debug, Error)]
pub enum PoolError {
    /// There is no memory.
    #[error(transparent)]
    Hash(#[from] TableSizeError),
    /// There is no thread.
    #[error("{}", tr!("cannot start a thread: {reason}", reason = reason(_0)))]
    Thread(#[from] io::Error),
}

/// A query that waits: the most urgent first, of those the one that came first.
type Turn = (Reverse<i64>, Ticket);

#[derive(Default)]
struct Queue {
    waiting: BTreeMap<Turn, (Arc<Query>, Asker)>,
    /// Where each of them stands.
    turns: HashMap<Ticket, Turn>,
    running: HashMap<Ticket, Arc<Control>>,
    handed_in: u64,
    /// The analysts go home when nothing is left.
    closing: bool,
}

#[derive(Default)]
struct Office {
    queue: Mutex<Queue>,
    news: Condvar,
}

impl Office {
    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The analysts and their queue. When it is dropped everything is given up.
pub struct Pool {
    office: Arc<Office>,
    clerks: Vec<JoinHandle<()>>,
}

impl Pool {
    /// A pool with so many analysts, each of whom has equipment like this.
    pub fn open(analysts: usize, equipment: &Equipment) -> Result<Pool, PoolError> {
        let mut pool = Pool { office: Arc::default(), clerks: Vec::new() };
        for number in 0..analysts.max(1) {
            let mut analyst = Analyst::new(equipment)?;
            let office = Arc::clone(&pool.office);
            let name = format!("analyst-{number}");
            let clerk = search::thread(&name).spawn(move || while serve(&office, &mut analyst) {})?;
            pool.clerks.push(clerk);
        }
        Ok(pool)
    }

    /// Hands a query in; the higher its priority the sooner it has its turn.
    pub fn ask(&self, query: Query, priority: i64, asker: Asker) -> Ticket {
        let mut queue = self.office.queue();
        let ticket = Ticket(queue.handed_in);
        let turn = (Reverse(priority), ticket);
        queue.handed_in += 1;
        queue.turns.insert(ticket, turn);
        queue.waiting.insert(turn, (Arc::new(query), asker));
        drop(queue);
        self.office.news.notify_all();
        ticket
    }

    /// Gives a query up: its last word, with what is known by then, comes at once. False if it was answered before.
    pub fn give_up(&self, ticket: Ticket) -> bool {
        let mut queue = self.office.queue();
        if let Some(control) = queue.running.get(&ticket) {
            control.stop();
            return true;
        }
        let Some(turn) = queue.turns.remove(&ticket) else { return false };
        let waiting = queue.waiting.remove(&turn);
        // The asker may want to hand something in.
        drop(queue);
        if let Some((query, mut asker)) = waiting {
            asker(Word::Final(Analysis::untouched(&query)));
        }
        self.office.news.notify_all();
        true
    }

    /// Gives up everything that was handed in so far.
    pub fn give_up_all(&self) {
        let queue = self.office.queue();
        let mut tickets: Vec<Ticket> = queue.turns.keys().chain(queue.running.keys()).copied().collect();
        drop(queue);
        tickets.sort();
        tickets.into_iter().for_each(|ticket| {
            self.give_up(ticket);
        });
    }

    /// How many queries have no last word yet.
    pub fn open_queries(&self) -> usize {
        let queue = self.office.queue();
        queue.waiting.len() + queue.running.len()
    }

    /// Sleeps until no more than so many queries have no last word yet.
    pub fn wait_until(&self, left: usize) {
        let too_many = |queue: &mut Queue| queue.waiting.len() + queue.running.len() > left;
        drop(self.office.news.wait_while(self.office.queue(), too_many));
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.office.queue().closing = true;
        self.give_up_all();
        self.office.news.notify_all();
        for clerk in self.clerks.drain(..) {
            // One that has panicked has nothing to say any more.
            let _ = clerk.join();
        }
    }
}

/// An analyst waits for a query and answers it; false if there will be none.
fn serve(office: &Office, analyst: &mut Analyst) -> bool {
    let nothing_to_do = |queue: &mut Queue| queue.waiting.is_empty() && !queue.closing;
    let mut queue =
        office.news.wait_while(office.queue(), nothing_to_do).unwrap_or_else(PoisonError::into_inner);
    let Some(((_, ticket), (query, mut asker))) = queue.waiting.pop_first() else { return false };
    let control = Arc::new(Control::new(false));
    queue.turns.remove(&ticket);
    queue.running.insert(ticket, Arc::clone(&control));
    drop(queue);
    let answer = analyst.analyse(&query, &control, &mut |analysis| asker(Word::Partial(analysis.clone())));
    asker(Word::Final(answer));
    office.queue().running.remove(&ticket);
    office.news.notify_all();
    true
}
