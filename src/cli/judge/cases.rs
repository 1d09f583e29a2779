//! Tables of cases: games that repeat, with the expected verdicts.

use crate::cli::error::{CliError, cli_error};
use crate::cli::position_args::cannot_read;
use chuhe_support::files::{MAX_INPUT_SIZE, read_input};
use chuhe_support::language::{Message, tr};
use chuhe_support::messages::Localize;
use chuhe_support::text_width::pad_right;
use std::io::Write;
use std::path::Path;
use xiangqi::{RuleSet, Rules, Verdict};
use xiangqi_record::{PositionSpec, PositionSpecError, decode};

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
) -> Result<(), CliError> {
    let name = || path.display().to_string();
    let read = read_input(path, MAX_INPUT_SIZE, |head| head.contains(&b'\t'));
    let text = decode(&read.map_err(|error| cannot_read(path, error))?);
    let mut lines = text.lines();
    let columns = read_columns(path, lines.next().unwrap_or_default(), only)?;
    let mut scores = vec![(0, 0); columns.verdicts.len()];
    for (index, text) in lines.enumerate().filter(|(_, text)| !text.trim().is_empty()) {
        let line = index + 2;
        let fields: Vec<&str> = text.split('\t').map(str::trim).collect();
        let field = |column: usize| {
            fields.get(column).copied().ok_or_else(|| {
                cli_error!("{path} line {line}: only {columns} columns", path = name(), line, columns = fields.len())
            })
        };
        let (fen, before, cycle) = (field(columns.fen)?, field(columns.moves_before)?, field(columns.cycle)?);
        for ((set, column), (agreed, all)) in columns.verdicts.iter().zip(&mut scores) {
            let expected = read_expectation(field(*column)?).ok_or_else(|| {
                let text: String = fields[*column].chars().take(16).collect();
                cli_error!(
                    "{path} line {line}: '{text}' is none of draw, w-loses, b-loses, ongoing",
                    path = name(),
                    line,
                    text
                )
            })?;
            let verdict = judge_case(fen, before, cycle, *set, natural_limit).map_err(|error| {
                cli_error!("{path} line {line}: {source}", path = name(), line, source = Message::from_value(error))
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

fn read_columns(path: &Path, header: &str, only: Option<RuleSet>) -> Result<CaseColumns, CliError> {
    let names: Vec<&str> = header.split('\t').map(str::trim).collect();
    let position = |name: &str| names.iter().position(|have| have.eq_ignore_ascii_case(name));
    let find = |name: &str| {
        position(name).ok_or_else(|| {
            let (path, column) = (path.display().to_string(), name.to_string());
            cli_error!("{path} line 1: no column '{column}' among the tab-separated names", path, column)
        })
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
