//! Standard output, whose reader may go away as `head` does. That is no failure of anything, and must be told from the
//! pipes and files that do fail.
//!
//! What every command says alike that writes files: `--force`, and `-` for standard output.
//! What is wrong with tables that were to be asked.

use chuhe_engine::files::{OutputError, is_stdio};
use chuhe_engine::language::print_error;
use chuhe_engine::tablebase::Tablebase;
use clap::Args;
use std::error::Error;
use std::io::{self, Stdout, Write};
use std::path::Path;
use thiserror::Error;

/// Standard output; its errors say whether it has lost its reader.
pub struct StandardOutput(Stdout);

/// What a failed write says, in two layers: an error that is transparent to `io::Error` does not name it as its source,
/// but what the `io::Error` names.
#[derive(Debug, Error)]
#[error("nobody reads the output any more")]
struct ClosedOutput(#[source] OutputClosed);

#[derive(Debug, Error)]
#[error("the reader of the output has left")]
struct OutputClosed;

/// True if this error, or whatever caused it, is that nobody reads standard output any more.
pub fn is_output_closed(error: &(dyn Error + 'static)) -> bool {
    std::iter::successors(Some(error), |&error| error.source()).any(|error| error.is::<OutputClosed>())
}

impl StandardOutput {
    /// That of this process.
    pub fn new() -> StandardOutput {
        StandardOutput(io::stdout())
    }
}

impl Write for StandardOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes).map_err(mark_closed)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush().map_err(mark_closed)
    }
}

fn mark_closed(error: io::Error) -> io::Error {
    match error.kind() {
        io::ErrorKind::BrokenPipe => io::Error::new(error.kind(), ClosedOutput(OutputClosed)),
        _ => error,
    }
}

/// Whether files that are there may be written over.
#[derive(Args, Debug, Clone, Copy, Default)]
pub struct OverwriteArgs {
    /// Write over files that are there; without it only over those that this very command made, all of them
    #[arg(long)]
    pub force: bool,
}

/// Makes sure that no more than one of these goes to standard output.
pub fn check_single_stdout<const N: usize>(paths: [Option<&Path>; N]) -> Result<(), OutputError> {
    let count = paths.into_iter().flatten().filter(|path| is_stdio(path)).count();
    if count > 1 { Err(OutputError::StdoutUsedTwice) } else { Ok(()) }
}

/// Tells it, once the tables are no longer asked.
pub fn print_tablebase_warnings(shelf: &Tablebase) {
    for remark in shelf.take_warnings() {
        print_error(|| remark.to_string());
    }
}
