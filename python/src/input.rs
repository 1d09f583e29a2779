//! What callers hand over as a file: a path, bytes, a text, or a file that is open.

use crate::arguments::type_name;
use crate::errors::{os_error, value_error};
use chuhe_support::files::{MAX_INPUT_SIZE, open_input, read_wanted};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::path::{Path, PathBuf};

/// The bytes of a path, a text, bytes, or a file that is open.
pub fn content(source: &Bound<'_, PyAny>) -> PyResult<Vec<u8>> {
    if let Ok(text) = source.extract::<String>() {
        let is_name = !text.contains('\n') && (Path::new(&text).exists() || looks_like_path(&text));
        return if is_name { read(source.py(), Path::new(&text)) } else { Ok(text.into_bytes()) };
    }
    if source.hasattr("read")? {
        let read = source.call_method0("read")?;
        return match (read.cast::<PyBytes>(), read.extract::<String>()) {
            (Ok(bytes), _) => Ok(bytes.as_bytes().to_vec()),
            (_, Ok(text)) => Ok(text.into_bytes()),
            _ => Err(PyTypeError::new_err("a file whose read() gives neither bytes nor a text")),
        };
    }
    bytes_or(source, "a path, a text, bytes or a file")
}

/// Bytes as they are, or those of the file at a path.
pub fn bytes_or_file(source: &Bound<'_, PyAny>) -> PyResult<Vec<u8>> {
    bytes_or(source, "a path or bytes")
}

fn bytes_or(source: &Bound<'_, PyAny>, expected: &str) -> PyResult<Vec<u8>> {
    if let Ok(bytes) = source.cast::<PyBytes>() {
        return Ok(bytes.as_bytes().to_vec());
    }
    let wrong = || PyTypeError::new_err(format!("expected {expected}, found {}", type_name(source)));
    read(source.py(), &source.extract::<PathBuf>().map_err(|_| wrong())?)
}

/// Whether a word is rather the name of a file than a game: `games.pgn`, `round1/games.pgn`.
fn looks_like_path(text: &str) -> bool {
    let ending = Path::new(text).extension().map(|ending| ending.to_string_lossy().to_lowercase());
    let is_known =
        |ending: &str| ["pgn", "xqf", "ubb", "fen", "epd", "wxf", "cbr", "cbl", "cbf", "txt"].contains(&ending);
    ending.is_some_and(|ending| is_known(&ending))
}

fn read(py: Python<'_>, path: &Path) -> PyResult<Vec<u8>> {
    if let Ok(there) = path.metadata()
        && !there.is_file()
    {
        let found =
            if there.is_dir() { "a folder" } else { "a pipe or a device, which can be handed over as an open file" };
        return Err(value_error(format_args!("{}: expected a file, found {found}", path.display())));
    }
    py.detach(|| open_input(path).and_then(|file| read_wanted(file, MAX_INPUT_SIZE, |_| true)))
        .map_err(|error| os_error(py, &error, path))
}
