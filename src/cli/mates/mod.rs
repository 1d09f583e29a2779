//! `chuhe mates`: mate problems, mined from self-play games, and solved to measure how well the engine finds mates.

mod mine;
mod problem;
mod solve;

use crate::training::archive::GameArchiveError;
use chuhe_engine::language::{reason, tr};
use chuhe_engine::search::HashSizeError;
use clap::{Args, Subcommand};
use problem::ProblemError;
use std::io::{self, Write};
use thiserror::Error;

const EXAMPLES: &str = "\
Examples:
  chuhe mates mine run/*.games > mates.txt     find problems in games of 'chuhe learn play'
  chuhe mates solve mates.txt                  how many does 'go mate' find, and how many the plain search?

A problem is a line: moves to mate (<=N if a shorter mate is not ruled out); position; the only first move that mates
so soon, or nothing if there may be several. Lines that begin with # are passed over.";

/// What `chuhe mates` is told.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct MatesArgs {
    #[command(subcommand)]
    command: MatesCommand,
}

#[derive(Subcommand)]
enum MatesCommand {
    /// Find problems in files of games: the shortest mate is known of each
    Mine(mine::MineArgs),
    /// Solve a file of problems, each with a fresh mind, and count what was found
    Solve(solve::SolveArgs),
}

/// Mines or solves problems.
pub fn run(args: &MatesArgs, out: &mut dyn Write) -> Result<(), MatesError> {
    match &args.command {
        MatesCommand::Mine(args) => mine::run(args, out),
        MatesCommand::Solve(args) => solve::run(args, out),
    }
}

/// An error of `chuhe mates`.
#[derive(Debug, Error)]
pub enum MatesError {
    #[error(transparent)]
    Archive(#[from] GameArchiveError),
    #[error(transparent)]
    Problem(#[from] ProblemError),
    #[error(transparent)]
    Table(#[from] HashSizeError),
    #[error("{}", tr!("cannot write the answer: {cause}", cause = reason(_0)))]
    Output(#[from] io::Error),
}
