//! `chuhe tune` (feature `tune`): tunes search constants by games (`chuhe tune spsa`), which copies of this program play
//! (`chuhe tune spsa-worker`).

use super::output::OverwriteArgs;
use chuhe_lab::spsa::{self, SpsaSettings, TunedParam};
use chuhe_support::files::{OverwritePolicy, write_atomic};
use clap::{Args, Subcommand};
use std::error::Error;
use std::io::Write;
use std::path::PathBuf;
use std::process::Command;

/// Arguments of `chuhe tune`.
#[derive(Args)]
pub struct TuneArgs {
    #[command(subcommand)]
    step: TuneCommand,
}

#[derive(Subcommand)]
enum TuneCommand {
    /// Tune constants of the search by games, all at once
    Spsa(SpsaArgs),
    /// Play pairs of games for `spsa`
    #[command(hide = true)]
    SpsaWorker {
        /// Nodes per move
        #[arg(long)]
        nodes: u64,
    },
}

/// Runs a subcommand.
pub fn run(args: &TuneArgs, out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    match &args.step {
        TuneCommand::Spsa(args) => run_spsa(args),
        TuneCommand::SpsaWorker { nodes } => run_worker(*nodes, out),
    }
}

/// Arguments of `chuhe tune spsa`.
#[derive(Args)]
pub struct SpsaArgs {
    /// Constants to tune, as name or name:step, where the step is a change that should just be felt
    #[arg(required = true)]
    constants: Vec<String>,
    /// Pairs of games
    #[arg(long, default_value_t = 5000)]
    pairs: usize,
    /// Nodes per move
    #[arg(long, default_value_t = 5000)]
    nodes: u64,
    /// Processes that play
    #[arg(long, default_value_t = 2)]
    workers: usize,
    /// How far a pair moves the constants at the end, in thousandths of a step
    #[arg(long, default_value_t = 6.0)]
    rate: f64,
    /// Where chance begins
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Where the constants as they are now are written, from time to time
    #[arg(long)]
    out: PathBuf,
    #[command(flatten)]
    over: OverwriteArgs,
}

fn run_spsa(args: &SpsaArgs) -> Result<(), Box<dyn Error>> {
    OverwritePolicy::Never.or_force(args.over.force).check(&args.out)?;
    let params = args.constants.iter().map(|text| TunedParam::parse(text)).collect::<Result<_, _>>()?;
    let SpsaArgs { pairs, workers, rate, seed, .. } = *args;
    let worker = || {
        let mut command = Command::new(std::env::current_exe()?);
        command.args(["tune", "spsa-worker", "--nodes", &args.nodes.to_string()]);
        Ok(command)
    };
    spsa::run(params, &SpsaSettings { pairs, workers, rate, seed }, &worker, &|state| {
        eprintln!("{} of {pairs} pairs, balance {}", state.done, state.balance);
        Ok(write_atomic(&args.out, state.constants().as_bytes())?)
    })
}

fn run_worker(nodes: u64, out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    for line in std::io::stdin().lines() {
        writeln!(out, "{}", spsa::play_line(&line?, nodes)?)?;
        out.flush()?;
    }
    Ok(())
}
