//! `chuhe mates check`: checks compositions, one after the other or several at a time.

use super::journal::{self, CheckConditions, JournalLine};
use super::outputs::{self, OutputArgs};
use crate::cli::exercise_error::ExerciseError;
use crate::cli::game_selection::{GameSelection, is_in_shard};
use crate::cli::journal::Journal;
use crate::cli::output::{self, print_tablebase_warnings};
use crate::cli::position_args::{self, FaultPrinter, InputError, InputSpec};
use crate::cli::values::{number_in, parse_seconds, worded};
use chuhe_engine::search::{Control, Options, Searcher};
use chuhe_engine::tablebase::Tablebase;
use chuhe_lab::arena::parse::parse_shard;
use chuhe_lab::arena::spec::Shard;
use chuhe_study::composition::{
    self, CheckBudget, CheckReport, CheckSettings, Composition, NodeBudget, Soundness, TimeBudget, check,
};
use chuhe_study::review::default_notation;
use chuhe_support::batch::{self, Batch, Next};
use chuhe_support::interrupts::EXIT_INTERRUPTED;
use chuhe_support::language::tr;
use chuhe_support::terminal::ProgressDisplay;
use clap::Args;
use std::collections::{BTreeMap, VecDeque};
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;
use xiangqi::{RuleSet, Rules};
use xiangqi_record::Notation;

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

    fn budget(&self) -> Box<dyn CheckBudget> {
        match self.nodes {
            Some(nodes) => Box::new(NodeBudget(nodes)),
            None => Box::new(TimeBudget::new(self.seconds())),
        }
    }
}

/// Checks all problems, and writes what is asked for.
pub fn run(args: &CheckArgs, out: &mut dyn Write) -> Result<ExitCode, ExerciseError> {
    output::check_single_stdout([args.outputs.html.as_deref(), args.outputs.pgn.as_deref()])?;
    let (problems, is_whole) = read_problems(args)?;
    args.outputs.check_paths(problems.len())?;
    let places: Vec<usize> = (0..problems.len()).filter(|place| is_in_shard(args.shard, place + 1)).collect();
    let control = Arc::new(Control::new(false));
    let mut session = CheckSession {
        args,
        progress: ProgressDisplay::new(places.len() as u64),
        count: places.len(),
        waiting: places.into(),
        reports: BTreeMap::new(),
        done: 0,
        printed: 0,
        is_over: false,
        journal: None,
        control: &control,
        out,
        output_error: None,
    };
    if let Some(path) = &args.out {
        let (journal, kept) = journal::open(path, args.outputs.over.force, &problems, &args.conditions())?;
        session.journal = Some(journal);
        session.reports = kept.into_iter().map(|report| (report.number - 1, report)).collect();
        session.done = session.reports.len();
        session.progress.set_already_done(session.done as u64);
    }
    session.check_all(&problems)?;
    let interrupted = session.reports.len() < session.count || session.reports.values().any(|it| !it.finished);
    let CheckSession { reports, progress, output_error, out, .. } = session;
    drop(progress);
    let reports: Vec<CheckReport> = reports.into_values().collect();
    let notation = args.notation.unwrap_or_else(default_notation);
    let written = args.outputs.write(&reports, notation, out)?;
    if !args.json && !args.outputs.uses_stdout() {
        outputs::print_names(&written, out)?;
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
fn read_problems(args: &CheckArgs) -> Result<(Vec<Composition>, bool), ExerciseError> {
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
        let games = args.number.games(&source).map_err(|error| InputError::of_file(&file, error))?;
        for game in games.filter_map(|(_, reading)| faults.game(reading)) {
            if problems.len() == MAX_PROBLEMS {
                return Err(ExerciseError::TooMany(MAX_PROBLEMS));
            }
            problems.push(Composition::of_game(&game));
        }
        is_whole &= !faults.has_printed();
    }
    Ok((problems, is_whole))
}

/// The checks of all problems.
struct CheckSession<'a> {
    args: &'a CheckArgs,
    /// How many problems are checked here.
    count: usize,
    /// Those that have not been begun, counted from 0.
    waiting: VecDeque<usize>,
    /// By the place of the problem, from 0.
    reports: BTreeMap<usize, CheckReport>,
    done: usize,
    printed: usize,
    /// A problem has no report: nothing is printed behind it.
    is_over: bool,
    journal: Option<Journal>,
    progress: ProgressDisplay,
    control: &'a Arc<Control>,
    out: &'a mut dyn Write,
    /// The error after which nothing is printed, such as a closed pipe. Files are still completed.
    output_error: Option<io::Error>,
}

impl CheckSession<'_> {
    /// Checks what is not checked yet, on as many threads as asked for. Ctrl-C ends it.
    fn check_all(&mut self, problems: &[Composition]) -> Result<(), ExerciseError> {
        let tables = Arc::new(Tablebase::open(&self.args.tables));
        let (args, control) = (self.args, self.control);
        let checker = || -> Result<_, ExerciseError> {
            let options = Options { rules: args.rules(), overhead: Duration::ZERO, ..Options::default() };
            let [hash, _] = CheckSettings::memory_shares(args.hash as usize);
            let mut searcher = Searcher::new(options, hash)?;
            searcher.tablebase = Some(Arc::clone(&tables));
            Ok(move |index: usize| {
                if control.stopped() {
                    return Ok(None);
                }
                let mut report = check(&problems[index], &mut searcher, &args.settings(), &*args.budget(), control);
                report.number = index + 1;
                Ok(Some(report))
            })
        };
        // All memory is there before the first check begins.
        let threads = usize::from(args.concurrency).min(self.count - self.done);
        let checkers = (0..threads).map(|_| checker()).collect::<Result<_, _>>()?;
        batch::run(self, "check", self.count, checkers, control)?;
        print_tablebase_warnings(&tables);
        Ok(())
    }

    /// A report as a line of JSON.
    fn line(&self, report: &CheckReport) -> String {
        JournalLine { report: report.clone(), conditions: self.args.conditions() }.to_line()
    }
}

impl Batch for CheckSession<'_> {
    type Item = usize;
    type Job = usize;
    type Answer = CheckReport;
    type Error = ExerciseError;

    fn next(&mut self) -> Result<Next<usize, usize>, ExerciseError> {
        let index = self.waiting.pop_front();
        Ok(index.map_or(Next::End, |index| match self.reports.contains_key(&index) {
            true => Next::Settled(index),
            false => Next::Job(index, index),
        }))
    }

    /// One that was interrupted is checked again the next time.
    fn answered(&mut self, _: &usize, report: &CheckReport) -> Result<(), ExerciseError> {
        let line = self.journal.as_ref().filter(|_| report.finished).map(|_| self.line(report));
        if let Some((journal, line)) = self.journal.as_mut().zip(line) {
            journal.append(&line)?;
        }
        self.done += 1;
        Ok(())
    }

    fn write(
        &mut self,
        index: usize,
        report: Option<CheckReport>,
        _: Option<(&usize, Option<&CheckReport>)>,
    ) -> Result<(), ExerciseError> {
        self.reports.extend(report.map(|report| (index, report)));
        let report = self.reports.get(&index);
        self.is_over |= report.is_none();
        let Some(report) = report.filter(|_| !self.is_over && self.output_error.is_none()) else { return Ok(()) };
        if self.args.outputs.uses_stdout() {
            return Ok(());
        }
        let text = if self.args.json {
            self.line(report)
        } else {
            let gap = if self.printed > 0 { "\n" } else { "" };
            let notation = self.args.notation.unwrap_or_else(default_notation);
            format!("{gap}{}", composition::text(report, notation, !self.args.brief))
        };
        self.printed += 1;
        let out = &mut self.out;
        let written = self.progress.suspend(|| out.write_all(text.as_bytes()).and_then(|()| out.flush()));
        self.output_error = written.err();
        if self.output_error.is_some() && !self.args.writes_files() {
            self.control.stop();
        }
        Ok(())
    }

    fn show_progress(&mut self) {
        let (done, total) = (self.done, self.count);
        self.progress.set(done as u64, &tr!("{done} of {total} problems", done, total));
    }
}
