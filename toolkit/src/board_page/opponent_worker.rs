//! The opponent of a page, on a thread of its own: what it is asked it answers one after the other, and it can be hurried.

use crate::game::opponent::EngineOpponent;
use chuhe_engine::search::{self, HashSizeError};
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};

/// What it is asked: a piece of work with it, or with the reason why it is not there.
type EngineJob = Box<dyn FnOnce(Result<&mut EngineOpponent, &HashSizeError>) + Send>;

pub struct OpponentWorker {
    jobs: Sender<EngineJob>,
    move_now: Arc<AtomicBool>,
    busy: Arc<AtomicBool>,
}

impl OpponentWorker {
    pub fn start() -> io::Result<OpponentWorker> {
        let (jobs, inbox) = mpsc::channel();
        let hurried = Arc::new(AtomicBool::new(false));
        let busy = Arc::new(AtomicBool::new(false));
        let flags = (Arc::clone(&hurried), Arc::clone(&busy));
        search::thread_builder("opponent").spawn(move || run_jobs(&inbox, &flags.0, &flags.1))?;
        Ok(OpponentWorker { jobs, move_now: hurried, busy })
    }

    /// Asks something; the answer is the work's own business.
    pub fn submit(&self, job: impl FnOnce(Result<&mut EngineOpponent, &HashSizeError>) + Send + 'static) {
        // The thread ends with this sender, and not before.
        let _ = self.jobs.send(Box::new(job));
    }

    /// Ends the search that is going on, with the best move so far.
    pub fn move_now(&self) {
        self.move_now.store(true, Ordering::Relaxed);
    }

    /// Whether it works on something.
    pub fn is_busy(&self) -> bool {
        self.busy.load(Ordering::Relaxed)
    }
}

impl Drop for OpponentWorker {
    fn drop(&mut self) {
        self.move_now();
    }
}

/// The hash table is there from the first question on: who never plays needs none.
fn run_jobs(inbox: &Receiver<EngineJob>, hurried: &Arc<AtomicBool>, busy: &AtomicBool) {
    let mut opponent = None;
    for job in inbox {
        busy.store(true, Ordering::Relaxed);
        let there = opponent.get_or_insert_with(|| EngineOpponent::new(Arc::clone(hurried)));
        // What begins now has its time.
        hurried.store(false, Ordering::Relaxed);
        job(there.as_mut().map_err(|error| &*error));
        if there.is_err() {
            opponent = None;
        }
        busy.store(false, Ordering::Relaxed);
    }
}
