//! The journal of `chuhe mates check`: a report a line.

use crate::cli::journal::{Journal, JournalError, LineFault, conditions_of};
use chuhe_study::composition::{CheckReport, Composition};
use chuhe_support::language::phrase;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The first bytes of every line.
const LINE_PREFIX: &[u8] = b"{\"number\":";

/// What a report depends on besides the problem.
#[derive(Serialize, Deserialize)]
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

/// Opens or creates the journal of these problems, and returns the reports that it holds.
pub fn open(
    path: &Path,
    force: bool,
    problems: &[Composition],
    conditions: &CheckConditions,
) -> Result<(Journal, Vec<CheckReport>), JournalError> {
    let (mut reports, conditions) = (Vec::new(), conditions_of(conditions));
    let journal = Journal::open(path, (LINE_PREFIX, phrase!("reports of checks")), force, |_, line| {
        let JournalLine { report, conditions: there } = serde_json::from_slice(line).map_err(|_| LineFault::Foreign)?;
        let problem = report.number.checked_sub(1).and_then(|index| problems.get(index));
        if !problem.is_some_and(|problem| problem.start.fen() == report.fen && problem.stated == report.stated) {
            return Err(LineFault::OtherItem);
        }
        LineFault::check_conditions(&conditions_of(&there), &conditions)?;
        reports.push(report);
        Ok(())
    })?;
    Ok((journal, reports))
}
