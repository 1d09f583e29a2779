//! The engine as opponent of a page, on a thread of its own: jobs run one after the other, and a search can be ended
//! early.

use crate::game::opponent::EngineOpponent;
use chuhe_engine::search::{self, HashSizeError};
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};

/// A job: receives the opponent, or the error if it could not be created.
type EngineJob = Box<dyn FnOnce(Result<&mut EngineOpponent, &HashSizeError>) + Send>;

pub struct OpponentWorker {
    jobs: Sender<EngineJob>,
    move_now: Arc<AtomicBool>,
    busy: Arc<AtomicBool>,
}

impl OpponentWorker {
    pub fn start() -> io::Result<OpponentWorker> {
        let (jobs, inbox) = mpsc::channel();
        let move_now = Arc::new(AtomicBool::new(false));
        let busy = Arc::new(AtomicBool::new(false));
        let flags = (Arc::clone(&move_now), Arc::clone(&busy));
        search::thread_builder("opponent").spawn(move || run_jobs(&inbox, &flags.0, &flags.1))?;
        Ok(OpponentWorker { jobs, move_now, busy })
    }

    /// Submits a job; it reports its result itself.
    pub fn submit(&self, job: impl FnOnce(Result<&mut EngineOpponent, &HashSizeError>) + Send + 'static) {
        // The thread ends only when this sender is dropped.
        let _ = self.jobs.send(Box::new(job));
    }

    /// Ends the running search with the best move so far.
    pub fn move_now(&self) {
        self.move_now.store(true, Ordering::Relaxed);
    }

    /// Whether a job is running.
    pub fn is_busy(&self) -> bool {
        self.busy.load(Ordering::Relaxed)
    }
}

impl Drop for OpponentWorker {
    fn drop(&mut self) {
        self.move_now();
    }
}

/// Runs the jobs. The hash table is allocated with the first one.
fn run_jobs(inbox: &Receiver<EngineJob>, move_now: &Arc<AtomicBool>, busy: &AtomicBool) {
    let mut opponent = None;
    for job in inbox {
        busy.store(true, Ordering::Relaxed);
        let slot = opponent.get_or_insert_with(|| EngineOpponent::new(Arc::clone(move_now)));
        // The flag concerned earlier jobs only.
        move_now.store(false, Ordering::Relaxed);
        job(slot.as_mut().map_err(|error| &*error));
        if slot.is_err() {
            opponent = None;
        }
        busy.store(false, Ordering::Relaxed);
    }
}
