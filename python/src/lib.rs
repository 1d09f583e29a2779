//! `chuhe._native`, the Rust half of the Python package: positions, games and the engine of the crates, as Python classes.
//!
//! * `position`, `board`, `moves`: a position with its moves, its pictures, and moves;
//! * `game`, `node`, `record_io`: games, their trees of moves, files of games;
//! * `explorer`: an index of games by position; `tactics`, `repertoire`: exercises, and openings of a player;
//! * `engine`, `limits`, `stream`, `live`, `review`: searches; `waiting`: they release the interpreter's lock and watch for Ctrl-C;
//! * `arguments` and `input`: what callers write, as types of the crates; `errors`: exceptions, of panics too.
//!
//! What is plain data, exceptions and dataclasses, is Python: `package/chuhe/_errors.py`, `package/chuhe/_records.py`. The types of all
//! are in `package/chuhe/_native.pyi`.

mod arguments;
mod board;
mod engine;
mod errors;
mod explorer;
mod game;
mod input;
mod limits;
mod live;
mod moves;
mod node;
mod position;
mod record_io;
mod repertoire;
mod review;
mod stream;
mod tactics;
mod waiting;

use arguments::Items;
use pyo3::prelude::*;
use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;

#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    errors::report_panics_as_exceptions();
    chuhe::install_languages();
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("BUILD", chuhe::protocol::VERSION)?;
    module.add("START_FEN", xiangqi::fen::START_FEN)?;
    module.add("RULE_SETS", xiangqi::RuleSet::OFFERED.map(xiangqi::RuleSet::name).to_vec())?;
    module.add_class::<moves::PyMove>()?;
    module.add_class::<position::PyPosition>()?;
    module.add_class::<game::PyGame>()?;
    module.add_class::<node::PyNode>()?;
    module.add_class::<record_io::GameReader>()?;
    module.add_class::<engine::Engine>()?;
    module.add_class::<live::LiveAnalysis>()?;
    module.add_class::<stream::AnalysisStream>()?;
    module.add_class::<review::PyReview>()?;
    module.add_class::<explorer::Explorer>()?;
    module.add_class::<tactics::PyTactic>()?;
    module.add_class::<tactics::PyTactics>()?;
    module.add_class::<tactics::TacticMiner>()?;
    module.add_class::<repertoire::PyRepertoire>()?;
    module.add_function(wrap_pyfunction!(record_io::read_games, module)?)?;
    module.add_function(wrap_pyfunction!(record_io::write_games, module)?)?;
    module.add_function(wrap_pyfunction!(game::judge, module)?)?;
    module.add_function(wrap_pyfunction!(main, module)?)?;
    module.add_function(wrap_pyfunction!(errors::_panic, module)?)?;
    Ok(())
}

/// The command `chuhe`, which comes with the package: runs the program with these words, the first being its name; returns the exit code.
#[pyfunction]
fn main(py: Python<'_>, words: Items<OsString>) -> u8 {
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
