//! `chuhe judge`: the verdict on a game after its last move or at an earlier end, and the reason.

mod page;
mod ruling;

use super::error::{CliError, cli_error};
use super::games::{self, GameSelection};
use super::output::{self, OverwriteArgs};
use super::position_args::{FaultPrinter, InputSpec, PositionArgs, cannot_read};
use super::values::worded;
use chuhe_study::reader::choose_notation;
use chuhe_support::files::{FileError, MAX_INPUT_SIZE, OverwritePolicy, read_input, shown};
use chuhe_support::language::{Message, print_error, sanitize, tr};
use chuhe_support::messages::{Localize, Localized};
use chuhe_support::text_width::pad_right;
use clap::Args;
pub use ruling::Ruling;
use serde_json::Value;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::str::FromStr;
use xiangqi::rules::ParseRuleSetError;
use xiangqi::{Color, Ending, Position, RuleSet, Rules, Verdict};
use xiangqi_record::{Game, Notation, PositionSpec, PositionSpecError, RecordFile, RecordFileError, decode};

const EXAMPLES: &str = "\
Examples:
  chuhe judge '4k4/9/9/c8/9/R8/9/9/9/3K5 b moves a6b6 a4b4 b6a6 b4a4 a6b6 a4b4 b6a6 b4a4' --explain
  chuhe judge --rules league FEN --moves 'm1 m2 …'
  chuhe judge --rules all game.pgn     what each rule set says of a game
  chuhe judge game.pgn                 a game, or all games of a file, in any format that convert reads
  chuhe judge round1/ round2/ last.xqf --json     all games of some folders and files
  chuhe judge round1/ --contradicting  those whose recorded result is not the one by the rules
  chuhe judge game.pgn --rules cxa --html protest.html     a picture of every move of the repetition
  chuhe judge --cases cases.tsv        score the judge against a table of cases

A table of cases is tab-separated and begins with a line of column names: fen, moves_before, cycle, and a
column of verdicts (draw, w-loses, b-loses, ongoing) for each rule set that it knows. Of each case the moves
before are played, and then the cycle until the position has stood as often as the rule set asks.

Exit codes with --exit-code: 0 the game goes on, 10 draw, 11 red loses, 12 black loses; of several games, that of the
last one. 1 and 2 say, as without it, that something could not be read.";

/// Arguments of `chuhe judge`.
#[derive(Args, Debug, Clone)]
#[command(after_help = EXAMPLES)]
pub struct JudgeArgs {
    #[command(flatten)]
    position: PositionArgs,
    /// The rules of repetition: asian, league, computer, cxa, tiantian, none, or all [default: asian; all that a table
    /// knows]
    #[arg(long, value_name = "SET", value_parser = worded::<RuleSetChoice>)]
    rules: Option<RuleSetChoice>,
    /// Plies without a capture that draw the game, 0 = never [default: 120; 100 by league rules]
    #[arg(long, value_name = "N")]
    natural_limit: Option<usize>,
    /// Also say what each move of the repetition checked and chased
    #[arg(long)]
    explain: bool,
    /// How moves and the pieces that are chased are written: ICCS, UCI, WXF, Chinese or Vietnamese [default: Chinese in
    /// Chinese, or else UCI]
    #[arg(long, value_name = "NOTATION", value_parser = worded::<Notation>)]
    notation: Option<Notation>,
    /// Report the verdict by the exit code
    #[arg(long, conflicts_with = "cases")]
    exit_code: bool,
    /// Write a page with a picture of every move of the repetition, and of what it threatens
    #[arg(long, value_name = "FILE", conflicts_with = "cases")]
    html: Option<PathBuf>,
    /// Write the page in Chinese and English
    #[arg(long, requires = "html")]
    bilingual: bool,
    #[command(flatten)]
    over: OverwriteArgs,
    /// Of several games show only those whose recorded result is not the one by the rules
    #[arg(long, conflicts_with = "cases")]
    contradicting: bool,
    /// Print one JSON object, for each game of a file on a line of its own
    #[arg(long, conflicts_with = "cases")]
    json: bool,
    /// Judge a table of cases instead, and say where it disagrees
    #[arg(long, value_name = "FILE", conflicts_with_all = ["words", "fen", "moves", "number", "ply", "explain"])]
    cases: Option<PathBuf>,
}

impl JudgeArgs {
    fn page_policy(&self) -> OverwritePolicy {
        OverwritePolicy::IfMarked(page::MARKER.as_bytes()).or_force(self.over.force)
    }
}

/// The rule sets whose verdict is asked for.
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

/// Judges a game, or a table of them. The exit code says whether a game of a file could not be read to its end.
pub fn judge_table(args: &JudgeArgs, out: &mut dyn Write) -> Result<ExitCode, CliError> {
    choose_notation(args.notation);
    if let Some(path) = &args.cases {
        let only = match args.rules {
            Some(RuleSetChoice::One(set)) => Some(set),
            Some(RuleSetChoice::All) | None => None,
        };
        run_cases(path, only, args.natural_limit, out)?;
        return Ok(ExitCode::SUCCESS);
    }
    if args.exit_code && matches!(args.rules, Some(RuleSetChoice::All)) {
        return Err(cli_error!("--exit-code: by which rules? --rules names one"));
    }
    output::check_files([(args.html.as_deref(), args.page_policy())])?;
    let mut session =
        JudgeSession { args, out, ending: None, sections: Vec::new(), is_incomplete: false, count: Count::default() };
    match args.position.paths() {
        Some(paths) => session.judge_paths(&paths)?,
        None => match args.position.input()? {
            InputSpec::File(file) => {
                let source = session.open(&file)?;
                session.judge_file(&file, &source, false)?;
            }
            InputSpec::Position(_) => session.judge(&args.position.position()?, None)?,
        },
    }
    session.finish()
}

/// Where a game comes from.
struct GameSource<'a> {
    file: &'a Path,
    number: usize,
    game: &'a Game,
    /// The prefix of its verdict, if it is one of several.
    heading: Option<String>,
}

/// Judging one game after the other.
struct JudgeSession<'a> {
    args: &'a JudgeArgs,
    out: &'a mut dyn Write,
    /// How the last game ended.
    ending: Option<Ending>,
    /// What is to be shown as a page.
    sections: Vec<page::Section>,
    /// Something could not be read.
    is_incomplete: bool,
    count: Count,
}

/// What became of several games.
#[derive(Default)]
struct Count {
    games: usize,
    /// A rule set decides.
    decided: usize,
    /// A rule set decides otherwise than the record says.
    contradicting: usize,
}

impl JudgeSession<'_> {
    fn judge_paths(&mut self, paths: &[PathBuf]) -> Result<(), CliError> {
        for file in games::expand(paths, &[])? {
            match self.open(&file) {
                Ok(source) => self.judge_file(&file, &source, true)?,
                // One file that holds no games does not keep the others from being judged.
                Err(fault) => {
                    print_error(|| fault.to_string());
                    self.is_incomplete = true;
                }
            }
        }
        Ok(())
    }

    fn selection(&self) -> GameSelection {
        self.args.position.selection().unwrap_or(GameSelection::All)
    }

    /// Opens a file that has the games which are asked for.
    fn open(&self, file: &Path) -> Result<RecordFile, CliError> {
        let source = self.args.position.open(file)?;
        drop(self.selection().games_of(&source, file)?);
        Ok(source)
    }

    /// Judges the games of a file, each with its number before it where there are several.
    fn judge_file(&mut self, file: &Path, source: &RecordFile, is_among_files: bool) -> Result<(), CliError> {
        let mut faults = FaultPrinter::of(file);
        let selection = self.selection();
        let mut games = selection.games_of(source, file)?.peekable();
        let is_one = |number| matches!(selection, GameSelection::One(_)) || number == 1;
        while let Some((number, reading)) = games.next() {
            let several = is_among_files || !is_one(number) || games.peek().is_some();
            match reading {
                Ok(reading) => {
                    reading.errors.iter().for_each(|fault| faults.print(fault));
                    let heading = several.then(|| heading(is_among_files.then_some(file), number, &reading.game));
                    let position = self.args.position.position_in_game(&reading.game)?;
                    self.judge(&position, Some(&GameSource { file, number, game: &reading.game, heading }))?;
                }
                Err(fault) if !several => {
                    return Err(FileError {
                        path: file.to_path_buf(),
                        source: Localized(RecordFileError::from(fault)),
                    }
                    .into());
                }
                Err(fault) => faults.print(&fault),
            }
        }
        self.is_incomplete |= faults.has_printed();
        Ok(())
    }

    fn judge(&mut self, position: &Position, source: Option<&GameSource>) -> Result<(), CliError> {
        let sets = match self.args.rules.unwrap_or(RuleSetChoice::One(RuleSet::default())) {
            RuleSetChoice::One(set) => vec![set],
            RuleSetChoice::All => RuleSet::OFFERED.to_vec(),
        };
        let rulings: Vec<Ruling> = sets
            .iter()
            .map(|&set| {
                let rules = Rules::with_limit(set, self.args.natural_limit);
                let mut ruling = Ruling::of(rules, position, self.args.notation);
                ruling.is_counted = set != RuleSet::None || sets.len() == 1;
                ruling
            })
            .collect();
        self.ending = rulings.last().and_then(|ruling| ruling.verdict.ending);
        let contradicts = source.is_some_and(|source| rulings.iter().any(|ruling| ruling.contradicts(source.game)));
        self.count.games += 1;
        let decides = |ruling: &Ruling| ruling.is_counted && ruling.verdict.ending.is_some();
        self.count.decided += usize::from(rulings.iter().any(decides));
        self.count.contradicting += usize::from(contradicts);
        if self.args.contradicting && !contradicts {
            return Ok(());
        }
        if self.args.html.is_some() {
            let section = if self.args.bilingual { page::Section::bilingual } else { page::Section::of };
            self.sections.extend(page::Section::joined(rulings.iter().map(|ruling| section(ruling, source)).collect()));
        }
        let recorded = source.map(|source| source.game);
        if self.args.json {
            let mut all: Vec<Value> = rulings.iter().map(|ruling| ruling.json(recorded)).collect();
            if let Some(source) = source {
                for object in &mut all {
                    object["file"] = shown(source.file).into();
                    object["game"] = source.number.into();
                }
            }
            let value = if rulings.len() == 1 { all.swap_remove(0) } else { Value::from(all) };
            writeln!(self.out, "{value}")?;
            return Ok(());
        }
        let several_sets = rulings.len() > 1;
        if let Some(heading) = source.and_then(|source| source.heading.as_ref()) {
            // What all rule sets say begins on a line of its own.
            // The full-width colon needs no blank behind it.
            let gap = if several_sets {
                "\n"
            } else if heading.ends_with('：') {
                ""
            } else {
                " "
            };
            write!(self.out, "{heading}{gap}")?;
        }
        for ruling in &rulings {
            if several_sets {
                write!(self.out, "{:<8}  ", ruling.rules.set.name())?;
            }
            writeln!(self.out, "{}", ruling.text(recorded))?;
            if let Some(remark) = recorded.and_then(|game| ruling.contradiction(game)) {
                writeln!(self.out, "  {remark}")?;
            }
            if self.args.explain {
                ruling.explanation().iter().try_for_each(|line| writeln!(self.out, "  {line}"))?;
            }
        }
        Ok(())
    }

    /// Writes the page and the count of several games, and returns the exit code.
    fn finish(self) -> Result<ExitCode, CliError> {
        if !self.args.json && (self.count.games > 1 || self.args.contradicting) {
            let Count { games, decided, contradicting } = self.count;
            let told = tr!(
                "games: {games}; decided by the rules: {decided}; against the recorded result: {contradicting}",
                games,
                decided,
                contradicting
            );
            writeln!(self.out, "{told}")?;
        }
        if let Some(path) = &self.args.html {
            let bytes = page::write(&self.sections, self.args.bilingual);
            let written = output::write_file(path, self.args.page_policy(), bytes.as_bytes(), self.out)?;
            if !self.args.json {
                self.out.write_all(written.as_bytes())?;
            }
        }
        let code = match self.ending {
            _ if self.is_incomplete => 1,
            Some(Ending::Draw) if self.args.exit_code => 10,
            Some(Ending::Loss(Color::Red)) if self.args.exit_code => 11,
            Some(Ending::Loss(Color::Black)) if self.args.exit_code => 12,
            _ => 0,
        };
        Ok(ExitCode::from(code))
    }
}

/// The prefix of the verdict of one of several games: file, number, who played, and the recorded result.
fn heading(file: Option<&Path>, number: usize, game: &Game) -> String {
    let name = |tag: &str| game.tag(tag).map(str::trim).filter(|name| !name.is_empty() && *name != "?");
    let players = match (name("Red"), name("Black")) {
        (None, None) => String::new(),
        (red, black) => {
            let [red, black] = [red, black].map(|name| sanitize(name.unwrap_or("?")).into_owned());
            tr!("({red} – {black}, {result})", red, black, result = game.result)
        }
    };
    let game = tr!("game {number}", number);
    let file = file.map(|file| tr!("{file},", file = shown(file)));
    let words: Vec<String> = file.into_iter().chain([game, players]).filter(|word| !word.is_empty()).collect();
    tr!("{heading}:", heading = words.join(" ").replace(" （", "（").replace("， ", "，"))
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
