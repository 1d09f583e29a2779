//! `chuhe tactics`: finds tactics in games, lists, checks and prints them, and chooses those of the program.

mod check;
mod choose;
mod games;
mod journal;
mod list;
mod measure;
mod mine;
mod source;

use crate::cli::exercise_error::ExerciseError;
use clap::{Args, Subcommand};
use std::io::Write;
use std::process::ExitCode;

const EXAMPLES: &str = "\
Examples:
  chuhe tactics list                                 those of the program
  chuhe tactics mine club.pgn --out tactics.jsonl    find tactics in games; the same command goes on
  chuhe tactics list tactics.jsonl --sheet sheet.html
                                                     exercises to print, the answers at the end
  chuhe tactics check tactics.jsonl                  do the solutions hold when they are searched for longer?

The board opens such files: Train, Tactics. `docs/tactics.md` says what counts as a second solution.";

/// Arguments of `chuhe tactics`.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct TacticsArgs {
    #[command(subcommand)]
    command: TacticsCommand,
}

#[derive(Subcommand)]
enum TacticsCommand {
    /// Find exercises for people in games: positions with one best move at each step. Problems of mate alone: `mates mine`
    Mine(mine::MineArgs),
    /// Print tactics: those of the program, or of a file; as text, as JSON, or as a sheet
    List(list::ListArgs),
    /// Search solutions for longer: which do not hold? Exit code 10 if there is one
    Check(check::CheckArgs),
    /// Choose tactics of many: no twins, no theme more than a fifth; written in little room
    Choose(choose::ChooseArgs),
    /// Let levels of the program try: the share that they solve, by difficulty
    Measure(measure::MeasureArgs),
}

/// Runs a subcommand; the exit code says whether it was interrupted.
pub fn run(args: &TacticsArgs, out: &mut dyn Write) -> Result<ExitCode, ExerciseError> {
    match &args.command {
        TacticsCommand::Mine(args) => return mine::run(args, out),
        TacticsCommand::Check(args) => return check::run(args, out),
        TacticsCommand::Measure(args) => return measure::run(args, out),
        TacticsCommand::List(args) => list::run(args, out)?,
        TacticsCommand::Choose(args) => choose::run(args, out)?,
    }
    Ok(ExitCode::SUCCESS)
}
