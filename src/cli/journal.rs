//! Files of answers (`--out`) that grow by a line each, and from which an interrupted command goes on. A truncated last
//! line is dropped; answers to something else, or made under other conditions, are never mixed with new ones.

pub use chuhe_support::files::LinePlace;
use chuhe_support::files::{At, FileError, JsonLines, OutputError, Synced, is_stdio};
use chuhe_support::language::{Phrase, tr};
use serde_json::{Map, Value};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// A longer line is no answer.
const MAX_LINE_BYTES: u64 = 1 << 26;

/// Why a journal cannot be gone on with.
#[derive(Debug, Error)]
pub enum JournalError {
    #[error(transparent)]
    File(#[from] FileError),
    #[error(transparent)]
    Output(#[from] OutputError),
    #[error("{}", tr!("{file} is in use: another run writes to it", file = .0.display()))]
    InUse(PathBuf),
    #[error("{}", tr!("{file} has no {what}; use --force to start anew, or another name", file = .0.display(), what = _1))]
    Foreign(PathBuf, Phrase),
    #[error("{}", tr!("{file}, line {line}: longer than any answer; use --force to start anew, or another name", file = file.display(), line))]
    TooLong { file: PathBuf, line: usize },
    #[error("{}", tr!("{file}, line {line}: the list has another position there; use --force to start anew, or another name", file = file.display(), line))]
    OtherItem { file: PathBuf, line: usize },
    #[error("{}", tr!("{file}, line {line}: made under another '{field}' ({there}, now {now}): give {there} again, use --force to start anew, or name another file", file = file.display(), line, field, there, now))]
    OtherConditions { file: PathBuf, line: usize, field: String, there: String, now: String },
}

/// What is wrong with a line.
pub enum LineFault {
    Foreign,
    OtherItem,
    OtherConditions { field: String, there: String, now: String },
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
}

/// The conditions of an answer, as they are compared.
pub fn conditions_of(conditions: &impl serde::Serialize) -> Map<String, Value> {
    serde_json::to_value(conditions).ok().and_then(|value| value.as_object().cloned()).unwrap_or_default()
}

/// An open journal, for this process alone.
pub struct Journal {
    path: PathBuf,
    lines: JsonLines,
}

impl Journal {
    /// Opens or creates a journal whose lines begin with `prefix` and are called `what`, and visits its lines; none if
    /// `anew`.
    pub fn open(
        path: &Path,
        (prefix, what): (&[u8], Phrase),
        anew: bool,
        mut visit: impl FnMut(LinePlace, &[u8]) -> Result<(), LineFault>,
    ) -> Result<Journal, JournalError> {
        if is_stdio(path) {
            return Err(OutputError::StdoutNotAllowed.into());
        }
        let mut lines = match JsonLines::hold(path, Synced::No) {
            Err(error) if error.kind() == ErrorKind::WouldBlock => return Err(JournalError::InUse(path.to_path_buf())),
            held => held.at(path)?,
        };
        let mut last = 0;
        if !anew {
            let fault = |line, fault| {
                let file = path.to_path_buf();
                match fault {
                    LineFault::Foreign => JournalError::Foreign(file, what),
                    LineFault::OtherItem => JournalError::OtherItem { file, line },
                    LineFault::OtherConditions { field, there, now } => {
                        JournalError::OtherConditions { file, line, field, there, now }
                    }
                }
            };
            let visited = lines.visit(MAX_LINE_BYTES, |place, line| {
                last = place.number;
                let is_own = line.starts_with(prefix);
                let visited = if is_own { visit(place, line) } else { Err(LineFault::Foreign) };
                visited.map_err(|found| fault(last, found))
            });
            let rest = visited.at(path)??;
            if !is_torn_line(&rest, prefix) {
                return Err(fault(last + 1, LineFault::Foreign));
            }
            if rest.len() as u64 == MAX_LINE_BYTES {
                return Err(JournalError::TooLong { file: path.to_path_buf(), line: last + 1 });
            }
        }
        // Cut only now that the file is known to be a journal.
        let length = if anew { 0 } else { lines.len() };
        lines.cut(length).at(path)?;
        Ok(Journal { path: path.to_path_buf(), lines })
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
