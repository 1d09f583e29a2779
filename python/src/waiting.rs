//! Work on other threads, which is waited for without the interpreter's lock while Ctrl-C is heard: searches, counts of
//! move paths, files that are read ahead; and the answers of analysts: exactly one, also if their thread panics.

use crate::errors::{Exception, internal_error, value_error};
use chuhe_engine::search::{Control, spawn_searching};
use chuhe_study::analyse::{AnalysisReport, AnalysisUpdate, AnalystResources, UpdateHandler};
use chuhe_support::POLL_INTERVAL;
use pyo3::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::thread::{self, Builder};
use std::time::Duration;
use xiangqi::Position;

/// The most that is waited for a search that was told to stop.
const STOP_TIMEOUT: Duration = Duration::from_secs(10);

/// The JSON of a report; `None` if the search has failed.
pub type Answer = (usize, Option<String>);

/// Sends the answer to the query with this number.
pub struct Reply {
    number: usize,
    sender: Sender<Answer>,
    is_sent: bool,
}

impl Reply {
    pub fn new(number: usize, sender: Sender<Answer>) -> Reply {
        Reply { number, sender, is_sent: false }
    }

    /// Receives the updates of a query, and sends the final one.
    pub fn into_handler(mut self, resources: Arc<AnalystResources>) -> UpdateHandler {
        Box::new(move |update| {
            if let AnalysisUpdate::Final(analysis) = update {
                self.send(serde_json::to_string(&AnalysisReport::of(&analysis, &resources)).ok());
            }
        })
    }

    fn send(&mut self, answer: Option<String>) {
        self.is_sent = true;
        // The receiver is gone if nobody waits any more.
        let _ = self.sender.send((self.number, answer));
    }
}

impl Drop for Reply {
    fn drop(&mut self) {
        if !self.is_sent {
            self.send(None);
        }
    }
}

/// A search that has failed.
pub fn search_failed() -> PyErr {
    Exception::Internal.with("an error in chuhe itself, please report it: the search has failed")
}

/// What a thread sends next; nothing when it has ended.
pub fn received<T: Send>(py: Python<'_>, from: &Mutex<Receiver<T>>) -> PyResult<Option<T>> {
    let receive = || from.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(POLL_INTERVAL);
    loop {
        match py.detach(receive) {
            Ok(found) => return Ok(Some(found)),
            Err(RecvTimeoutError::Disconnected) => return Ok(None),
            Err(RecvTimeoutError::Timeout) => py.check_signals()?,
        }
    }
}

/// Waits for an answer. Ctrl-C, or another exception of a signal, stops the search.
pub fn wait<T: Send>(py: Python<'_>, answers: &Mutex<Receiver<T>>, stop: impl Fn()) -> PyResult<T> {
    let answer = received(py, answers).inspect_err(|_| {
        stop();
        // The engine is free when the search has ended.
        let last = || answers.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(STOP_TIMEOUT).is_ok();
        py.detach(last);
    });
    answer?.ok_or_else(search_failed)
}

/// Searches on a thread that has the stack for it.
pub fn searched<T: Send>(py: Python<'_>, search: impl FnOnce(&Arc<Control>) -> T + Send) -> PyResult<T> {
    let control = Arc::new(Control::new(false));
    thread::scope(|scope| {
        let (sender, answer) = mpsc::channel();
        let shared = &control;
        let search = move || {
            let found = catch_unwind(AssertUnwindSafe(|| search(shared)));
            let _ = sender.send(found.map_err(|cause| internal_error(cause.as_ref())));
        };
        spawn_searching(scope, "search".to_string(), search)?;
        wait(py, &Mutex::new(answer), || control.stop())?
    })
}

/// Counts the move paths of this length from a position.
pub fn perft(py: Python<'_>, position: &Position, depth: u32, threads: usize) -> PyResult<u64> {
    // Short ones are not worth a thread.
    if depth <= 2 {
        return Ok(position.clone().perft(depth));
    }
    let (moves, next) = (position.legal_moves().to_vec(), AtomicUsize::new(0));
    searched(py, |control| {
        let count = || {
            let (mut position, mut paths) = (position.clone(), 0);
            while let Some(&mv) = moves.get(next.fetch_add(1, Ordering::Relaxed)) {
                position.play_unchecked(mv);
                paths += position.perft_until_stopped(depth - 1, &|| control.stopped()).unwrap_or_default();
                position.undo();
            }
            paths
        };
        thread::scope(|scope| {
            // If no more can be started, those that run do the work.
            let others: Vec<_> = (1..threads).map_while(|_| Builder::new().spawn_scoped(scope, count).ok()).collect();
            let joined = others.into_iter().map(|other| other.join().expect("counting does not panic"));
            count() + joined.sum::<u64>()
        })
    })
}

/// The state of an iterator, unless a thread has it: waiting would keep the interpreter's lock from that thread.
pub fn locked<T>(state: &Mutex<T>) -> PyResult<MutexGuard<'_, T>> {
    match state.try_lock() {
        Ok(state) => Ok(state),
        Err(TryLockError::Poisoned(poisoned)) => Ok(poisoned.into_inner()),
        Err(TryLockError::WouldBlock) => Err(value_error("generator already executing")),
    }
}
