//! Files of answers (`--out`) that grow by a line each, and from which an interrupted command goes on. A truncated last
//! line is dropped; answers to something else, or made under other conditions, are never mixed with new ones.

use chuhe_support::files::{AppendFile, At, FileError, OutputError, is_stdio, open_locked};
use chuhe_support::language::{Phrase, tr};
use serde_json::{Map, Value};
use std::fs::OpenOptions;
use std::io::{BufRead, BufReader, ErrorKind, Read, Seek, SeekFrom};
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

/// Where a line is: its number, from 1, and its first byte.
pub struct LinePlace {
    pub number: usize,
    pub begin: u64,
}

/// An open journal, for this process alone.
pub struct Journal {
    path: PathBuf,
    file: AppendFile,
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
        let mut options = OpenOptions::new();
        options.write(true).read(true).create(true).truncate(false);
        let file = match open_locked(options, path) {
            Err(error) if error.kind() == ErrorKind::WouldBlock => return Err(JournalError::InUse(path.to_path_buf())),
            opened => opened.at(path)?,
        };
        let (mut reader, mut line, mut place) = (BufReader::new(&file), Vec::new(), LinePlace { number: 0, begin: 0 });
        let limit = if anew { 0 } else { MAX_LINE_BYTES };
        loop {
            line.clear();
            reader.by_ref().take(limit).read_until(b'\n', &mut line).at(path)?;
            let is_whole = line.last() == Some(&b'\n');
            let is_own = if is_whole { line.starts_with(prefix) } else { is_torn_line(&line, prefix) };
            place.number += 1;
            if !is_whole && limit > 0 && line.len() as u64 == limit && is_own {
                return Err(JournalError::TooLong { file: path.to_path_buf(), line: place.number });
            }
            let visited = match (is_own, is_whole) {
                (false, _) => Err(LineFault::Foreign),
                (true, true) => visit(LinePlace { ..place }, &line),
                (true, false) => break,
            };
            let (file, line_number) = (path.to_path_buf(), place.number);
            visited.map_err(|fault| match fault {
                LineFault::Foreign => JournalError::Foreign(file, what),
                LineFault::OtherItem => JournalError::OtherItem { file, line: line_number },
                LineFault::OtherConditions { field, there, now } => {
                    JournalError::OtherConditions { file, line: line_number, field, there, now }
                }
            })?;
            place.begin += line.len() as u64;
        }
        // Cut only now that the file is known to be a journal.
        let file = AppendFile::new(file, place.begin).at(path)?;
        Ok(Journal { path: path.to_path_buf(), file })
    }

    /// Adds a line, with its end; returns where it begins.
    pub fn append(&mut self, line: &str) -> Result<u64, FileError> {
        let begin = self.file.len();
        self.file.append_unsynced(line.as_bytes()).at(&self.path)?;
        Ok(begin)
    }

    /// Reads a line again.
    pub fn line(&self, begin: u64, length: usize) -> Result<Vec<u8>, FileError> {
        let (mut file, mut line) = (self.file.file(), vec![0; length]);
        file.seek(SeekFrom::Start(begin)).and_then(|_| file.read_exact(&mut line)).at(&self.path)?;
        Ok(line)
    }
}

/// Whether this may be what a crash leaves of a line: its beginning, or the zero bytes that some file systems leave where
/// nothing was written.
fn is_torn_line(bytes: &[u8], prefix: &[u8]) -> bool {
    let text: Vec<u8> = bytes.iter().copied().filter(|&byte| byte != 0).collect();
    text.starts_with(prefix) || prefix.starts_with(&text)
}
