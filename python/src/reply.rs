//! The answer to a query, waited for, and on its way from the thread that searches: exactly one, also if that thread panics.

use crate::errors::Exception;
use chuhe_study::analyse::{AnalysisReport, AnalysisUpdate, AnalystResources, UpdateHandler};
use chuhe_support::POLL_INTERVAL;
use pyo3::prelude::*;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

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

/// A report as JSON, which Python reads.
pub fn json_of(report: &AnalysisReport) -> PyResult<String> {
    serde_json::to_string(report).map_err(|error| Exception::Internal.with(error))
}

/// Waits for an answer without the interpreter's lock. Ctrl-C, or another exception of a signal, stops the search.
pub fn wait<T: Send>(py: Python<'_>, answers: &Mutex<Receiver<T>>, stop: impl Fn()) -> PyResult<T> {
    let receive = |most: Duration| {
        let answers = answers.lock().unwrap_or_else(PoisonError::into_inner);
        answers.recv_timeout(most)
    };
    loop {
        match py.detach(|| receive(POLL_INTERVAL)) {
            Ok(answer) => return Ok(answer),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return Err(search_failed()),
        }
        if let Err(interrupt) = py.check_signals() {
            stop();
            // The engine is free when the search has ended.
            let _ = py.detach(|| receive(STOP_TIMEOUT));
            return Err(interrupt);
        }
    }
}
