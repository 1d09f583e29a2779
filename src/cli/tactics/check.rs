//! `chuhe tactics check`: searches solutions for longer, and says which do not hold. `chuhe tactics measure`: which share of
//! tactics levels of the program solve, by difficulty.

use crate::cli::error::CliError;
use crate::cli::output::OverwriteArgs;
use crate::cli::values::number_in;
use chuhe_engine::search::Control;
use chuhe_study::reader::{choose_notation, move_name};
use chuhe_study::review::percent;
use chuhe_study::tactics::{DifficultyMeter, Fault, Solver, Tactic, TwoLines, find_fault};
use chuhe_support::batch::{self, Batch, Next};
use chuhe_support::files::{OverwritePolicy, json_line};
use chuhe_support::interrupts::EXIT_INTERRUPTED;
use chuhe_support::language::tr;
use chuhe_support::terminal::ProgressDisplay;
use clap::Args;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use xiangqi_record::Notation;

/// Memory of a search in megabytes.
const HASH_MB: usize = 32;
/// The exit code where a solution does not hold.
const EXIT_WRONG: u8 = 10;

/// Arguments of `chuhe tactics check`.
#[derive(Args)]
pub struct CheckArgs {
    /// The file that `tactics mine` or `tactics choose` has written [default: those of the program]
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    /// Nodes for each move of the solver
    #[arg(long, value_name = "N", default_value_t = 500_000, value_parser = number_in::<u64>(1000..))]
    nodes: u64,
    /// Only so many, drawn at random
    #[arg(long, value_name = "N")]
    sample: Option<usize>,
    /// The seed of the draw
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// How moves are written: ICCS, UCI, WXF, Chinese or Vietnamese [default: as the language has it]
    #[arg(long, value_name = "NOTATION")]
    notation: Option<Notation>,
    /// Tactics at a time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number_in::<u16>(1..=256))]
    concurrency: u16,
    /// Write those that hold to this file, a line of JSON each
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    over: OverwriteArgs,
}

pub fn run(args: &CheckArgs, out: &mut dyn Write) -> Result<ExitCode, CliError> {
    choose_notation(args.notation);
    let tactics = super::sample(super::read(args.file.as_deref())?, args.sample, args.seed);
    // What this command writes looks as what it reads: nothing is written over.
    let policy = OverwritePolicy::Never.or_force(args.over.force);
    if let Some(path) = &args.out {
        policy.check(path)?;
    }
    let control = Control::new(false);
    let worker = || -> Result<_, CliError> {
        let (mut lines, control) = (TwoLines::new(HASH_MB)?, &control);
        Ok(move |tactic: &Tactic| find_fault(tactic, &mut lines, args.nodes, control))
    };
    let workers = (0..args.concurrency).map(|_| worker()).collect::<Result<Vec<_>, CliError>>()?;
    let (mut count, mut wrong, mut kept) = (0, 0, String::new());
    let is_interrupted = for_each(&tactics, workers, &control, |tactic, fault| {
        count += 1;
        match fault {
            Some(fault) => {
                wrong += 1;
                writeln!(out, "{} {}: {}", tactic.fen, tactic.moves_text(), sentence(tactic, fault))?;
            }
            None => kept += &json_line(tactic),
        }
        Ok(())
    })?;
    writeln!(out, "{}", tr!("{count} tactics, {wrong} wrong", count, wrong))?;
    if let Some(path) = &args.out {
        policy.write(path, kept.as_bytes())?;
    }
    Ok(match (is_interrupted && count < tactics.len(), wrong) {
        (true, _) => ExitCode::from(EXIT_INTERRUPTED),
        (false, 0) => ExitCode::SUCCESS,
        (false, _) => ExitCode::from(EXIT_WRONG),
    })
}

fn sentence(tactic: &Tactic, fault: Fault) -> String {
    match fault {
        Fault::NotLegal => tr!("the moves are not legal"),
        Fault::Better { step, mv } => {
            let position = tactic.position_at(2 * (step - 1));
            let name = position.map(|at| move_name(&at, mv));
            tr!("move {step}: {better} is better", step, better = name.unwrap_or_else(|| mv.to_string()))
        }
        Fault::Second { step, margin } => {
            tr!("move {step}: another one is only {margin} worse", step, margin = percent(margin))
        }
    }
}

/// Tactics whose difficulties are in one such step are counted together.
const STEP: u16 = 200;

/// Arguments of `chuhe tactics measure`.
#[derive(Args)]
pub struct MeasureArgs {
    /// The file that `tactics mine` or `tactics choose` has written [default: those of the program]
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    /// The levels that try
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_value = "2,5,8,11,14", value_parser = number_in::<u8>(1..=20))]
    levels: Vec<u8>,
    /// How often each level tries
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = number_in::<u64>(1..=1000))]
    tries: u64,
    /// Only so many tactics, drawn at random
    #[arg(long, value_name = "N")]
    sample: Option<usize>,
    /// The seed of the draw and of the tries
    #[arg(long, value_name = "N", default_value_t = 1000)]
    seed: u64,
    /// Tactics at a time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number_in::<u16>(1..=256))]
    concurrency: u16,
}

/// The sums of a step: tactics, and for each level the shares and their squares.
#[derive(Default)]
struct Band {
    count: usize,
    sums: Vec<[f64; 2]>,
}

pub fn measure(args: &MeasureArgs, out: &mut dyn Write) -> Result<ExitCode, CliError> {
    let tactics = super::sample(super::read(args.file.as_deref())?, args.sample, args.seed);
    let control = Control::new(false);
    let worker = || -> Result<_, CliError> {
        let (mut meter, control) = (DifficultyMeter::new()?, &control);
        Ok(move |tactic: &Tactic| {
            let (start, seeds) = (tactic.position()?, args.seed..args.seed + args.tries);
            let mut share =
                |&level: &u8| meter.share_solved(&start, &tactic.moves, Solver::level(level), seeds.clone(), control);
            args.levels.iter().map(&mut share).collect::<Option<Vec<f64>>>()
        })
    };
    let workers = (0..args.concurrency).map(|_| worker()).collect::<Result<Vec<_>, CliError>>()?;
    let mut bands = BTreeMap::<u16, Band>::new();
    let is_interrupted = for_each(&tactics, workers, &control, |tactic, mut shares| {
        shares.push(shares.iter().sum::<f64>() / shares.len() as f64);
        let band = bands.entry(tactic.difficulty / STEP * STEP).or_default();
        band.count += 1;
        band.sums.resize(shares.len(), [0.0; 2]);
        for (sum, share) in band.sums.iter_mut().zip(&shares) {
            *sum = [sum[0] + share, sum[1] + share * share];
        }
        Ok(())
    })?;
    let levels: String = args.levels.iter().map(|level| format!("{:>9}", tr!("level {level}", level))).collect();
    writeln!(out, "{:>10}{:>9}{levels}{:>16}", tr!("difficulty"), tr!("tactics"), tr!("together"))?;
    for (low, band) in bands {
        let count = band.count as f64;
        write!(out, "{:>10}{:>9}", format!("{low}–{}", low + STEP - 1), band.count)?;
        for (index, [sum, squares]) in band.sums.iter().enumerate() {
            let mean = sum / count;
            if index < args.levels.len() {
                write!(out, "{:>7.0} %", 100.0 * mean)?;
                continue;
            }
            let error = ((squares / count - mean * mean).max(0.0) / count).sqrt();
            write!(out, "{:>8.1} % ± {:.1}", 100.0 * mean, 100.0 * error)?;
        }
        writeln!(out)?;
    }
    Ok(if is_interrupted { ExitCode::from(EXIT_INTERRUPTED) } else { ExitCode::SUCCESS })
}

/// Works on each tactic by as many workers as given, and hears of the answers in order. Returns whether it was
/// interrupted.
fn for_each<A: Send, W: FnMut(&Tactic) -> Option<A> + Send>(
    tactics: &[Tactic],
    workers: Vec<W>,
    control: &Control,
    mut hear: impl FnMut(&Tactic, A) -> Result<(), CliError>,
) -> Result<bool, CliError> {
    let work = |mut worker: W| move |index: usize| Ok(worker(&tactics[index]));
    let workers = workers.into_iter().map(work).collect();
    let progress = ProgressDisplay::new(tactics.len() as u64);
    let mut run = Each { tactics, next: 0, done: 0, is_over: false, progress, hear: &mut hear };
    batch::run(&mut run, "tactics", tactics.len().max(1), workers, control)
}

struct Each<'a, A> {
    tactics: &'a [Tactic],
    next: usize,
    done: usize,
    /// One was not answered: what comes behind it is not heard of.
    is_over: bool,
    progress: ProgressDisplay,
    hear: &'a mut dyn FnMut(&Tactic, A) -> Result<(), CliError>,
}

impl<A: Send> Batch for Each<'_, A> {
    type Item = usize;
    type Job = usize;
    type Answer = A;
    type Error = CliError;

    fn next(&mut self) -> Result<Next<usize, usize>, CliError> {
        self.next += 1;
        Ok(if self.next > self.tactics.len() { Next::End } else { Next::Job(self.next - 1, self.next - 1) })
    }

    fn answered(&mut self, _: &usize, _: &A) -> Result<(), CliError> {
        self.done += 1;
        Ok(())
    }

    fn write(&mut self, index: usize, answer: Option<A>) -> Result<(), CliError> {
        self.is_over |= answer.is_none();
        match answer.filter(|_| !self.is_over) {
            Some(answer) => (self.hear)(&self.tactics[index], answer),
            None => Ok(()),
        }
    }

    fn show_progress(&mut self) {
        let (done, total) = (self.done, self.tactics.len());
        self.progress.set(done as u64, &tr!("{done} of {total} tactics", done, total));
    }
}
