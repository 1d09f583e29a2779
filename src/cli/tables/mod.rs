//! `chuhe tables`: building, listing, asking and proving endgame tables.

mod build;
mod inspect;
mod practice;
mod probe;

use crate::record::SetupError;
use crate::tables::{FileError, MakeError, Material, ParseMaterialError, ParseSetError, Set, WriteError};
use clap::{Args, Subcommand};
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use thiserror::Error;

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

/// Why `chuhe tables` gave up.
#[derive(Debug, Error)]
pub enum TablesError {
    /// A name is none.
    #[error(transparent)]
    Name(#[from] ParseMaterialError),
    /// A set is none.
    #[error(transparent)]
    Set(#[from] ParseSetError),
    /// Nothing to do.
    #[error("which tables? Name some (KNPKAABB), or a set (--set core)")]
    Nothing,
    /// The material has no attackers, or too many pieces.
    #[error("{0}: tables have 1 to 14 pieces beside the kings, of which one at least attacks")]
    Unfit(Material),
    /// Not enough memory allowed.
    #[error("{material} needs {needed} MB of memory, more than the {allowed} MB that --memory allows")]
    Memory {
        /// Which table.
        material: Material,
        /// What it needs.
        needed: usize,
        /// What it may have.
        allowed: usize,
    },
    /// A table could not be made.
    #[error(transparent)]
    Make(#[from] MakeError),
    /// A table could not be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// A table cannot be used.
    #[error("'{}' {source}", path.display())]
    File {
        /// Its file.
        path: PathBuf,
        /// What is wrong with it.
        source: FileError,
    },
    /// A folder cannot be read or made.
    #[error("folder '{}': {source}", path.display())]
    Folder {
        /// Which.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// The position is none.
    #[error(transparent)]
    Position(#[from] SetupError),
    /// There is no table.
    #[error("no table of {0} at hand; `chuhe tables build {0}` makes it")]
    Unknown(Material),
    /// There are hardly any positions of the kind that was asked for.
    #[error("{found} such positions of {material} were found in a long search; there are hardly more")]
    Rare {
        /// Of which material.
        material: Material,
        /// How many were found.
        found: usize,
    },
    /// There cannot be a table.
    #[error("this position has more of some piece than a set holds: no table can know it")]
    NoMaterial,
    /// The answer could not be written.
    #[error("cannot write the answer: {0}")]
    Output(#[from] io::Error),
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

/// The folder that is meant if none is named.
const FOLDER: &str = "tables";

/// As many threads as were asked for, or as the machine runs at once.
fn threads(asked: Option<usize>) -> usize {
    asked.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from)).max(1)
}

/// The materials of names and sets together.
fn materials(names: &[String], sets: &[Set]) -> Result<Vec<Material>, TablesError> {
    let mut found: Vec<Material> = sets.iter().flat_map(|set| set.materials()).collect();
    for name in names {
        let material: Material = name.parse()?;
        if !material.has_attackers() || material.pieces() > 16 {
            return Err(TablesError::Unfit(material));
        }
        found.push(material);
    }
    Ok(found)
}
