//! The keywords of a search, read as a query of `chuhe analyse --stdin` is: with the same ranges and the same sentences.

use crate::arguments::{self, type_name};
use crate::errors::value_error;
use chuhe_study::analyse::{AnalyseRequest, GamePosition, Query, QueryTask, SearchBudget};
use pyo3::exceptions::{PyDeprecationWarning, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict};
use serde_json::{Map, Value, json};
use std::time::Duration;
use xiangqi::{Position, Rules};

/// The time of a search without a limit, unless it runs until it is stopped.
pub const DEFAULT_TIME: Duration = Duration::from_secs(1);

/// A query as the keywords of a call describe it, without its position.
pub struct Keywords<'py> {
    query: Query,
    only: Option<Bound<'py, PyAny>>,
    avoid: Option<Bound<'py, PyAny>>,
}

impl<'py> Keywords<'py> {
    /// Reads the keywords of the method `call`.
    pub fn read(call: &str, keywords: Option<&Bound<'py, PyDict>>, rules: Rules) -> PyResult<Keywords<'py>> {
        let mut fields = Map::from_iter([("id".to_string(), json!(0))]);
        let (mut only, mut avoid) = (None, None);
        for (name, value) in keywords.into_iter().flatten() {
            let name: String = name.extract()?;
            if value.is_none() {
                continue;
            }
            match name.as_str() {
                "only" => only = Some(value),
                "searchmoves" => {
                    let category = value.py().get_type::<PyDeprecationWarning>();
                    PyErr::warn(value.py(), &category, c"searchmoves is deprecated: use only", 1)?;
                    only = Some(value);
                }
                "avoid" => avoid = Some(value),
                "time" => drop(fields.insert("time_ms".to_string(), milliseconds(&value)?)),
                "every" => drop(fields.insert("every_ms".to_string(), milliseconds(&value)?)),
                "nodes" | "depth" | "mate" | "lines" | "rules" | "natural_limit" | "evaluate" | "remember" => {
                    fields.insert(name, json_value(&value)?);
                }
                _ => return Err(PyTypeError::new_err(format!("{call}() got an unexpected keyword argument '{name}'"))),
            }
        }
        let usual = Query { rules, ..Query::new(GamePosition::from_position(&Position::start())) };
        let parsed = AnalyseRequest::read(Value::Object(fields).to_string().as_bytes(), &usual).map_err(|error| {
            let field = error.field.as_deref().map(|field| field.trim_end_matches("_ms")).unwrap_or_default();
            value_error(format_args!("{field}: {}", error.problem))
        })?;
        let query = match parsed.request {
            AnalyseRequest::Analyse(batch) => batch.queries.into_iter().next(),
            _ => None,
        };
        Ok(Keywords { query: query.unwrap_or(usual), only, avoid })
    }

    /// The same, limited to a second where no limit is given.
    pub fn with_default_time(mut self) -> Keywords<'py> {
        if self.query.is_infinite() {
            self.query.budget = SearchBudget { time: Some(DEFAULT_TIME), ..self.query.budget };
        }
        self
    }

    /// The query about a position.
    pub fn about(&self, position: &Position) -> PyResult<Query> {
        let moves = |named: &Option<Bound<'py, PyAny>>| {
            named.as_ref().map_or_else(|| Ok(Vec::new()), |moves| arguments::legal_moves(position, moves))
        };
        let query = Query {
            position: GamePosition::from_position(position),
            include_moves: moves(&self.only)?,
            exclude_moves: moves(&self.avoid)?,
            ..self.query.clone()
        };
        if query.has_candidates() { Ok(query) } else { Err(value_error("avoid: leaves no move")) }
    }

    /// What is asked of every position alike; fails if moves are named.
    pub fn of_many(self) -> PyResult<Query> {
        if self.only.is_some() || self.avoid.is_some() {
            return Err(value_error("only, avoid: stand with one position only"));
        }
        Ok(self.query)
    }

    /// The limits of a review, which has no other tasks.
    pub fn of_review(self) -> PyResult<(SearchBudget, Rules)> {
        let query = self.of_many()?;
        if query.task != QueryTask::Search || query.lines != 1 {
            return Err(value_error("a review takes nodes, depth, time, rules and natural_limit"));
        }
        Ok((query.budget, query.rules))
    }
}

/// Seconds as milliseconds; what is no number is left to the reader of queries.
fn milliseconds(value: &Bound<'_, PyAny>) -> PyResult<Value> {
    let seconds: f64 = value.extract()?;
    // At least one, so that a time that is too short is not read as none.
    let milliseconds = (seconds * 1000.0).round();
    if (0.0..1e15).contains(&milliseconds) && seconds > 0.0 {
        return Ok(json!(milliseconds.max(1.0) as u64));
    }
    Err(value_error("time: expected seconds, 0.001 to 86400"))
}

fn json_value(value: &Bound<'_, PyAny>) -> PyResult<Value> {
    if let Ok(flag) = value.cast::<PyBool>() {
        return Ok(flag.is_true().into());
    }
    // Numbers of other libraries, such as numpy's, have this method.
    if value.hasattr("__index__")? {
        return Ok(value.extract::<i64>().map_or_else(|_| value.to_string().into(), Value::from));
    }
    match value.extract::<String>() {
        Ok(text) => Ok(text.into()),
        Err(_) => Err(PyTypeError::new_err(format!("expected a number or a text, found {}", type_name(value)))),
    }
}
