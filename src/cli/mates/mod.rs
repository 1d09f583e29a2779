//! `chuhe mates`: mate problems, mined from self-play games, and solved to measure how well the engine finds mates; and
//! checks of compositions.

mod check;
mod journal;
mod mine;
mod outputs;
pub mod problem;
mod solve;

use crate::cli::exercise_error::ExerciseError;
use clap::{Args, Subcommand};
use std::io::Write;
use std::process::ExitCode;

const EXAMPLES: &str = "\
Examples:
  chuhe mates check problems.pgn               are compositions sound? solution, duals, all defences
  chuhe mates mine run/*.games > mates.txt     find problems in games of 'chuhe learn play'
  chuhe mates solve mates.txt                  how many does 'go mate' find, and how many the plain search?

A problem is a line: moves to mate (<=N if a shorter mate is not ruled out); position; the only first move that mates
so soon, or nothing if there may be several. Lines that begin with # are passed over.";

/// Arguments of `chuhe mates`.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct MatesArgs {
    #[command(subcommand)]
    command: MatesCommand,
}

#[derive(Subcommand)]
enum MatesCommand {
    /// Check compositions: is the win proven, the first move the only one, the solution the shortest? With all defences
    Check(Box<check::CheckArgs>),
    /// Find problems of mate to measure engines with: each a proven shortest mate. Exercises for people: `tactics mine`
    Mine(mine::MineArgs),
    /// Solve a file of problems, each with an empty hash table, and count the solved ones
    Solve(solve::SolveArgs),
}

/// Checks, mines or solves problems; `sanitized` writes lines that may quote foreign text. The exit code says whether
/// compositions are sound.
pub fn run(args: &MatesArgs, out: &mut dyn Write, sanitized: &mut dyn Write) -> Result<ExitCode, ExerciseError> {
    match &args.command {
        MatesCommand::Check(args) => return check::run(args, out),
        MatesCommand::Mine(args) => mine::run(args, sanitized)?,
        MatesCommand::Solve(args) => solve::run(args, sanitized)?,
    }
    Ok(ExitCode::SUCCESS)
}
