//! The lines of a search while it runs: an iterator that gives the newest state, so that a slow reader does not lag.

use crate::errors::{guarded, own_process};
use crate::game::as_objects;
use chuhe_study::analyse::{Analysis, AnalysisReport, AnalysisUpdate, AnalystPool, AnalystResources, Query, QueryId};
use chuhe_support::POLL_INTERVAL;
use pyo3::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// What the search has said and nobody has read.
#[derive(Default)]
struct Newest {
    analysis: Option<(Analysis, bool)>,
    /// The search has said its last word.
    finished: bool,
}

#[derive(Default)]
struct Board {
    newest: Mutex<Newest>,
    changed: Condvar,
}

impl Board {
    fn newest(&self) -> MutexGuard<'_, Newest> {
        self.newest.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Marks the search as finished, however it ends.
struct Finish {
    board: Arc<Board>,
    /// The last word has been said: otherwise the thread of the engine is gone, and the engine is closed.
    is_said: bool,
    engine_closed: Arc<AtomicBool>,
}

impl Finish {
    fn note(&mut self, update: &AnalysisUpdate) {
        self.is_said = matches!(update, AnalysisUpdate::Final(_));
    }
}

impl Drop for Finish {
    fn drop(&mut self) {
        if !self.is_said {
            self.engine_closed.store(true, Ordering::Relaxed);
        }
        self.board.newest().finished = true;
        self.board.changed.notify_all();
    }
}

/// A search that runs: an iterator over its reports, the last of which is final.
#[pyclass(name = "LiveAnalysis", module = "chuhe", frozen)]
pub struct LiveAnalysis {
    board: Arc<Board>,
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
        let board = Arc::new(Board::default());
        let shown = Arc::clone(&board);
        let mut finish = Finish { board: Arc::clone(&board), is_said: false, engine_closed };
        let handler = move |update| {
            finish.note(&update);
            let newest = match update {
                AnalysisUpdate::Partial(analysis) => (analysis, false),
                AnalysisUpdate::Final(analysis) => (analysis, true),
            };
            shown.newest().analysis = Some(newest);
            shown.changed.notify_all();
        };
        let id = pool.submit(query, 0, Box::new(handler));
        LiveAnalysis { board, pool: Mutex::new(Some(pool)), id, resources, process: std::process::id() }
    }

    fn cancel(&self) {
        let pool = self.pool.lock().unwrap_or_else(PoisonError::into_inner).take();
        if self.process != std::process::id() {
            std::mem::forget(pool);
        } else if let Some(pool) = pool {
            pool.cancel(self.id);
        }
    }

    /// The next state, if it comes within a moment; `None` at the end.
    fn next(&self) -> Option<Option<(Analysis, bool)>> {
        let nothing = |newest: &mut Newest| newest.analysis.is_none() && !newest.finished;
        let waited = self.board.changed.wait_timeout_while(self.board.newest(), POLL_INTERVAL, nothing);
        let (mut newest, timeout) = waited.unwrap_or_else(PoisonError::into_inner);
        match newest.analysis.take() {
            Some(analysis) => Some(Some(analysis)),
            None if timeout.timed_out() && !newest.finished => None,
            None => Some(None),
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
            loop {
                if let Some(news) = py.detach(|| self.next()) {
                    let Some((analysis, is_final)) = news else { return Ok(None) };
                    let report = as_objects(py, &AnalysisReport::of(&analysis, &self.resources))?;
                    report.set_item("final", is_final)?;
                    return Ok(Some(report));
                }
                if let Err(interrupt) = py.check_signals() {
                    py.detach(|| self.cancel());
                    return Err(interrupt);
                }
            }
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
