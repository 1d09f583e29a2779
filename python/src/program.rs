//! The command `chuhe`, which comes with the package.

use crate::arguments::Items;
use pyo3::prelude::*;
use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;

/// Runs the program with these words, the first being its name; returns the exit code.
#[pyfunction]
pub fn main(py: Python<'_>, words: Items<OsString>) -> u8 {
    // As in the program itself: a panic in any thread ends it.
    std::panic::set_hook(Box::new(|info| {
        eprintln!("{info}");
        std::process::abort();
    }));
    let code = py.detach(|| chuhe::cli::commands::run_with(words.0));
    // Nobody else empties the buffer of a library's standard output.
    let _ = std::io::stdout().flush();
    // Its value cannot be read, but compared.
    (0..=u8::MAX).find(|&number| ExitCode::from(number) == code).unwrap_or(2)
}
