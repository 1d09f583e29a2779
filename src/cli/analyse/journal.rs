//! The journal of a list of analyses (`chuhe analyse --out`).

use super::entries::{Entries, ListEntry};
use crate::cli::journal::{Journal, JournalError, LineFault, conditions_of};
use chuhe_study::analyse::{AnalysisConditions, AnalystResources};
use chuhe_support::language::phrase;
use serde::Deserialize;
use serde_json::{Map, Value};
use std::path::Path;

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

/// Opens or creates the journal of a list, passes over the entries that it has already, and returns how many they are:
/// answers and faults.
pub fn open(
    path: &Path,
    force: bool,
    entries: &mut Entries,
    resources: &AnalystResources,
) -> Result<(Journal, KeptLines), JournalError> {
    let mut kept = KeptLines::default();
    let journal = Journal::open(path, (LINE_PREFIX, phrase!("analyses")), force, |_, line| {
        let there: KeptLine = serde_json::from_slice(line).map_err(|_| LineFault::Foreign)?;
        match there {
            KeptLine::Answer { .. } => kept.answers += 1,
            KeptLine::Fault { .. } => kept.faults += 1,
        }
        check(&there, entries.next(), resources)
    })?;
    Ok((journal, kept))
}

fn check(there: &KeptLine, entry: Option<ListEntry>, resources: &AnalystResources) -> Result<(), LineFault> {
    let query = entry.ok_or(LineFault::OtherItem)?.query;
    let (start, played, conditions, query) = match (there, query) {
        (KeptLine::Answer { start, played, conditions }, Ok(query)) => (start, played, conditions, query),
        (KeptLine::Fault { error }, Err(fault)) if *error == fault => return Ok(()),
        _ => return Err(LineFault::OtherItem),
    };
    let position = &query.position;
    if *start != position.start().fen() || !position.played().iter().map(ToString::to_string).eq(played.iter().cloned())
    {
        return Err(LineFault::OtherItem);
    }
    LineFault::check_conditions(conditions, &conditions_of(&AnalysisConditions::of(&query, resources)))
}
