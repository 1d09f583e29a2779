//! `chuhe tune` (feature `tune`): constants of the search tuned by games.

use super::spsa;
use clap::{Args, Subcommand};
use std::error::Error;
use std::io::Write;

/// Arguments of `chuhe tune`.
#[derive(Args)]
pub struct TuneArgs {
    #[command(subcommand)]
    step: Step,
}

#[derive(Subcommand)]
enum Step {
    /// Tune constants of the search by games, all at once
    Spsa(spsa::SpsaArgs),
    /// Play pairs of games for `spsa`
    #[command(hide = true)]
    SpsaWorker {
        /// Nodes per move
        #[arg(long)]
        nodes: u64,
    },
}

/// Runs a step.
pub fn run(args: &TuneArgs, out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    match &args.step {
        Step::Spsa(args) => spsa::run(args),
        Step::SpsaWorker { nodes } => spsa::run_worker(*nodes, out),
    }
}
