//! The lines of a search while it runs: an iterator that gives the newest state, so that a slow reader does not lag.

use crate::errors::{guarded, own_process};
use crate::game::as_objects;
use crate::waiting::received;
use chuhe_study::analyse::{AnalysisReport, AnalysisUpdate, AnalystPool, AnalystResources, Query, QueryId};
use pyo3::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, Mutex, PoisonError};

/// Closes the engine if the search ends without a last word: its thread is gone then.
struct LastWord {
    is_said: bool,
    engine_closed: Arc<AtomicBool>,
}

impl LastWord {
    /// Takes note of an update. As a method, so that a closure holds all of this.
    fn note(&mut self, update: &AnalysisUpdate) {
        self.is_said = matches!(update, AnalysisUpdate::Final(_));
    }
}

impl Drop for LastWord {
    fn drop(&mut self) {
        self.engine_closed.fetch_or(!self.is_said, Ordering::Relaxed);
    }
}

/// A search that runs: an iterator over its reports, the last of which is final.
#[pyclass(name = "LiveAnalysis", module = "chuhe", frozen)]
pub struct LiveAnalysis {
    updates: Mutex<Receiver<AnalysisUpdate>>,
    pool: Mutex<Option<Arc<AnalystPool>>>,
    id: QueryId,
    resources: AnalystResources,
    process: u32,
}

impl LiveAnalysis {
    pub fn start(
        pool: Arc<AnalystPool>,
        query: Query,
        engine_closed: Arc<AtomicBool>,
        resources: AnalystResources,
    ) -> LiveAnalysis {
        let (sender, updates) = mpsc::channel();
        let mut last_word = LastWord { is_said: false, engine_closed };
        let handler = move |update| {
            last_word.note(&update);
            // The receiver is gone if nobody reads any more.
            let _ = sender.send(update);
        };
        let id = pool.submit(query, 0, Box::new(handler));
        let (updates, pool) = (Mutex::new(updates), Mutex::new(Some(pool)));
        LiveAnalysis { updates, pool, id, resources, process: std::process::id() }
    }

    fn cancel(&self) {
        let pool = self.pool.lock().unwrap_or_else(PoisonError::into_inner).take();
        if self.process != std::process::id() {
            std::mem::forget(pool);
        } else if let Some(pool) = pool {
            pool.cancel(self.id);
        }
    }
}

impl Drop for LiveAnalysis {
    fn drop(&mut self) {
        self.cancel();
    }
}

#[pymethods]
impl LiveAnalysis {
    fn __iter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        guarded(|| {
            own_process(self.process)?;
            let next = received(py, &self.updates).inspect_err(|_| py.detach(|| self.cancel()))?;
            // Who reads slowly gets the newest.
            let newest = self.updates.lock().unwrap_or_else(PoisonError::into_inner).try_iter().last();
            let Some(update) = newest.or(next) else { return Ok(None) };
            let (AnalysisUpdate::Partial(analysis) | AnalysisUpdate::Final(analysis)) = &update;
            let report = as_objects(py, &AnalysisReport::of(analysis, &self.resources))?;
            report.set_item("final", matches!(update, AnalysisUpdate::Final(_)))?;
            Ok(Some(report))
        })
    }

    /// Ends the search; its final report is still to be read.
    fn stop(&self, py: Python<'_>) {
        py.detach(|| self.cancel());
    }

    fn __enter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, py: Python<'_>, _exception: &Bound<'_, PyAny>) {
        self.stop(py);
    }
}
