//! The journal of `chuhe mates check`: a report a line, from which an interrupted check continues. A truncated last line is
//! dropped; reports of other problems, or made under other conditions, are never mixed with new ones.

use super::MatesError;
use crate::cli::journal;
use chuhe_study::composition::{CheckReport, Composition};
use chuhe_support::files::{AppendFile, At, FileError, MAX_INPUT_SIZE, OutputError, is_stdio, read_limited};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// The first bytes of every line.
const LINE_PREFIX: &[u8] = b"{\"number\":";

/// What a report depends on besides the problem.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct CheckConditions {
    pub nodes: Option<u64>,
    pub seconds: Option<f64>,
    pub longest: u32,
    pub tree: u32,
    pub hash: u32,
    pub rules: String,
    pub natural_limit: usize,
}

/// A line: a report and its conditions.
#[derive(Serialize, Deserialize)]
pub struct JournalLine {
    #[serde(flatten)]
    pub report: CheckReport,
    pub conditions: CheckConditions,
}

impl JournalLine {
    /// As text, with its line end.
    pub fn to_line(&self) -> String {
        serde_json::to_string(self).unwrap_or_default() + "\n"
    }
}

pub struct Journal {
    path: PathBuf,
    file: AppendFile,
}

impl Journal {
    /// Opens or creates the journal of these problems, and returns the reports that it holds.
    pub fn open(
        path: &Path,
        force: bool,
        problems: &[Composition],
        conditions: &CheckConditions,
    ) -> Result<(Journal, Vec<CheckReport>), MatesError> {
        if is_stdio(path) {
            return Err(OutputError::StdoutNotAllowed.into());
        }
        let file = journal::open(path).at(path)?.ok_or_else(|| MatesError::JournalInUse(path.to_path_buf()))?;
        let bytes = if force { Vec::new() } else { read_limited(&file, MAX_INPUT_SIZE).at(path)? };
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        let (lines, torn) = bytes.split_at(whole);
        let mut reports = Vec::new();
        for (index, line) in lines.split_inclusive(|&byte| byte == b'\n').enumerate() {
            let is_line = line.starts_with(LINE_PREFIX);
            let kept = serde_json::from_slice::<JournalLine>(line).ok().filter(|_| is_line);
            let kept = kept.ok_or_else(|| MatesError::ForeignJournal(path.to_path_buf()))?;
            let line = index + 1;
            let problem = kept.report.number.checked_sub(1).and_then(|index| problems.get(index));
            let is_same =
                |problem: &&Composition| problem.start.fen() == kept.report.fen && problem.stated == kept.report.stated;
            if problem.filter(is_same).is_none() {
                return Err(MatesError::OtherProblem { file: path.to_path_buf(), line });
            }
            if kept.conditions != *conditions {
                return Err(MatesError::OtherConditions { file: path.to_path_buf(), line });
            }
            reports.push(kept.report);
        }
        if !journal::is_torn_line(torn, LINE_PREFIX) {
            return Err(MatesError::ForeignJournal(path.to_path_buf()));
        }
        // Cut only now that the file is known to be a journal.
        let file = AppendFile::new(file, whole as u64).at(path)?;
        Ok((Journal { path: path.to_path_buf(), file }, reports))
    }

    /// Adds a report.
    pub fn append(&mut self, line: &JournalLine) -> Result<(), FileError> {
        self.file.append(line.to_line().as_bytes()).at(&self.path)
    }
}
