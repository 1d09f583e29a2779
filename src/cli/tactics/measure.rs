//! `chuhe tactics measure`: which share of tactics levels of the program solve, by difficulty.

use super::source;
use crate::cli::exercise_error::ExerciseError;
use crate::cli::values::number_in;
use chuhe_engine::search::Control;
use chuhe_study::tactics::{DifficultyMeter, Solver, Tactic};
use chuhe_support::interrupts::EXIT_INTERRUPTED;
use chuhe_support::language::tr;
use clap::Args;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

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

pub fn run(args: &MeasureArgs, out: &mut dyn Write) -> Result<ExitCode, ExerciseError> {
    let tactics = source::sample(source::read(args.file.as_deref())?, args.sample, args.seed);
    let control = Control::new(false);
    let worker = || -> Result<_, ExerciseError> {
        let (mut meter, control) = (DifficultyMeter::new()?, &control);
        Ok(move |tactic: &Tactic| {
            let (start, seeds) = (tactic.position()?, args.seed..args.seed + args.tries);
            let mut share =
                |&level: &u8| meter.share_solved(&start, &tactic.moves, Solver::level(level), seeds.clone(), control);
            args.levels.iter().map(&mut share).collect::<Option<Vec<f64>>>()
        })
    };
    let workers = (0..args.concurrency).map(|_| worker()).collect::<Result<Vec<_>, ExerciseError>>()?;
    let mut bands = BTreeMap::<u16, Band>::new();
    let is_interrupted = source::for_each(&tactics, workers, &control, |tactic, mut shares| {
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
