//! The review of a game: what `chuhe review` writes, as objects, text and a page.

use crate::errors::{Exception, guarded};
use crate::game::{PyGame, from_json, label};
use crate::waiting::searched;
use chuhe_engine::search::{Limits, Options, Searcher};
use chuhe_study::analyse::{AnalystResources, SearchBudget};
use chuhe_study::review::{self, MoveQuality, Review};
use chuhe_support::language::Language;
use pyo3::prelude::*;
use std::sync::Arc;
use std::time::Duration;
use xiangqi::Rules;
use xiangqi_draw::ColourMode;
use xiangqi_record::Game;

/// The columns of the table.
const TEXT_COLUMNS: usize = 100;

/// A review of a game: what each move was worth, and where it turned.
#[pyclass(name = "Review", module = "chuhe", frozen)]
pub struct PyReview {
    inner: Review,
}

/// Searches every position of a game, and looks for proofs why mistakes were some; Ctrl-C ends it.
pub fn run(
    py: Python<'_>,
    game: Game,
    rules: Rules,
    budget: SearchBudget,
    resources: &AnalystResources,
) -> PyResult<PyReview> {
    let options = Options { threads: resources.threads, rules, overhead: Duration::ZERO, ..Options::default() };
    let mut searcher =
        py.detach(|| Searcher::new(options, resources.hash_mb)).map_err(|error| Exception::Engine.with(error))?;
    searcher.tablebase = Some(Arc::clone(&resources.tablebases));
    let limits = Limits { move_time: budget.time, nodes: budget.nodes, depth: budget.depth, ..Limits::default() };
    let inner = searched(py, |control| {
        let analysis = review::analyse_game(&game, &mut searcher, &limits, control, &mut |_, _| ());
        let mut review = Review::of(game, rules, analysis);
        review.find_reasons(searcher.tablebase.as_deref(), control);
        review
    })?;
    Ok(PyReview { inner })
}

/// The language of a text: `en` or `zh`.
fn in_language<T>(name: &str, work: impl FnOnce() -> PyResult<T>) -> PyResult<T> {
    let language: Language = crate::arguments::parse(name)?;
    language.with(work)
}

#[pymethods]
impl PyReview {
    /// All of it, with the fields of `chuhe review --json`: see docs/review.md.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        guarded(|| from_json(py, &review::json(&self.inner)))
    }

    /// The moves, one after the other: rows of a data frame. `why` has the proven reasons of a mistake, with a sentence in
    /// Chinese and one in English; it is empty where nothing was proven.
    #[getter]
    fn moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.to_dict(py)?.get_item("moves")
    }

    /// The positions, from the start to the end.
    #[getter]
    fn positions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.to_dict(py)?.get_item("positions")
    }

    /// The game with scores, marks, and better lines as variations.
    #[pyo3(signature = (language = "en"))]
    fn game(&self, language: &str) -> PyResult<PyGame> {
        guarded(|| in_language(language, || Ok(PyGame::of(review::annotate(&self.inner)))))
    }

    /// A table and a curve, as `chuhe review` prints them.
    #[pyo3(signature = (language = "en"))]
    fn text(&self, language: &str) -> PyResult<String> {
        guarded(|| in_language(language, || Ok(review::table(&self.inner, ColourMode::Plain, TEXT_COLUMNS))))
    }

    /// A page to play through.
    #[pyo3(signature = (language = "en"))]
    fn html(&self, language: &str) -> PyResult<String> {
        guarded(|| in_language(language, || Ok(review::page(&self.inner))))
    }

    fn __repr__(&self) -> String {
        let is_mistake = |mark| matches!(mark, Some(MoveQuality::Mistake | MoveQuality::Blunder));
        let mistakes = self.inner.moves.iter().filter(|mv| is_mistake(mv.mark)).count();
        format!("<Review of {}: {mistakes} mistakes>", label(&self.inner.game))
    }

    fn __str__(&self) -> PyResult<String> {
        self.text("en")
    }
}
