//! Tables of cases: games that repeat, with the expected verdicts.

use chuhe_support::files::{MAX_INPUT_SIZE, read_input};
use chuhe_support::language::{reason, tr};
use chuhe_support::messages::Localize;
use chuhe_support::text_width::pad_right;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use thiserror::Error;
use xiangqi::{RuleSet, Rules, Verdict};
use xiangqi_record::{PositionSpec, PositionSpecError, decode};

/// Why a table of cases could not be judged.
#[derive(Debug, Error)]
pub enum CasesError {
    /// There is no such file, or it is not text.
    #[error("{}", tr!("cannot read {path}: {source}", path = path.display(), source = reason(source)))]
    Read {
        /// Which file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The first line does not name what is needed.
    #[error("{}", tr!("{path} line 1: no column '{column}' among the tab-separated names", path = path.display(), column))]
    MissingColumn {
        /// Which file.
        path: PathBuf,
        /// The name that was looked for.
        column: String,
    },
    /// A line has too few columns.
    #[error("{}", tr!("{path} line {line}: only {columns} columns", path = path.display(), line, columns))]
    ShortLine {
        /// Which file.
        path: PathBuf,
        /// Counted from 1.
        line: usize,
        /// How many it has.
        columns: usize,
    },
    /// An expectation that is no verdict.
    #[error("{}", tr!("{path} line {line}: '{text}' is none of draw, w-loses, b-loses, ongoing", path = path.display(), line, text))]
    UnknownVerdict {
        /// Which file.
        path: PathBuf,
        /// Counted from 1.
        line: usize,
        /// What was read.
        text: String,
    },
    /// The moves of a case cannot be played.
    #[error("{}", tr!("{path} line {line}: {source}", path = path.display(), line, source = source.localized()))]
    Game {
        /// Which file.
        path: PathBuf,
        /// Counted from 1.
        line: usize,
        /// What is wrong.
        source: PositionSpecError,
    },
    /// The answer could not be written.
    #[error("{}", tr!("cannot write the answer: {cause}", cause = reason(_0)))]
    Output(#[from] io::Error),
}

/// Where in a line to find what.
struct CaseColumns {
    fen: usize,
    moves_before: usize,
    cycle: usize,
    verdicts: Vec<(RuleSet, usize)>,
}

/// Judges every case of the file under every rule set that it has a column for (or only under `only`), tells
/// each disagreement and the score.
pub(super) fn run_cases(
    path: &Path,
    only: Option<RuleSet>,
    natural_limit: Option<usize>,
    out: &mut dyn Write,
) -> Result<(), CasesError> {
    let fail = |source| CasesError::Read { path: path.to_owned(), source };
    let text = decode(&read_input(path, MAX_INPUT_SIZE, |head| head.contains(&b'\t')).map_err(fail)?);
    let mut lines = text.lines();
    let columns = read_columns(path, lines.next().unwrap_or_default(), only)?;
    let mut scores = vec![(0, 0); columns.verdicts.len()];
    for (index, text) in lines.enumerate().filter(|(_, text)| !text.trim().is_empty()) {
        let line = index + 2;
        let fields: Vec<&str> = text.split('\t').map(str::trim).collect();
        let field = |column: usize| {
            let short = || CasesError::ShortLine { path: path.to_owned(), line, columns: fields.len() };
            fields.get(column).copied().ok_or_else(short)
        };
        let (fen, before, cycle) = (field(columns.fen)?, field(columns.moves_before)?, field(columns.cycle)?);
        for ((set, column), (agreed, all)) in columns.verdicts.iter().zip(&mut scores) {
            let expected = read_expectation(field(*column)?).ok_or_else(|| CasesError::UnknownVerdict {
                path: path.to_owned(),
                line,
                text: fields[*column].chars().take(16).collect(),
            })?;
            let verdict = judge_case(fen, before, cycle, *set, natural_limit).map_err(|source| CasesError::Game {
                path: path.to_owned(),
                line,
                source,
            })?;
            *all += 1;
            if outcome(&verdict) == expected {
                *agreed += 1;
            } else {
                let told = tr!(
                    "line {line}, {set}: expected {expected}, judged {verdict}",
                    line,
                    set,
                    expected,
                    verdict = verdict.localized()
                );
                writeln!(out, "{told}")?;
            }
        }
    }
    let mut total = (0, 0);
    for ((set, _), (agreed, all)) in columns.verdicts.iter().zip(&scores) {
        writeln!(out, "{:<8}  {}", set.name(), tr!("{done} of {total}", done = agreed, total = all))?;
        total = (total.0 + agreed, total.1 + all);
    }
    let all = tr!("{done} of {total}", done = total.0, total = total.1);
    writeln!(out, "{}  {all}", pad_right(&tr!("total"), 8))?;
    Ok(())
}

fn read_columns(path: &Path, header: &str, only: Option<RuleSet>) -> Result<CaseColumns, CasesError> {
    let names: Vec<&str> = header.split('\t').map(str::trim).collect();
    let position = |name: &str| names.iter().position(|have| have.eq_ignore_ascii_case(name));
    let find = |name: &str| {
        let missing = || CasesError::MissingColumn { path: path.to_owned(), column: name.to_string() };
        position(name).ok_or_else(missing)
    };
    let verdicts = match only {
        Some(set) => vec![(set, find(set.name())?)],
        None => RuleSet::OFFERED.into_iter().filter_map(|set| Some((set, position(set.name())?))).collect(),
    };
    if verdicts.is_empty() {
        find(RuleSet::default().name())?;
    }
    Ok(CaseColumns { fen: find("fen")?, moves_before: find("moves_before")?, cycle: find("cycle")?, verdicts })
}

/// Plays the cycle until the position that it begins with has stood as often as the rule set asks.
fn judge_case(
    fen: &str,
    before: &str,
    cycle: &str,
    set: RuleSet,
    natural_limit: Option<usize>,
) -> Result<Verdict, PositionSpecError> {
    let cycles =
        (1..set.repetition_count()).fold(PositionSpec::parse(fen).with_moves(before), |game, _| game.with_moves(cycle));
    Ok(Rules::with_limit(set, natural_limit).judge(&cycles.position()?))
}

/// The names of a verdict that a table may use, to the one that `outcome` uses.
fn read_expectation(text: &str) -> Option<&'static str> {
    Some(match text {
        "draw" => "draw",
        "w-loses" | "red-loses" => "red-loses",
        "b-loses" | "black-loses" => "black-loses",
        "ongoing" => "ongoing",
        _ => return None,
    })
}

fn outcome(verdict: &Verdict) -> String {
    verdict.ending.map_or("ongoing".to_string(), |ending| ending.to_string())
}
