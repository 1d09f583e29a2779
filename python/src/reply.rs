//! The answer to a query on its way from the thread that searches: exactly one, also if that thread panics.

use crate::errors::Exception;
use chuhe_study::analyse::{AnalysisReport, AnalysisUpdate, AnalystResources, UpdateHandler};
use pyo3::prelude::*;
use std::sync::Arc;
use std::sync::mpsc::Sender;

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
