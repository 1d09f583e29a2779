//! `chuhe tactics check`: searches solutions for longer, and says which do not hold.

use super::source;
use crate::cli::exercise_error::ExerciseError;
use crate::cli::output::OverwriteArgs;
use crate::cli::values::{number_in, worded};
use chuhe_engine::search::Control;
use chuhe_study::reader::{choose_notation, move_name};
use chuhe_study::review::percent;
use chuhe_study::tactics::{Fault, Tactic, TwoLines, find_fault};
use chuhe_support::files::OverwritePolicy;
use chuhe_support::interrupts::EXIT_INTERRUPTED;
use chuhe_support::language::tr;
use clap::Args;
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
    #[arg(long, value_name = "NOTATION", value_parser = worded::<Notation>)]
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

pub fn run(args: &CheckArgs, out: &mut dyn Write) -> Result<ExitCode, ExerciseError> {
    choose_notation(args.notation);
    let tactics = source::sample(source::read(args.file.as_deref())?, args.sample, args.seed);
    // What this command writes looks as what it reads: nothing is written over.
    let policy = OverwritePolicy::Never.or_force(args.over.force);
    if let Some(path) = &args.out {
        policy.check(path)?;
    }
    let control = Control::new(false);
    let worker = || -> Result<_, ExerciseError> {
        let (mut lines, control) = (TwoLines::new(HASH_MB)?, &control);
        Ok(move |tactic: &Tactic| find_fault(tactic, &mut lines, args.nodes, control))
    };
    let workers = (0..args.concurrency).map(|_| worker()).collect::<Result<Vec<_>, ExerciseError>>()?;
    let (mut count, mut wrong, mut kept) = (0, 0, String::new());
    let is_interrupted = source::for_each(&tactics, workers, &control, |tactic, fault| {
        count += 1;
        match fault {
            Some(fault) => {
                wrong += 1;
                writeln!(out, "{} {}: {}", tactic.fen, tactic.moves_text(), sentence(tactic, fault))?;
            }
            None => kept += &(serde_json::to_string(tactic).unwrap_or_default() + "\n"),
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
