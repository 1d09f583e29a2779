//! `chuhe tables`: building, listing, asking and proving endgame tables.

mod build;
mod error;
mod folders;
mod inspect;
mod materials;
mod practice;
mod probe;

use clap::{Args, Subcommand};
use error::TablesError;
use std::io::Write;
use std::process::ExitCode;

const EXAMPLES: &str = "\
Examples:
  chuhe tables build KNPKAABB                  make this table, and those that it needs, in the folder tables
  chuhe tables build --set core --set duel --out /data/tables
  chuhe tables build --set study --estimate    how large, how long?
  chuhe tables list
  chuhe tables probe '3ak4/4a4/4b4/9/9/9/9/9/4R4/4K4 w'
  chuhe tables longest KNPKAABB
  chuhe tables practice KCAKAA --count 20      random won positions, to be played out
  chuhe tables verify --sample 100

The option egtbpaths (UCI: TablesPath) tells the engine where the tables are.";

/// What `chuhe tables` is told.
#[derive(Args, Debug, Clone)]
#[command(after_help = EXAMPLES)]
pub struct TablesArgs {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug, Clone)]
enum Command {
    /// Make tables by name or by set, smaller ones that they need first; those that are there are kept
    Build(build::BuildArgs),
    /// List the tables of a folder and check their headers
    List(inspect::ListArgs),
    /// Say what a position is worth, and each of its moves
    Probe(probe::ProbeArgs),
    /// Derive the values of tables again from those of the positions that follow; ends with 1 if one is wrong
    Verify(inspect::VerifyArgs),
    /// Show the longest win and the longest loss of a table
    Longest(inspect::LongestArgs),
    /// Write random positions of an ending, won, drawn or lost, to be played out
    Practice(practice::PracticeArgs),
    /// Pack the wins, draws and losses of a set into one file, as the program brings those of core along
    Pack(build::PackArgs),
}

/// Does what the arguments say.
pub fn run(args: &TablesArgs, out: &mut dyn Write) -> Result<ExitCode, TablesError> {
    match &args.command {
        Command::Build(args) => build::run(args, out)?,
        Command::List(args) => return inspect::list(args, out),
        Command::Probe(args) => probe::run(args, out)?,
        Command::Verify(args) => return inspect::verify_all(args, out),
        Command::Longest(args) => inspect::longest(args, out)?,
        Command::Practice(args) => practice::run(args, out)?,
        Command::Pack(args) => build::pack_set(args, out)?,
    }
    Ok(ExitCode::SUCCESS)
}
