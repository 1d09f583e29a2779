//! How a game ended, as objects of the package.

use crate::moves;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use xiangqi::rules::MoveExplanation;
use xiangqi::{Ending, Reason};

/// A dataclass of the package.
pub fn record<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import("chuhe._records")?.getattr(name)
}

/// The side that won.
pub fn winner(ending: Ending) -> Option<String> {
    ending.winner().map(|side| side.to_string())
}

/// The reason without the piece that is chased, which the sentence names.
pub fn reason_name(reason: Reason) -> String {
    match reason {
        Reason::PerpetualChase { .. } => String::from("perpetual chase"),
        reason => reason.to_string(),
    }
}

/// What a move of a repetition did.
pub fn explained_move<'py>(py: Python<'py>, facts: &MoveExplanation) -> PyResult<Bound<'py, PyAny>> {
    let fields = PyDict::new(py);
    fields.set_item("side", facts.mover.to_string())?;
    fields.set_item("move", moves::object(py, facts.mv)?)?;
    fields.set_item("check", facts.check)?;
    let chased: Vec<_> =
        facts.newly_chased.iter().map(|(piece, square)| (piece.letter(), square.to_string())).collect();
    fields.set_item("chased", chased)?;
    fields.set_item("nature", facts.nature.as_ref().map(ToString::to_string))?;
    fields.set_item("text", facts.to_string())?;
    record(py, "MoveExplanation")?.call((), Some(&fields))
}
