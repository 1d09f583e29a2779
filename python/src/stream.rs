//! The analyses of many positions, in their order: so many are searched at a time as there are threads, and no more are
//! taken from the caller's iterator than a few for each.

use crate::arguments;
use crate::errors::{Exception, guarded, own_process, value_error};
use crate::game::from_json;
use crate::waiting::{Answer, Reply, locked, search_failed, wait};
use chuhe_study::analyse::{AnalystPool, AnalystResources, GamePosition, Query, QueryId};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyIterator, PyTuple};
use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use xiangqi::Position;

/// So many positions for each thread are taken before they are needed.
const LOOKAHEAD_PER_THREAD: usize = 4;

/// What becomes of a position that cannot be read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum ItemErrors {
    /// Its exception is raised at its turn, and ends the stream.
    Raise,
    /// It is answered by an object with `error`.
    Return,
}

impl ItemErrors {
    pub fn from_name(name: &str) -> PyResult<ItemErrors> {
        match name {
            "raise" => Ok(ItemErrors::Raise),
            "return" => Ok(ItemErrors::Return),
            _ => Err(value_error("errors: expected raise or return")),
        }
    }
}

/// The answers of `analyse_many`, in the order of the positions.
#[pyclass(name = "AnalysisStream", module = "chuhe", frozen)]
pub struct AnalysisStream {
    state: Mutex<StreamState>,
    process: u32,
}

struct StreamState {
    /// None once it has ended.
    positions: Option<Py<PyIterator>>,
    query: Query,
    pool: Option<Arc<AnalystPool>>,
    /// The engine is closed.
    closed: Arc<AtomicBool>,
    resources: Arc<AnalystResources>,
    errors: ItemErrors,
    window: usize,
    /// The ids of what was taken and not yet answered, the oldest first.
    ids: VecDeque<(Py<PyAny>, Option<QueryId>)>,
    next_answered: usize,
    sender: Sender<Answer>,
    answers: Mutex<Receiver<Answer>>,
    /// Answers before their turn, and what is wrong with positions.
    out_of_order: BTreeMap<usize, PyResult<String>>,
}

impl AnalysisStream {
    pub fn new(
        positions: Py<PyIterator>,
        query: Query,
        pool: Arc<AnalystPool>,
        threads: usize,
        closed: Arc<AtomicBool>,
        resources: AnalystResources,
        errors: ItemErrors,
    ) -> AnalysisStream {
        let (sender, answers) = mpsc::channel();
        let state = StreamState {
            positions: Some(positions),
            query,
            pool: Some(pool),
            closed,
            resources: Arc::new(resources),
            errors,
            window: threads * LOOKAHEAD_PER_THREAD,
            ids: VecDeque::new(),
            next_answered: 0,
            sender,
            answers: Mutex::new(answers),
            out_of_order: BTreeMap::new(),
        };
        AnalysisStream { state: Mutex::new(state), process: std::process::id() }
    }
}

impl StreamState {
    /// Takes positions until the window is full or there are no more.
    fn fill(&mut self, py: Python<'_>) -> PyResult<()> {
        while self.ids.len() < self.window && !self.closed.load(Ordering::Relaxed) {
            let Some(positions) = &self.positions else { return Ok(()) };
            let Some(item) = positions.bind(py).clone().next() else {
                self.positions = None;
                return Ok(());
            };
            self.submit(&item?)?;
        }
        Ok(())
    }

    fn submit(&mut self, item: &Bound<'_, PyAny>) -> PyResult<()> {
        let number = self.next_answered + self.ids.len();
        let (id, position) = match item.cast::<PyTuple>() {
            Ok(pair) if pair.len() == 2 => (pair.get_item(0)?, arguments::position(&pair.get_item(1)?)),
            _ => (number.into_pyobject(item.py())?.into_any(), arguments::position(item)),
        };
        let query_id = match position {
            Ok(position) => self.search(number, &position),
            Err(error) => {
                self.out_of_order.insert(number, Err(error));
                None
            }
        };
        self.ids.push_back((id.unbind(), query_id));
        Ok(())
    }

    fn search(&self, number: usize, position: &Position) -> Option<QueryId> {
        let query = Query { position: GamePosition::from_position(position), ..self.query.clone() };
        let handler = Reply::new(number, self.sender.clone()).into_handler(Arc::clone(&self.resources));
        Some(self.pool.as_ref()?.submit(query, 0, handler))
    }

    /// The next answer in the order of the positions; `None` at the end.
    fn next<'py>(&mut self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.fill(py)?;
        if self.closed.load(Ordering::Relaxed) && (self.positions.is_some() || !self.ids.is_empty()) {
            return Err(Exception::Engine.with("this engine is closed"));
        }
        if self.ids.is_empty() {
            self.end();
            return Ok(None);
        }
        let answer = loop {
            if let Some(answer) = self.out_of_order.remove(&self.next_answered) {
                break answer;
            }
            let (number, answer) = wait(py, &self.answers, || self.cancel())?;
            let Some(answer) = answer else {
                // A thread of the engine is gone.
                self.closed.store(true, Ordering::Relaxed);
                return Err(search_failed());
            };
            self.out_of_order.insert(number, Ok(answer));
        };
        self.next_answered += 1;
        let id = self.ids.pop_front().map(|(id, _)| id);
        let object = PyDict::new(py);
        object.set_item("id", id)?;
        match answer {
            Ok(text) => object.update(from_json(py, &text)?.cast()?)?,
            Err(error) if self.errors == ItemErrors::Raise => return Err(error),
            Err(error) => object.set_item("error", error.value(py).to_string())?,
        }
        // While the caller works with this one, the others are searched.
        self.fill(py)?;
        Ok(Some(object.into_any()))
    }

    fn cancel(&self) {
        if let Some(pool) = &self.pool {
            self.ids.iter().filter_map(|(_, id)| *id).for_each(|id| {
                pool.cancel(id);
            });
        }
    }

    /// Gives up what is not answered.
    fn end(&mut self) -> Option<Arc<AnalystPool>> {
        self.cancel();
        self.positions = None;
        self.ids.clear();
        self.out_of_order.clear();
        self.pool.take()
    }
}

impl Drop for AnalysisStream {
    fn drop(&mut self) {
        let state = self.state.get_mut().unwrap_or_else(PoisonError::into_inner);
        if self.process == std::process::id() {
            drop(state.end());
        } else {
            std::mem::forget(state.pool.take());
        }
    }
}

#[pymethods]
impl AnalysisStream {
    fn __repr__(&self) -> PyResult<String> {
        let answered = locked(&self.state)?.next_answered;
        Ok(format!("<AnalysisStream: {answered} answered>"))
    }

    fn __iter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        guarded(|| {
            own_process(self.process)?;
            let mut state = locked(&self.state)?;
            let next = state.next(py);
            if next.is_err() {
                let pool = state.end();
                py.detach(|| drop(pool));
            }
            next
        })
    }

    /// Gives up what is not answered yet.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        let pool = locked(&self.state)?.end();
        py.detach(|| drop(pool));
        Ok(())
    }
}
