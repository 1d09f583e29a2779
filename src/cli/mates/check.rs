//! `chuhe mates check`: checks compositions, one after the other or several at a time. It writes a report a line into a
//! journal, a page, and games with the defences as variations.

use crate::cli::error::{CliError, cli_error};
use crate::cli::games::{GameSelection, is_in_shard};
use crate::cli::journal::{Journal, LineFault, Start, conditions_of};
use crate::cli::output::{self, OverwriteArgs, print_tablebase_warnings};
use crate::cli::position_args::{self, FaultPrinter, InputSpec};
use crate::cli::values::{number_in, parse_seconds, worded};
use chuhe_engine::search::{Control, Options, Searcher};
use chuhe_engine::tablebase::Tablebase;
use chuhe_lab::arena::parse::parse_shard;
use chuhe_lab::arena::spec::Shard;
use chuhe_study::batch::{Batch, Next, Step};
use chuhe_study::composition::{self, CheckBudget, CheckReport, CheckSettings, Composition, Soundness, check};
use chuhe_study::review::default_notation;
use chuhe_support::files::{At, OutputError, OverwritePolicy, is_stdio, json_line, make_folder};
use chuhe_support::interrupts::EXIT_INTERRUPTED;
use chuhe_support::language::{phrase, print_error, tr};
use chuhe_support::messages::Localize;
use chuhe_support::terminal::ProgressDisplay;
use clap::Args;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;
use xiangqi::{RuleSet, Rules};
use xiangqi_record::{Encoding, Game, Notation, OutputFormat};

const EXAMPLES: &str = "\
Examples:
  chuhe mates check problems.pgn                      each for a minute: sound, cooked, refuted, and all defences
  chuhe mates check 'FEN' --time 600                  one position, ten minutes
  chuhe mates check old.xqf new.xqf --html page.html --pgn solved.pgn
  chuhe mates check collection.fen --out checked.jsonl --brief --concurrency 4
                                                      continues where it was interrupted

The side to move is the attacker. The main line of a record is the stated solution, its result the claim. What is not
proven in the time is reported. `docs/mates.md` explains the words. Ctrl-C ends the check and keeps what is done.

Exit codes: 0 all are sound, 10 at least one is not (cooked, shorter, refuted), 11 none of these, but something was not
settled; 1 and 2 say that something could not be read, 130 Ctrl-C.";

/// Seconds for each problem where no limit is given.
const DEFAULT_SECONDS: u64 = 60;
/// More in one list would take more memory than the check of one.
const MAX_PROBLEMS: usize = 20_000;
const EXIT_FLAWED: u8 = 10;
const EXIT_UNSETTLED: u8 = 11;

/// Arguments of `chuhe mates check`.
#[derive(Args, Debug, Clone)]
#[command(after_help = EXAMPLES)]
pub struct CheckArgs {
    /// Files of problems in any format of games, lines of FENs among them, `-` for standard input; or a FEN
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
    /// Only these problems of each file: 1 is the first, -1 the last, 3..8 are six
    #[arg(long = "game", value_name = "N|N..M|all", default_value = "all", hide_default_value = true)]
    number: GameSelection,
    /// Only part K of N of the problems: for N machines that share files
    #[arg(long, value_name = "K/N", value_parser = parse_shard)]
    shard: Option<Shard>,
    /// Seconds for each problem [default: 60]
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, group = "measure")]
    time: Option<Duration>,
    /// Nodes for each problem, instead of a time
    #[arg(long, value_name = "N", value_parser = number_in::<u64>(1..), group = "measure")]
    nodes: Option<u64>,
    /// No mates in more moves
    #[arg(long, value_name = "MOVES", default_value_t = 60, value_parser = number_in::<u32>(1..=100))]
    longest: u32,
    /// At most N moves are written of solution and defences
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = number_in::<u32>(1..=100_000))]
    tree: u32,
    /// How many problems are checked at a time, each on one thread
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number_in::<u16>(1..=256))]
    concurrency: u16,
    /// Memory for each of them in megabytes
    #[arg(long, value_name = "MB", default_value_t = CheckSettings::USUAL_MEGABYTES as u32, value_parser = number_in::<u32>(4..=65_536))]
    hash: u32,
    /// A folder of endgame tables, beside those in the program; may be given more than once
    #[arg(long, value_name = "FOLDER")]
    tables: Vec<PathBuf>,
    /// The rules of repetition: asian, league, computer, cxa, tiantian or none
    #[arg(long, value_name = "SET", default_value_t, value_parser = worded::<RuleSet>)]
    rules: RuleSet,
    /// Plies without a capture that draw the game, 0 = never [default: 120; 100 by league rules]
    #[arg(long, value_name = "N")]
    natural_limit: Option<usize>,
    /// How moves are written: ICCS, UCI, WXF, Chinese or Vietnamese [default: as the language has it]
    #[arg(long, value_name = "NOTATION", value_parser = worded::<Notation>)]
    notation: Option<Notation>,
    /// Only what was found, without the moves
    #[arg(long)]
    brief: bool,
    /// Print a JSON object for each problem
    #[arg(long)]
    json: bool,
    /// Append the results to this file, and continue after its end
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    outputs: OutputArgs,
}

impl CheckArgs {
    fn rules(&self) -> Rules {
        Rules::with_limit(self.rules, self.natural_limit)
    }

    fn settings(&self) -> CheckSettings {
        let [_, megabytes] = CheckSettings::memory_shares(self.hash as usize);
        CheckSettings { longest: self.longest, tree_moves: self.tree as usize, megabytes }
    }

    fn conditions(&self) -> CheckConditions {
        let Rules { set, natural_limit, .. } = self.rules();
        let seconds = self.nodes.is_none().then(|| self.seconds().as_secs_f64());
        let (longest, tree, hash) = (self.longest, self.tree, self.hash);
        CheckConditions {
            nodes: self.nodes,
            seconds,
            longest,
            tree,
            hash,
            rules: set.name().to_string(),
            natural_limit,
        }
    }

    fn writes_files(&self) -> bool {
        self.out.is_some() || self.outputs.any()
    }

    fn seconds(&self) -> Duration {
        self.time.unwrap_or(Duration::from_secs(DEFAULT_SECONDS))
    }

    fn budget(&self) -> CheckBudget {
        CheckBudget::new(self.nodes, self.seconds())
    }
}

/// Checks all problems, and writes what is asked for.
pub fn run(args: &CheckArgs, out: &mut dyn Write) -> Result<ExitCode, CliError> {
    output::check_single_stdout([args.outputs.html.as_deref(), args.outputs.pgn.as_deref()])?;
    let (problems, is_whole) = read_problems(args)?;
    args.outputs.check_paths(problems.len())?;
    let places: Vec<usize> = (0..problems.len()).filter(|place| is_in_shard(args.shard, place + 1)).collect();
    let total = places.len();
    let progress = ProgressDisplay::new(total as u64);
    // By the place of the problem, from 0.
    let (mut journal, mut reports) = (None, BTreeMap::new());
    if let Some(path) = &args.out {
        let (there, kept) = open_journal(path, args.outputs.over.start(), &problems, &args.conditions())?;
        reports.extend(kept.into_iter().map(|report| (report.number - 1, report)));
        progress.set_already_done(reports.len() as u64);
        journal = Some(there);
    }
    let tables = Arc::new(Tablebase::open(&args.tables));
    let control = Arc::new(Control::new(false));
    let checker = || -> Result<_, CliError> {
        let options = Options { rules: args.rules(), overhead: Duration::ZERO, ..Options::default() };
        let [hash, _] = CheckSettings::memory_shares(args.hash as usize);
        let (mut searcher, problems, control) = (Searcher::new(options, hash)?, &problems, &control);
        searcher.tablebase = Some(Arc::clone(&tables));
        Ok(move |index: usize| -> Result<_, CliError> {
            if control.stopped() {
                return Ok(None);
            }
            let mut report =
                check(&problems[index], &mut searcher, &args.settings(), args.budget(), control, &mut |_| ());
            report.number = index + 1;
            Ok(Some(report))
        })
    };
    // All memory is there before the first check begins.
    let threads = usize::from(args.concurrency).min(total - reports.len());
    let checkers = (0..threads).map(|_| checker()).collect::<Result<_, CliError>>()?;
    let line = |report: &CheckReport| json_line(&JournalLine { report: report.clone(), conditions: args.conditions() });
    let notation = args.notation.unwrap_or_else(default_notation);
    let mut waiting = places.into_iter();
    let (mut done, mut printed, mut is_over) = (reports.len(), 0, false);
    // The error after which nothing is printed, such as a closed pipe. Files are still completed.
    let mut output_error: Option<io::Error> = None;
    let batch = Batch { name: "check", window: total.max(1), is_in_order: true, control: &control };
    batch.run(checkers, |step| -> Result<_, CliError> {
        match step {
            Step::Next(next) => {
                *next = waiting.next().map_or(Next::End, |index| match reports.contains_key(&index) {
                    true => Next::Settled(index),
                    false => Next::Job(index, index),
                });
            }
            // One that was interrupted is checked again the next time.
            Step::Answered(_, report) => {
                if let Some(journal) = journal.as_mut().filter(|_| report.finished) {
                    journal.append(&line(report))?;
                }
                done += 1;
            }
            Step::Write(index, report) => {
                reports.extend(report.map(|report| (index, report)));
                let report = reports.get(&index);
                // Nothing is printed behind a problem that has no report.
                is_over |= report.is_none();
                let is_silent = is_over || output_error.is_some() || args.outputs.uses_stdout();
                let Some(report) = report.filter(|_| !is_silent) else { return Ok(()) };
                let text = if args.json {
                    line(report)
                } else {
                    let gap = if printed > 0 { "\n" } else { "" };
                    format!("{gap}{}", composition::text(report, notation, !args.brief))
                };
                printed += 1;
                output_error = progress.suspend(|| out.write_all(text.as_bytes()).and_then(|()| out.flush())).err();
                if output_error.is_some() && !args.writes_files() {
                    control.stop();
                }
            }
            Step::Progress => progress.set(done as u64, &tr!("{done} of {total} problems", done, total)),
        }
        Ok(())
    })?;
    print_tablebase_warnings(&tables);
    let interrupted = reports.len() < total || reports.values().any(|report| !report.finished);
    drop(progress);
    let reports: Vec<CheckReport> = reports.into_values().collect();
    let written = args.outputs.write(&reports, notation, out)?;
    if !args.json && !args.outputs.uses_stdout() {
        out.write_all(written.as_bytes())?;
    }
    if let Some(error) = output_error {
        return Err(error.into());
    }
    let any = |test: fn(&CheckReport) -> bool| reports.iter().any(test);
    let code = if interrupted {
        EXIT_INTERRUPTED
    } else if !is_whole {
        1
    } else if any(|report| report.soundness.is_flawed()) {
        EXIT_FLAWED
    } else if any(|report| report.soundness == Soundness::Unsettled) {
        EXIT_UNSETTLED
    } else {
        0
    };
    Ok(ExitCode::from(code))
}

/// The problems of all files, and whether all of them could be read.
fn read_problems(args: &CheckArgs) -> Result<(Vec<Composition>, bool), CliError> {
    let (mut problems, mut is_whole) = (Vec::new(), true);
    for text in &args.files {
        let file = match position_args::parse_input(text)? {
            InputSpec::File(file) => file,
            spec @ InputSpec::Position(_) => {
                problems.push(Composition::of_game(&spec.game(None)?.game));
                continue;
            }
        };
        let mut faults = FaultPrinter::of(&file);
        let source = position_args::open(&file)?;
        for game in args.number.games_of(&source, &file)?.filter_map(|(_, reading)| faults.game(reading)) {
            if problems.len() == MAX_PROBLEMS {
                return Err(cli_error!(
                    "more than {count} problems are too many for one check: --game N..M takes a part",
                    count = MAX_PROBLEMS
                ));
            }
            problems.push(Composition::of_game(&game));
        }
        is_whole &= !faults.has_printed();
    }
    Ok((problems, is_whole))
}

/// The first bytes of every line.
const LINE_PREFIX: &[u8] = b"{\"number\":";

/// What a report depends on besides the problem.
#[derive(Serialize, Deserialize)]
struct CheckConditions {
    nodes: Option<u64>,
    seconds: Option<f64>,
    longest: u32,
    tree: u32,
    hash: u32,
    rules: String,
    natural_limit: usize,
}

/// A line: a report and its conditions.
#[derive(Serialize, Deserialize)]
struct JournalLine {
    #[serde(flatten)]
    report: CheckReport,
    conditions: CheckConditions,
}

/// Opens or creates the journal of these problems, and returns the reports that it holds.
fn open_journal(
    path: &Path,
    start: Start,
    problems: &[Composition],
    conditions: &CheckConditions,
) -> Result<(Journal, Vec<CheckReport>), CliError> {
    let (mut reports, conditions) = (Vec::new(), conditions_of(conditions));
    let journal = Journal::open(path, (LINE_PREFIX, phrase!("reports of checks")), start, |_, line| {
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

/// The arguments that name the files.
#[derive(Args, Debug, Clone)]
pub struct OutputArgs {
    /// Write a page with a board, in Chinese and English
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Write the solutions with all defences as variations
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// The same as XQF files in this folder, one for each problem
    #[arg(long, value_name = "FOLDER")]
    xqf: Option<PathBuf>,
    /// How the characters of the PGN file are written: utf-8 or gbk
    #[arg(long, default_value = "utf-8", value_parser = worded::<Encoding>)]
    encoding: Encoding,
    #[command(flatten)]
    over: OverwriteArgs,
}

impl OutputArgs {
    fn any(&self) -> bool {
        [&self.html, &self.pgn, &self.xqf].into_iter().any(Option::is_some)
    }

    /// Whether one of them is standard output.
    fn uses_stdout(&self) -> bool {
        [&self.html, &self.pgn].into_iter().flatten().any(|path| is_stdio(path))
    }

    /// Fails before the checks if a file cannot be written.
    fn check_paths(&self, problems: usize) -> Result<(), OutputError> {
        let files = [(&self.html, self.page_policy()), (&self.pgn, self.game_policy())];
        output::check_files(files.map(|(path, policy)| (path.as_deref(), policy)))?;
        if let Some(folder) = self.xqf.as_deref().filter(|folder| folder.exists()) {
            (1..=problems).try_for_each(|number| self.game_policy().check(&xqf_path(folder, number)))?;
        }
        Ok(())
    }

    fn page_policy(&self) -> OverwritePolicy {
        OverwritePolicy::IfMarked(composition::PAGE_MARK.as_bytes()).or_force(self.over.force)
    }

    /// A file of games may hold games of others.
    fn game_policy(&self) -> OverwritePolicy {
        OverwritePolicy::Never.or_force(self.over.force)
    }

    /// Writes the files that were asked for, and returns lines with their names.
    fn write(&self, reports: &[CheckReport], notation: Notation, out: &mut dyn Write) -> Result<String, CliError> {
        let mut written = String::new();
        if let Some(path) = &self.html {
            let page = composition::page(reports);
            written += &output::write_file(path, self.page_policy(), page.as_bytes(), out)?;
        }
        let game_of = |report: &CheckReport| Some((report.number, composition::annotated_game(report, notation)?));
        let games: Vec<(usize, Game)> = reports.iter().filter_map(game_of).collect();
        if let Some(path) = &self.pgn {
            let mut bytes = Vec::new();
            for (_, game) in &games {
                bytes.extend(OutputFormat::Pgn.write(game, notation, self.encoding)?);
            }
            written += &output::write_file(path, self.game_policy(), &bytes, out)?;
        }
        if let Some(folder) = &self.xqf {
            make_folder(folder).at(folder)?;
            for (number, game) in &games {
                let path = xqf_path(folder, *number);
                match OutputFormat::Xqf.write(game, notation, self.encoding) {
                    Ok(bytes) => written += &output::write_file(&path, self.game_policy(), &bytes, out)?,
                    // The board of XQF has no room for more pieces than a game begins with.
                    Err(error) => print_error(|| format!("{}: {}", path.display(), error.localized())),
                }
            }
        }
        Ok(written)
    }
}

/// The XQF file of a problem.
fn xqf_path(folder: &Path, number: usize) -> PathBuf {
    folder.join(format!("problem-{number:03}.xqf"))
}
