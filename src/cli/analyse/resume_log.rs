//! A file of answers that grows by one line each, and from which an interrupted list is resumed. A truncated last line
//! is dropped; answers to other positions, or made under other conditions, are never mixed with new ones.

use super::entries::{Entries, ListEntry};
use super::error::AnalyseError;
use chuhe_study::analyse::{AnalysisConditions, AnalystResources};
use chuhe_support::files::{AppendFile, At, FileError, MAX_INPUT_SIZE, open_locked, read_limited};
use serde::Deserialize;
use serde_json::{Map, Value};
use std::fs::{File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

/// The first bytes of every answer.
const LINE_PREFIX: &[u8] = b"{\"number\":";

/// The fields of an answer that identify its query.
#[derive(Deserialize)]
#[serde(untagged)]
enum KeptLine {
    Answer { start: String, played: Vec<String>, conditions: Map<String, Value> },
    Fault { error: String },
}

/// What a file has already.
#[derive(Default)]
pub struct KeptLines {
    pub answers: usize,
    pub faults: usize,
}

pub struct ResumeLog {
    path: PathBuf,
    file: AppendFile,
}

impl ResumeLog {
    /// Opens or creates the file of a list, passes over the entries that it has already, and returns how many
    /// they are: answers and faults.
    pub fn open(
        path: &Path,
        force: bool,
        entries: &mut Entries,
        resources: &AnalystResources,
    ) -> Result<(ResumeLog, KeptLines), AnalyseError> {
        let file = open_file(path)?;
        if force {
            let file = AppendFile::new(file, 0).at(path)?;
            return Ok((ResumeLog { path: path.to_path_buf(), file }, KeptLines::default()));
        }
        let bytes = read_limited(&file, MAX_INPUT_SIZE).at(path)?;
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        let (lines, torn) = bytes.split_at(whole);
        let mut kept = KeptLines::default();
        for (index, line) in lines.split_inclusive(|&byte| byte == b'\n').enumerate() {
            let there: KeptLine = serde_json::from_slice(line)
                .ok()
                .filter(|_| line.starts_with(LINE_PREFIX))
                .ok_or_else(|| AnalyseError::Foreign(path.to_path_buf()))?;
            match there {
                KeptLine::Answer { .. } => kept.answers += 1,
                KeptLine::Fault { .. } => kept.faults += 1,
            }
            check(&there, entries.next(), resources).map_err(|mismatch| {
                let (file, line) = (path.to_path_buf(), index + 1);
                match mismatch {
                    LogMismatch::Position => AnalyseError::OtherPosition { file, line },
                    LogMismatch::Condition { field, there, now } => {
                        AnalyseError::OtherConditions { file, line, field, there, now }
                    }
                }
            })?;
        }
        if !is_torn_answer(torn) {
            return Err(AnalyseError::Foreign(path.to_path_buf()));
        }
        // Truncate only now that the file is known to hold analyses.
        if !torn.is_empty() {
            log::warn!("{}: a line that was not written to its end is cut off", path.display());
        }
        let file = AppendFile::new(file, whole as u64).at(path)?;
        Ok((ResumeLog { path: path.to_path_buf(), file }, kept))
    }

    /// Appends an answer, with its line end, in a single write.
    pub fn append(&mut self, line: &str) -> Result<(), FileError> {
        self.file.append_unsynced(line.as_bytes()).at(&self.path)
    }
}

/// Why an answer does not belong to the query at its place.
enum LogMismatch {
    Position,
    Condition { field: String, there: String, now: String },
}

fn check(there: &KeptLine, entry: Option<ListEntry>, resources: &AnalystResources) -> Result<(), LogMismatch> {
    let query = entry.ok_or(LogMismatch::Position)?.query;
    let (start, played, conditions, query) = match (there, query) {
        (KeptLine::Answer { start, played, conditions }, Ok(query)) => (start, played, conditions, query),
        (KeptLine::Fault { error }, Err(fault)) if *error == fault => return Ok(()),
        _ => return Err(LogMismatch::Position),
    };
    let position = &query.position;
    if *start != position.start().fen() || !position.played().iter().map(ToString::to_string).eq(played.iter().cloned())
    {
        return Err(LogMismatch::Position);
    }
    let now = serde_json::to_value(AnalysisConditions::of(&query, resources)).unwrap_or_default();
    let fields = now.as_object().into_iter().flatten();
    for (field, now) in fields {
        let there = conditions.get(field).unwrap_or(&Value::Null);
        if there != now {
            let (there, now) = (there.to_string(), now.to_string());
            return Err(LogMismatch::Condition { field: field.clone(), there, now });
        }
    }
    Ok(())
}

/// Whether this may be what a crash leaves of an answer: its beginning, or the zero bytes that some file systems leave
/// where nothing was written.
fn is_torn_answer(bytes: &[u8]) -> bool {
    let text: Vec<u8> = bytes.iter().copied().filter(|&byte| byte != 0).collect();
    text.starts_with(LINE_PREFIX) || LINE_PREFIX.starts_with(&text)
}

fn open_file(path: &Path) -> Result<File, AnalyseError> {
    let mut options = OpenOptions::new();
    options.write(true).read(true).create(true).truncate(false);
    match open_locked(options, path) {
        Err(error) if error.kind() == io::ErrorKind::WouldBlock => Err(AnalyseError::InUse(path.to_path_buf())),
        opened => Ok(opened.at(path)?),
    }
}
