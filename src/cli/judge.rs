//! `chuhe judge`: the state of a game after its last move, and the reason; and tables of repetition cases with expected
//! verdicts.

use super::position_args::{self, FaultPrinter, InputError, InputSpec, PositionArgs, PositionError};
use chuhe_engine::board::Position;
use chuhe_engine::files::{At, MAX_INPUT_SIZE, read_input};
use chuhe_engine::language::{Language, reason, tr};
use chuhe_engine::rules::{Ending, MoveExplanation, ParseRuleSetError, Reason, RuleSet, Rules, Verdict};
use chuhe_engine::types::{PieceKind, Square};
use chuhe_toolkit::record::{ParsedGame, PositionSpec, PositionSpecError, RecordFileError, decode};
use chuhe_toolkit::text::pad_right;
use clap::Args;
use serde_json::{Value, json};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::str::FromStr;
use thiserror::Error;

const EXAMPLES: &str = "\
Examples:
  chuhe judge '4k4/9/9/c8/9/R8/9/9/9/3K5 b moves a6b6 a4b4 b6a6 b4a4 a6b6 a4b4 b6a6 b4a4' --explain
  chuhe judge --rules league FEN --moves 'm1 m2 …'
  chuhe judge --rules all game.pgn     what each rule set says of a game
  chuhe judge game.pgn                 a game, or all games of a file, in any format that convert reads
  chuhe judge --cases cases.tsv        score the judge against a table of cases

A table of cases is tab-separated and begins with a line of column names: fen, moves_before, cycle, and a
column of verdicts (draw, w-loses, b-loses, ongoing) for each rule set that it knows. Of each case the moves
before are played, and then the cycle until the position has stood as often as the rule set asks.";

/// What `chuhe judge` is told.
#[derive(Args, Debug, Clone)]
#[command(after_help = EXAMPLES)]
pub struct JudgeArgs {
    #[command(flatten)]
    position: PositionArgs,
    /// The rules of repetition: asian, league, computer, cxa, tiantian or none, or all of them [default: asian; all that
    /// a table knows]
    #[arg(long, value_name = "SET")]
    rules: Option<RuleSetChoice>,
    /// Plies without a capture that draw the game, 0 = never [default: 120; 100 by league rules]
    #[arg(long, value_name = "N")]
    natural_limit: Option<usize>,
    /// Also say what each move of the repetition checked and chased
    #[arg(long)]
    explain: bool,
    /// Print one JSON object, for each game of a file on a line of its own
    #[arg(long, conflicts_with = "cases")]
    json: bool,
    /// Judge a table of cases instead, and say where it disagrees
    #[arg(long, value_name = "FILE", conflicts_with_all = ["words", "fen", "moves", "number", "ply", "explain"])]
    cases: Option<PathBuf>,
}

/// Which rule sets to ask.
#[derive(Debug, Clone, Copy)]
enum RuleSetChoice {
    One(RuleSet),
    All,
}

impl FromStr for RuleSetChoice {
    type Err = ParseRuleSetError;

    fn from_str(text: &str) -> Result<RuleSetChoice, ParseRuleSetError> {
        if text.eq_ignore_ascii_case("all") { Ok(RuleSetChoice::All) } else { text.parse().map(RuleSetChoice::One) }
    }
}

/// An error of `chuhe judge`.
#[derive(Debug, Error)]
pub enum JudgeError {
    #[error(transparent)]
    Position(#[from] PositionError),
    #[error(transparent)]
    Game(#[from] InputError),
    #[error(transparent)]
    Cases(#[from] CasesError),
    #[error("{}", tr!("cannot write the answer: {cause}", cause = reason(_0)))]
    Output(#[from] io::Error),
}

/// Judges a game, or a table of cases. The exit code says whether a game of a file was only partly readable.
pub fn judge_table(args: &JudgeArgs, out: &mut dyn Write) -> Result<ExitCode, JudgeError> {
    if let Some(path) = &args.cases {
        let only = match args.rules {
            Some(RuleSetChoice::One(set)) => Some(set),
            Some(RuleSetChoice::All) | None => None,
        };
        run_cases(path, only, args.natural_limit, out)?;
    } else if let InputSpec::File(file) = args.position.input()? {
        return args.judge_file(&file, out);
    } else {
        args.judge(&args.position.position()?, out)?;
    }
    Ok(ExitCode::SUCCESS)
}

impl JudgeArgs {
    fn judge(&self, position: &Position, out: &mut dyn Write) -> io::Result<()> {
        let rules = |set: RuleSet| Rules::with_limit(set, self.natural_limit);
        match self.rules.unwrap_or(RuleSetChoice::One(RuleSet::default())) {
            RuleSetChoice::One(set) if self.json => writeln!(out, "{}", json(&rules(set), position)),
            RuleSetChoice::All if self.json => {
                let all = RuleSet::ALL.map(|set| json(&rules(set), position));
                writeln!(out, "{}", Value::from(all.to_vec()))
            }
            RuleSetChoice::One(set) => {
                writeln!(out, "{}", rules(set).judge(position))?;
                self.explain(&rules(set), position, out)
            }
            RuleSetChoice::All => {
                for set in RuleSet::ALL {
                    writeln!(out, "{:<8}  {}", set.name(), rules(set).judge(position))?;
                    self.explain(&rules(set), position, out)?;
                }
                Ok(())
            }
        }
    }

    fn explain(&self, rules: &Rules, position: &Position, out: &mut dyn Write) -> io::Result<()> {
        if !self.explain {
            return Ok(());
        }
        let deeds = rules.explain(position);
        for deed in &deeds {
            // Padding works on strings only.
            writeln!(out, "  {:<5}  {}  {}", deed.mover.name(), deed.mv, deed.text())?;
        }
        if let Some(paragraph) = rules.rule_paragraph(rules.judge(position).reason) {
            writeln!(out, "  {}", tr!("(docs/rules.md {paragraph})", paragraph))?;
        }
        match rules.explanation_caveat() {
            Some(caveat) if !deeds.is_empty() => writeln!(out, "  {}", tr!("({remark})", remark = caveat)),
            _ => Ok(()),
        }
    }

    /// Judges the games of a file, each with its number where there are several.
    fn judge_file(&self, file: &Path, out: &mut dyn Write) -> Result<ExitCode, JudgeError> {
        let mut faults = FaultPrinter::of(file);
        let judge = |reading: &ParsedGame, faults: &mut FaultPrinter, out: &mut dyn Write| -> Result<(), JudgeError> {
            reading.errors.iter().for_each(|fault| faults.print(fault));
            Ok(self.judge(&self.position.position_in_game(&reading.game)?, out)?)
        };
        let end = |faults: &FaultPrinter| if faults.is_empty() { ExitCode::from(1) } else { ExitCode::SUCCESS };
        let (source, name) = (position_args::open(file).map_err(InputError::from)?, file);
        if self.position.names_a_game() {
            let reading = source.game(name, self.position.number()).map_err(InputError::from)?;
            judge(&reading, &mut faults, out)?;
            return Ok(end(&faults));
        }
        let mut games = source.games().enumerate().peekable();
        let mut number = 0;
        while let Some((index, reading)) = games.next() {
            number = index + 1;
            let several = index > 0 || games.peek().is_some();
            match reading {
                Ok(reading) => {
                    if several && !self.json {
                        // With all rule sets, the verdicts begin on a line of their own.
                        let end = if matches!(self.rules, Some(RuleSetChoice::All)) { '\n' } else { ' ' };
                        write!(out, "{}{end}", tr!("game {number}:", number))?;
                    }
                    judge(&reading, &mut faults, out)?;
                }
                Err(source) if !several => {
                    return Err(source).at(name).map_err(|error| InputError::from(RecordFileError::from(error)))?;
                }
                Err(fault) => faults.print(&fault),
            }
        }
        if number == 0 {
            return Err(InputError::from(RecordFileError::NoGame(name.to_path_buf())).into());
        }
        Ok(end(&faults))
    }
}

fn json(rules: &Rules, position: &Position) -> Value {
    let verdict = rules.judge(position);
    let (result, loser) = match verdict.ending {
        None => ("ongoing", None),
        Some(Ending::Draw) => ("draw", None),
        Some(Ending::Loss(color)) => ("loss", Some(color.to_string())),
    };
    let victim = match verdict.reason {
        Reason::PerpetualChase { victim, square } => Some(json_piece(&(victim, square))),
        _ => None,
    };
    let deed = |deed: &MoveExplanation| {
        json!({
            "mover": deed.mover.to_string(),
            "move": deed.mv.to_string(),
            "check": deed.check,
            "chased": deed.newly_chased.iter().map(json_piece).collect::<Vec<_>>(),
            "nature": deed.nature.as_ref().map(|nature| Language::ENGLISH.with(|| nature.to_string())),
        })
    };
    json!({
        "fen": position.fen(),
        "rules": rules.set.to_string(),
        "result": result,
        "loser": loser,
        "reason": Language::ENGLISH.with(|| verdict.reason.to_string()),
        "victim": victim,
        "paragraph": rules.rule_paragraph(verdict.reason),
        "caveat": rules.explanation_caveat().map(|caveat| caveat.0),
        "repetition": rules.explain(position).iter().map(deed).collect::<Vec<_>>(),
    })
}

fn json_piece(&(kind, square): &(PieceKind, Square)) -> Value {
    json!({"piece": kind.name(), "square": square.to_string()})
}

/// Why a table of cases could not be judged.
#[derive(Debug, Error)]
pub enum CasesError {
    #[error("{}", tr!("cannot read {path}: {source}", path = path.display(), source = reason(source)))]
    Read { path: PathBuf, source: io::Error },
    #[error("{}", tr!("{path} line 1: no column '{column}' among the tab-separated names", path = path.display(), column))]
    MissingColumn { path: PathBuf, column: String },
    #[error("{}", tr!("{path} line {line}: only {columns} columns", path = path.display(), line, columns))]
    ShortLine { path: PathBuf, line: usize, columns: usize },
    #[error("{}", tr!("{path} line {line}: '{text}' is none of draw, w-loses, b-loses, ongoing", path = path.display(), line, text))]
    UnknownVerdict { path: PathBuf, line: usize, text: String },
    #[error("{}", tr!("{path} line {line}: {source}", path = path.display(), line, source))]
    Game { path: PathBuf, line: usize, source: PositionSpecError },
    #[error("{}", tr!("cannot write the answer: {cause}", cause = reason(_0)))]
    Output(#[from] io::Error),
}

/// The columns of a case table.
struct CaseColumns {
    fen: usize,
    moves_before: usize,
    cycle: usize,
    verdicts: Vec<(RuleSet, usize)>,
}

/// Judges every case of the file under every rule set that it has a column for (or only under `only`); prints each
/// disagreement and the score.
fn run_cases(
    path: &Path,
    only: Option<RuleSet>,
    natural_limit: Option<usize>,
    out: &mut dyn Write,
) -> Result<(), CasesError> {
    let fail = |source| CasesError::Read { path: path.to_owned(), source };
    let text = decode(&read_input(path, MAX_INPUT_SIZE).map_err(fail)?);
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
                let message =
                    tr!("line {line}, {set}: expected {expected}, judged {verdict}", line, set, expected, verdict);
                writeln!(out, "{message}")?;
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
        None => RuleSet::ALL.into_iter().filter_map(|set| Some((set, position(set.name())?))).collect(),
    };
    if verdicts.is_empty() {
        find(RuleSet::default().name())?;
    }
    Ok(CaseColumns { fen: find("fen")?, moves_before: find("moves_before")?, cycle: find("cycle")?, verdicts })
}

/// Plays the cycle until its first position has occurred as often as the rule set requires.
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

/// Maps the verdict names that a table may use to those of `outcome`.
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
