//! A file of answers that grows by one line each, and from which an interrupted list is resumed. A truncated last line
//! is dropped; answers to other positions, or made under other conditions, are never mixed with new ones.

use super::entries::{Entries, ListEntry};
use super::error::AnalyseError;
use crate::cli::journal::{self, ChangedCondition, changed_condition, is_torn_line};
use chuhe_study::analyse::{AnalysisConditions, AnalystResources};
use chuhe_support::files::{AppendFile, At, FileError, MAX_INPUT_SIZE, read_limited};
use serde::Deserialize;
use serde_json::{Map, Value};
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
        let file = journal::open(path).at(path)?.ok_or_else(|| AnalyseError::InUse(path.to_path_buf()))?;
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
                    LogMismatch::Condition(ChangedCondition { field, there, now }) => {
                        AnalyseError::OtherConditions { file, line, field, there, now }
                    }
                }
            })?;
        }
        if !is_torn_line(torn, LINE_PREFIX) {
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
    Condition(ChangedCondition),
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
    let changed = now.as_object().and_then(|now| changed_condition(conditions, now));
    changed.map_or(Ok(()), |changed| Err(LogMismatch::Condition(changed)))
}
