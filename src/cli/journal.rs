//! Files of answers (`--out`) that grow by a line each, and from which an interrupted command goes on. A truncated last
//! line is dropped; answers to something else, or made under other conditions, are never mixed with new ones.

use super::error::{CliError, cli_error};
pub use chuhe_support::files::LinePlace;
use chuhe_support::files::{At, FileError, JsonLines, OutputError, Synced, is_stdio};
use chuhe_support::language::Phrase;
use serde_json::{Map, Value};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// A longer line is no answer.
const MAX_LINE_BYTES: u64 = 1 << 26;

/// What is wrong with a line.
pub enum LineFault {
    Foreign,
    OtherItem,
    OtherConditions { field: String, there: String, now: String },
    TooLong,
}

impl LineFault {
    /// An error if a line was not made under these conditions.
    pub fn check_conditions(there: &Map<String, Value>, now: &Map<String, Value>) -> Result<(), LineFault> {
        let changed = now.iter().find(|(field, now)| there.get(*field).unwrap_or(&Value::Null) != *now);
        changed.map_or(Ok(()), |(field, now)| {
            let there = there.get(field).unwrap_or(&Value::Null).to_string();
            Err(LineFault::OtherConditions { field: field.clone(), there, now: now.to_string() })
        })
    }

    /// Why this line of the file keeps the command from going on behind it.
    fn into_error(self, file: &Path, line: usize, what: Phrase) -> CliError {
        let file = file.display().to_string();
        match self {
            LineFault::Foreign => {
                cli_error!("{file} has no {what}; use --force to start anew, or another name", file, what)
            }
            LineFault::OtherItem => cli_error!(
                "{file}, line {line}: the list has another position there; use --force to start anew, or another name",
                file,
                line
            ),
            LineFault::OtherConditions { field, there, now } => cli_error!(
                "{file}, line {line}: made under another '{field}' ({there}, now {now}): give {there} again, use --force to start anew, or name another file",
                file,
                line,
                field,
                there,
                now
            ),
            LineFault::TooLong => cli_error!(
                "{file}, line {line}: longer than any answer; use --force to start anew, or another name",
                file,
                line
            ),
        }
    }
}

/// The conditions of an answer, as they are compared.
pub fn conditions_of(conditions: &impl serde::Serialize) -> Map<String, Value> {
    serde_json::to_value(conditions).ok().and_then(|value| value.as_object().cloned()).unwrap_or_default()
}

/// What becomes of the lines that are there.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Start {
    /// The command goes on behind them.
    Behind,
    /// It does if it can, and begins anew if they are no answers or were made under other conditions.
    BehindOrAnew,
    Anew,
}

/// An open journal, for this process alone.
pub struct Journal {
    path: PathBuf,
    lines: JsonLines,
    /// The lines that were there are gone.
    pub is_anew: bool,
}

impl Journal {
    /// Opens or creates a journal whose lines begin with `prefix` and are called `what`, and visits its lines.
    pub fn open(
        path: &Path,
        (prefix, what): (&[u8], Phrase),
        start: Start,
        mut visit: impl FnMut(LinePlace, &[u8]) -> Result<(), LineFault>,
    ) -> Result<Journal, CliError> {
        if is_stdio(path) {
            return Err(OutputError::StdoutNotAllowed.into());
        }
        let mut lines = match JsonLines::hold(path, Synced::No) {
            Err(error) if error.kind() == ErrorKind::WouldBlock => {
                let file = path.display().to_string();
                return Err(cli_error!("{file} is in use: another run writes to it", file));
            }
            held => held.at(path)?,
        };
        let mut is_anew = start == Start::Anew;
        if !is_anew {
            let mut last = 0;
            let visited = lines.visit(MAX_LINE_BYTES, |place, line| {
                last = place.number;
                if line.starts_with(prefix) { visit(place, line) } else { Err(LineFault::Foreign) }
            });
            let fault = match visited.at(path)? {
                Err(fault) => Some((last, fault)),
                Ok(rest) if !is_torn_line(&rest, prefix) => Some((last + 1, LineFault::Foreign)),
                Ok(rest) if rest.len() as u64 == MAX_LINE_BYTES => Some((last + 1, LineFault::TooLong)),
                Ok(_) => None,
            };
            let is_other = |fault: &LineFault| matches!(fault, LineFault::Foreign | LineFault::OtherConditions { .. });
            match fault {
                Some((_, fault)) if start == Start::BehindOrAnew && is_other(&fault) => is_anew = true,
                Some((line, fault)) => return Err(fault.into_error(path, line, what)),
                None => {}
            }
        }
        // Cut only now that the file is known to be a journal.
        let length = if is_anew { 0 } else { lines.len() };
        lines.cut(length).at(path)?;
        Ok(Journal { path: path.to_path_buf(), lines, is_anew })
    }

    /// Adds lines, with their ends; returns where they begin.
    pub fn append(&mut self, text: &str) -> Result<u64, FileError> {
        self.lines.append(text).at(&self.path)
    }

    /// Reads a line again.
    pub fn line(&self, begin: u64, length: usize) -> Result<Vec<u8>, FileError> {
        self.lines.line(begin, length).at(&self.path)
    }
}

/// Whether this may be what a crash leaves of a line: its beginning, or the zero bytes that some file systems leave where
/// nothing was written.
fn is_torn_line(bytes: &[u8], prefix: &[u8]) -> bool {
    let text: Vec<u8> = bytes.iter().copied().filter(|&byte| byte != 0).collect();
    text.starts_with(prefix) || prefix.starts_with(&text)
}
