//! The engine in the process: searches run on threads of their own, while the caller waits without the interpreter's lock
//! and looks for Ctrl-C.

use crate::arguments::{self, Items, rules};
use crate::errors::{Exception, guarded, own_process, value_error};
use crate::game::{PyGame, from_json};
use crate::limits::Keywords;
use crate::live::LiveAnalysis;
use crate::moves::{self, PyMove};
use crate::review::{self, PyReview};
use crate::stream::{AnalysisStream, ItemErrors};
use crate::waiting::{Reply, search_failed, wait};
use chuhe_engine::tablebase::Tablebase;
use chuhe_study::analyse::{AnalystPool, AnalystResources, PoolError};
use chuhe_study::book::{self, Book, EMBEDDED_BOOK_NAME};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyDict};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use xiangqi::Rules;

/// The analysts of an engine.
struct Pools {
    /// One, with all threads.
    single: Arc<AnalystPool>,
    /// Those of the last `analyse_many`, with a thread each, and how many they are.
    many: Option<(usize, Arc<AnalystPool>)>,
}

/// An engine in this process, with its threads and a hash table of so many megabytes.
///
/// Several may run at once. An engine may be used from several threads, and takes their searches one after the other. While
/// it searches, other threads of Python run, and Ctrl-C ends the search. After a fork each process makes its own.
#[pyclass(name = "Engine", module = "chuhe", frozen)]
pub struct Engine {
    /// None once it is closed.
    pools: Mutex<Option<Pools>>,
    resources: AnalystResources,
    rules: Rules,
    /// The same, for its streams.
    is_closed: Arc<AtomicBool>,
    /// The process that it was made in: threads do not follow into a fork.
    process: u32,
}

impl Engine {
    fn pools(&self) -> MutexGuard<'_, Option<Pools>> {
        self.pools.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn check_usable(&self) -> PyResult<()> {
        own_process(self.process)?;
        if self.pools().is_none() || self.is_closed.load(Ordering::Relaxed) { Err(closed()) } else { Ok(()) }
    }

    fn single(&self) -> PyResult<Arc<AnalystPool>> {
        self.check_usable()?;
        self.pools().as_ref().map(|pools| Arc::clone(&pools.single)).ok_or_else(closed)
    }

    /// Analysts with a thread each, which are kept for the next call.
    fn many(&self, py: Python<'_>, count: usize) -> PyResult<Arc<AnalystPool>> {
        self.check_usable()?;
        let resources = AnalystResources { threads: 1, ..self.resources.clone() };
        py.detach(|| {
            let mut pools = self.pools();
            let pools = pools.as_mut().ok_or_else(closed)?;
            if let Some((there, pool)) = &pools.many
                && *there == count
            {
                return Ok(Arc::clone(pool));
            }
            let pool = Arc::new(AnalystPool::open(count, &resources).map_err(cannot_open)?);
            pools.many = Some((count, Arc::clone(&pool)));
            Ok(pool)
        })
    }

    /// Closes it: searches that run end with what they have found.
    fn shut(&self) {
        self.is_closed.store(true, Ordering::Relaxed);
        let pools = self.pools().take();
        if self.process != std::process::id() {
            // The threads to be joined are those of another process.
            std::mem::forget(pools);
        } else if let Some(pools) = pools {
            pools.single.cancel_all();
            pools.many.iter().for_each(|(_, pool)| pool.cancel_all());
        }
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.shut();
    }
}

fn closed() -> PyErr {
    Exception::Engine.with("this engine is closed")
}

fn cannot_open(error: PoolError) -> PyErr {
    Exception::Engine.with(error)
}

/// A number of threads, or as many as the machine runs at once.
fn thread_count(asked: Option<usize>) -> PyResult<usize> {
    match asked {
        None => Ok(std::thread::available_parallelism().map_or(1, usize::from)),
        Some(count @ 1..=256) => Ok(count),
        Some(_) => Err(value_error("threads: expected a number from 1 to 256")),
    }
}

#[pymethods]
impl Engine {
    #[new]
    #[pyo3(signature = (threads = 1, hash = 16, *, rules = "asian", natural_limit = None, tables = None, book = None))]
    fn new(
        py: Python<'_>,
        threads: usize,
        hash: usize,
        rules: &str,
        natural_limit: Option<usize>,
        tables: Option<Items<PathBuf>>,
        book: Option<PathBuf>,
    ) -> PyResult<Engine> {
        guarded(|| {
            let threads = thread_count(Some(threads))?;
            if !(1..=1_048_576).contains(&hash) {
                return Err(value_error("hash: expected megabytes, 1 to 1048576"));
            }
            let rules = self::rules(rules, natural_limit)?;
            let book = book.unwrap_or_else(|| PathBuf::from(EMBEDDED_BOOK_NAME));
            let book: Arc<dyn Book> = book::open_book(&book).map_err(|error| Exception::Engine.with(error))?;
            let resources = AnalystResources {
                version: chuhe::protocol::VERSION,
                threads,
                hash_mb: hash,
                tablebases: Arc::new(py.detach(|| Tablebase::open(&tables.map_or_else(Vec::new, |tables| tables.0)))),
                books: vec![book],
            };
            let single = Arc::new(py.detach(|| AnalystPool::open(1, &resources)).map_err(cannot_open)?);
            let pools = Mutex::new(Some(Pools { single, many: None }));
            Ok(Engine { pools, resources, rules, is_closed: Arc::default(), process: std::process::id() })
        })
    }

    /// Analyses a position within limits, which hold together; without one, for a second.
    ///
    /// `lines`: so many best lines. `mate`: look for a mate in so many moves. `only`, `avoid`: the first moves to
    /// choose from, or to leave out. `evaluate`: do not look ahead. `remember`: keep the hash table of earlier searches;
    /// otherwise the answer depends on the arguments alone, if one thread searches within nodes or depth.
    #[pyo3(
        signature = (position, **limits),
        text_signature = "($self, position, *, nodes=None, depth=None, time=None, lines=None, mate=None, only=None, avoid=None, rules=None, natural_limit=None, evaluate=None, remember=None)"
    )]
    fn analyse<'py>(
        &self,
        position: &Bound<'py, PyAny>,
        limits: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = position.py();
        guarded(|| {
            let keywords = Keywords::read("analyse", limits, self.rules)?.with_default_time();
            let query = keywords.about(&arguments::position(position)?)?;
            let (pool, resources) = (self.single()?, Arc::new(self.resources.clone()));
            let (sender, answers) = mpsc::channel();
            let answers = Mutex::new(answers);
            let handler = Reply::new(0, sender).into_handler(resources);
            let id = pool.submit(query, 0, handler);
            let answer = wait(py, &answers, || {
                pool.cancel(id);
            });
            // Without the interpreter's lock: the last owner joins its threads.
            py.detach(|| drop(pool));
            match answer? {
                (_, Some(answer)) => from_json(py, &answer),
                (_, None) => {
                    // Its thread is gone.
                    py.detach(|| self.shut());
                    Err(search_failed())
                }
            }
        })
    }

    /// The best move that `analyse` finds; None if the game is over.
    #[pyo3(
        signature = (position, **limits),
        text_signature = "($self, position, *, nodes=None, depth=None, time=None, mate=None, only=None, avoid=None, rules=None, natural_limit=None, remember=None)"
    )]
    fn play<'py>(
        &self,
        position: &Bound<'py, PyAny>,
        limits: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Option<Bound<'py, PyMove>>> {
        let answer = self.analyse(position, limits)?;
        let best: Option<Vec<String>> = answer.get_item("best")?.extract()?;
        best.unwrap_or_default().first().map(|mv| moves::object(position.py(), arguments::parse(mv)?)).transpose()
    }

    /// The same as an iterator over the lines while they are found, until it is stopped if there is no limit.
    ///
    /// `every`: a report at most so often, in seconds. Who reads slowly gets the newest.
    #[pyo3(
        signature = (position, **limits),
        text_signature = "($self, position, *, nodes=None, depth=None, time=None, lines=None, mate=None, only=None, avoid=None, rules=None, natural_limit=None, remember=None, every=None)"
    )]
    fn analysis<'py>(
        &self,
        position: &Bound<'py, PyAny>,
        limits: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<LiveAnalysis> {
        guarded(|| {
            let keywords = Keywords::read("analysis", limits, self.rules)?;
            let mut query = keywords.about(&arguments::position(position)?)?;
            query.report_interval.get_or_insert(Duration::ZERO);
            Ok(LiveAnalysis::start(self.single()?, query, Arc::clone(&self.is_closed), self.resources.clone()))
        })
    }

    /// Analyses positions, or pairs of an id and a position, on so many threads (all, by default), and gives the answers
    /// in the same order, each with its `id` or its number from 0.
    ///
    /// Positions are taken as they are needed: a few more than there are threads are in memory. Each is searched by one
    /// thread with an empty hash table of its own, so that the answers do not depend on the number of threads.
    /// `errors="return"` answers what is no position by an object with `id` and `error` instead of an exception.
    #[pyo3(
        signature = (positions, *, threads = None, errors = "raise", **limits),
        text_signature = "($self, positions, *, threads=None, errors='raise', nodes=None, depth=None, time=None, lines=None, mate=None, rules=None, natural_limit=None, evaluate=None)"
    )]
    fn analyse_many<'py>(
        &self,
        positions: &Bound<'py, PyAny>,
        threads: Option<usize>,
        errors: &str,
        limits: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<AnalysisStream> {
        guarded(|| {
            let query = Keywords::read("analyse_many", limits, self.rules)?.with_default_time().of_many()?;
            let errors = ItemErrors::from_name(errors)?;
            let count = thread_count(threads)?;
            let pool = self.many(positions.py(), count)?;
            let resources = AnalystResources { threads: 1, ..self.resources.clone() };
            Ok(AnalysisStream::new(
                positions.try_iter()?.unbind(),
                query,
                pool,
                count,
                Arc::clone(&self.is_closed),
                resources,
                errors,
            ))
        })
    }

    /// Reviews a game: searches each position within the limits, for a second if there is none, and judges the moves.
    #[pyo3(
        signature = (game, **limits),
        text_signature = "($self, game, *, nodes=None, depth=None, time=None, rules=None, natural_limit=None)"
    )]
    fn review<'py>(&self, game: &Bound<'py, PyGame>, limits: Option<&Bound<'py, PyDict>>) -> PyResult<PyReview> {
        guarded(|| {
            self.check_usable()?;
            let (budget, rules) = Keywords::read("review", limits, self.rules)?.with_default_time().of_review()?;
            let played = game.try_borrow()?.inner.clone();
            review::run(game.py(), played, rules, budget, &self.resources)
        })
    }

    /// How many threads search a position.
    #[getter]
    fn threads(&self) -> usize {
        self.resources.threads
    }

    /// The size of the hash table in megabytes.
    #[getter]
    fn hash(&self) -> usize {
        self.resources.hash_mb
    }

    /// How many endgame tables there are.
    #[getter]
    fn tables(&self) -> usize {
        self.resources.tablebases.file_count()
    }

    /// Whether it is closed.
    #[getter]
    fn closed(&self) -> bool {
        self.pools().is_none()
    }

    /// Ends its searches and frees its memory. `with` does so at its end.
    fn close(&self, py: Python<'_>) {
        py.detach(|| self.shut());
    }

    fn __enter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, py: Python<'_>, _exception: &Bound<'_, PyAny>) {
        self.close(py);
    }

    fn __repr__(&self) -> String {
        let state = if self.pools().is_none() { ", closed" } else { "" };
        format!("<Engine, {} threads, {} MB{state}>", self.resources.threads, self.resources.hash_mb)
    }
}
