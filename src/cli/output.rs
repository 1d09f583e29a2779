//! Standard output whose reader may close it, as `head` does (not an error, unlike other failed writes); the shared
//! rules of commands that write files (`--force`, `-`); and warnings about unusable tablebases.

use super::error::CliError;
use super::journal::Start;
use chuhe_engine::tablebase::Tablebase;
use chuhe_support::files::{OutputError, OverwritePolicy, is_stdio, is_stream};
use chuhe_support::language::{print_error, sanitize, tr};
use chuhe_support::messages::Localize;
use clap::Args;
use std::error::Error;
use std::io::{self, Stdout, Write};
use std::path::Path;
use thiserror::Error;

/// Standard output; its errors say whether the reader closed it.
pub struct StandardOutput(Stdout);

/// The error of a write to closed output, in two layers: `io::Error::source` skips the wrapped error and returns its
/// source.
#[derive(Debug, Error)]
#[error("nobody reads the output any more")]
struct ClosedOutput(#[source] OutputClosed);

#[derive(Debug, Error)]
#[error("the reader of the output has left")]
struct OutputClosed;

/// True if this error, or one of its sources, is that the reader closed standard output.
pub fn is_output_closed(error: &(dyn Error + 'static)) -> bool {
    std::iter::successors(Some(error), |&error| error.source()).any(|error| error.is::<OutputClosed>())
}

impl StandardOutput {
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
    /// Overwrite existing files; without it only files whose beginning shows that this command wrote them
    #[arg(long)]
    pub force: bool,
}

impl OverwriteArgs {
    /// What becomes of the lines of a journal.
    pub fn start(self) -> Start {
        if self.force { Start::Anew } else { Start::Behind }
    }
}

/// Allows at most one of these paths to be standard output.
pub fn check_single_stdout<const N: usize>(paths: [Option<&Path>; N]) -> Result<(), OutputError> {
    let count = paths.into_iter().flatten().filter(|path| is_stdio(path)).count();
    if count > 1 { Err(OutputError::StdoutUsedTwice) } else { Ok(()) }
}

/// Fails if one of these files cannot be written.
pub fn check_files<const N: usize>(files: [(Option<&Path>, OverwritePolicy); N]) -> Result<(), OutputError> {
    let mut named = files.into_iter().filter_map(|(path, policy)| Some((path.filter(|path| !is_stdio(path))?, policy)));
    named.try_for_each(|(path, policy)| policy.check(path))
}

/// Writes a file, or standard output; returns a line that says so.
pub fn write_file(path: &Path, policy: OverwritePolicy, bytes: &[u8], out: &mut dyn Write) -> Result<String, CliError> {
    if is_stdio(path) {
        out.write_all(bytes)?;
        return Ok(String::new());
    }
    policy.write(path, bytes)?;
    Ok(written_line(path))
}

/// That a file was written, on a line.
pub fn written_line(path: &Path) -> String {
    if is_stdio(path) || is_stream(path) {
        return String::new();
    }
    let path = path.display().to_string();
    tr!("written: {path}", path = sanitize(&path)) + "\n"
}

/// Prints the warnings collected while probing.
pub fn print_tablebase_warnings(tablebase: &Tablebase) {
    for warning in tablebase.take_warnings() {
        print_error(|| warning.localized());
    }
}
