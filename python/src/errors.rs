//! Exceptions: the classes are in `package/chuhe/_errors.py`, the sentences those of the crates. A panic becomes one, too.

use chuhe_support::language::Language;
use pyo3::prelude::*;
use pyo3::types::PyType;
use std::any::Any;
use std::cell::RefCell;
use std::fmt::Display;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

thread_local! {
    /// Where the last panic of this thread happened.
    static PANIC_PLACE: RefCell<String> = const { RefCell::new(String::new()) };
}

/// The exceptions of the package: the names of their classes, without `Error`.
#[derive(Clone, Copy, Debug)]
pub enum Exception {
    Fen,
    Move,
    Record,
    Engine,
    Internal,
}

impl Exception {
    /// An exception of this class with a sentence.
    pub fn with(self, sentence: impl Display) -> PyErr {
        let sentence = sentence.to_string();
        Python::attach(|py| {
            let class = py.import("chuhe._errors").and_then(|module| module.getattr(format!("{self:?}Error")));
            match class.and_then(|class| Ok(class.cast_into::<PyType>()?)) {
                Ok(class) => PyErr::from_type(class, (sentence,)),
                Err(error) => error,
            }
        })
    }
}

/// A value that an argument cannot have.
pub fn value_error(sentence: impl Display) -> PyErr {
    pyo3::exceptions::PyValueError::new_err(sentence.to_string())
}

/// Runs what a caller has asked for: with English sentences, and an exception in the place of a panic.
pub fn guarded<T>(work: impl FnOnce() -> PyResult<T>) -> PyResult<T> {
    let outcome = catch_unwind(AssertUnwindSafe(|| Language::ENGLISH.with(work)));
    outcome.unwrap_or_else(|cause| Err(internal_error(cause.as_ref())))
}

/// The exception of a panic.
pub fn internal_error(cause: &(dyn Any + Send)) -> PyErr {
    let text = cause.downcast_ref::<String>().map(String::as_str).or_else(|| cause.downcast_ref::<&str>().copied());
    let place = PANIC_PLACE.with(RefCell::take);
    Exception::Internal
        .with(format_args!("an error in chuhe itself, please report it: {} {place}", text.unwrap_or("panic")))
}

/// Refuses what was made in another process: its threads are not in this one.
pub fn own_process(process: u32) -> PyResult<()> {
    let text = "this engine belongs to another process: make one in each process";
    if process == std::process::id() { Ok(()) } else { Err(Exception::Engine.with(text)) }
}

/// Keeps panics from writing to standard error: the exception has what they would write.
pub fn report_panics_as_exceptions() {
    std::panic::set_hook(Box::new(|info| {
        let place = info.location().map_or_else(String::new, |place| format!("({}:{})", place.file(), place.line()));
        PANIC_PLACE.with(|kept| kept.replace(place));
    }));
}

/// Panics, for the test of what becomes of panics.
#[pyfunction]
pub fn _panic(text: String) -> PyResult<()> {
    guarded(|| panic!("{text}"))
}

/// The exception of the system's error, with the name of the file.
pub fn os_error(py: Python<'_>, error: &std::io::Error, path: &Path) -> PyErr {
    let Some(code) = error.raw_os_error() else {
        return pyo3::exceptions::PyOSError::new_err(format!("{}: {error}", path.display()));
    };
    // Python chooses FileNotFoundError and its like by the number.
    let text =
        py.import("os").and_then(|os| os.call_method1("strerror", (code,))).and_then(|text| text.extract::<String>());
    pyo3::exceptions::PyOSError::new_err((code, text.unwrap_or_default(), path.display().to_string()))
}
