//! A file of answers that grows by one line each, and from which an interrupted list is resumed. A truncated last line
//! is dropped; answers to other positions, or made under other conditions, are never mixed with new ones.

use super::args::ListItem;
use super::error::AnalyseError;
use chuhe_study::analyse::{AnalysisConditions, AnalystResources, Query};
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
struct KeptAnswer {
    start: String,
    played: Vec<String>,
    conditions: Map<String, Value>,
}

pub struct ResumeLog {
    path: PathBuf,
    file: AppendFile,
}

impl ResumeLog {
    /// Opens or creates the file of a list, and returns how many of its positions, from the first one, are already
    /// answered.
    pub fn open(
        path: &Path,
        force: bool,
        items: &[ListItem],
        queries: &[Query],
        resources: &AnalystResources,
    ) -> Result<(ResumeLog, usize), AnalyseError> {
        let file = open_file(path)?;
        if force {
            let file = AppendFile::new(file, 0).at(path)?;
            return Ok((ResumeLog { path: path.to_path_buf(), file }, 0));
        }
        let bytes = read_limited(&file, MAX_INPUT_SIZE).at(path)?;
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        let (lines, torn) = bytes.split_at(whole);
        let lines: Vec<&[u8]> = lines.split_inclusive(|&byte| byte == b'\n').collect();
        for (index, line) in lines.iter().enumerate() {
            let kept: KeptAnswer = serde_json::from_slice(line)
                .ok()
                .filter(|_| line.starts_with(LINE_PREFIX))
                .ok_or_else(|| AnalyseError::Foreign(path.to_path_buf()))?;
            check(&kept, items.get(index).zip(queries.get(index)), resources).map_err(|mismatch| {
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
        Ok((ResumeLog { path: path.to_path_buf(), file }, lines.len()))
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

fn check(
    kept: &KeptAnswer,
    asked: Option<(&ListItem, &Query)>,
    resources: &AnalystResources,
) -> Result<(), LogMismatch> {
    let (item, query) = asked.ok_or(LogMismatch::Position)?;
    let played: Vec<String> = item.game_position.played().iter().map(ToString::to_string).collect();
    if kept.start != item.game_position.start().fen() || kept.played != played {
        return Err(LogMismatch::Position);
    }
    let now = serde_json::to_value(AnalysisConditions::of(query, resources)).unwrap_or_default();
    let fields = now.as_object().into_iter().flatten();
    for (field, now) in fields {
        let there = kept.conditions.get(field).unwrap_or(&Value::Null);
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
