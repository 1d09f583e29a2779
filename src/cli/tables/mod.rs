//! `chuhe tables`: builds, lists, probes and verifies endgame tables.

mod build;
mod inspect;
mod practice;
mod probe;

use crate::cli::position_args::PositionError;
use chuhe_engine::tablebase::{BuildError, Material, ParseMaterialError, ParseTableSetError, TableFileError, TableSet};
use chuhe_support::files::OutputError;
use chuhe_support::language::{reason, tr};
use chuhe_support::messages::Localize;
use clap::{Args, Subcommand};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
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

/// Arguments of `chuhe tables`.
#[derive(Args, Debug, Clone)]
#[command(after_help = EXAMPLES)]
pub struct TablesArgs {
    #[command(subcommand)]
    command: TablesCommand,
}

#[derive(Subcommand, Debug, Clone)]
enum TablesCommand {
    /// Build tables by name or by set, the smaller ones that they need first; existing ones are kept
    Build(build::BuildArgs),
    /// List the tables of a folder and check their headers
    List(inspect::ListArgs),
    /// Show the result of a position, and of each of its moves
    Probe(probe::ProbeArgs),
    /// Verify tables against the values of the positions that follow; exit code 1 if one is wrong
    Verify(inspect::VerifyArgs),
    /// Show the longest win and the longest loss of a table
    Longest(inspect::LongestArgs),
    /// Write random positions of an ending, won, drawn or lost, to be played out
    Practice(practice::PracticeArgs),
    /// Pack the wins, draws and losses of a set into one file, as the program brings those of core along
    Pack(build::PackArgs),
}

/// Dispatches the subcommands of `chuhe tables`.
pub fn run(args: &TablesArgs, out: &mut dyn Write) -> Result<ExitCode, TablesError> {
    match &args.command {
        TablesCommand::Build(args) => build::run(args, out)?,
        TablesCommand::List(args) => return inspect::list(args, out),
        TablesCommand::Probe(args) => probe::run(args, out)?,
        TablesCommand::Verify(args) => return inspect::verify_all(args, out),
        TablesCommand::Longest(args) => inspect::longest(args, out)?,
        TablesCommand::Practice(args) => practice::run(args, out)?,
        TablesCommand::Pack(args) => build::pack_set(args, out)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// An error of `chuhe tables`.
#[derive(Debug, Error)]
pub enum TablesError {
    #[error("{}", .0.localized())]
    Name(#[from] ParseMaterialError),
    #[error("{}", .0.localized())]
    Set(#[from] ParseTableSetError),
    #[error("{}", tr!("which tables? Name some (KNPKAABB), or a set (--set core)"))]
    Nothing,
    #[error("{}", tr!("{material}: tables have 1 to 14 pieces beside the kings, of which one at least attacks", material = _0))]
    Unsupported(Material),
    #[error("{}", tr!("{material} needs {needed} MB of memory, more than the {allowed} MB that --memory allows", material, needed, allowed))]
    Memory { material: Material, needed: usize, allowed: usize },
    #[error("{}", .0.localized())]
    Make(#[from] BuildError),
    #[error("{}", tr!("'{path}' {source}", path = path.display(), source = source.localized()))]
    File { path: PathBuf, source: TableFileError },
    #[error("{}", tr!("folder '{path}': {source}", path = path.display(), source = reason(source)))]
    Folder { path: PathBuf, source: io::Error },
    #[error(transparent)]
    Position(#[from] PositionError),
    #[error("{}", tr!("no table of {material} at hand; `chuhe tables build {material}` makes it", material = _0))]
    NoTable(Material),
    #[error("{}", tr!("{found} such positions of {material} were found in a long search; there are hardly more", found, material))]
    TooFewPositions { material: Material, found: usize },
    #[error("{}", tr!("this position has more of some piece than a set holds: no table can know it"))]
    NoMaterial,
    #[error(transparent)]
    NotWritten(#[from] OutputError),
    #[error("{}", tr!("cannot write the answer: {cause}", cause = reason(_0)))]
    Output(#[from] io::Error),
}

/// The default folder.
pub const DEFAULT_FOLDER: &str = "tables";

/// The named folders, which must exist, or the default one.
pub fn table_folders(named: &[PathBuf]) -> Result<Vec<PathBuf>, TablesError> {
    for path in named {
        std::fs::read_dir(path).map_err(|source| TablesError::Folder { path: path.clone(), source })?;
    }
    let usual = Path::new(DEFAULT_FOLDER);
    Ok(if named.is_empty() && usual.is_dir() { vec![usual.to_path_buf()] } else { named.to_vec() })
}

/// Whether `build` can make a table of this material.
pub fn is_buildable(material: Material) -> bool {
    material.has_attackers() && material.piece_count() <= 16
}

/// The materials of names and sets together.
pub fn materials(names: &[String], sets: &[TableSet]) -> Result<Vec<Material>, TablesError> {
    let mut found: Vec<Material> = sets.iter().flat_map(|set| set.materials()).collect();
    for name in names {
        let material: Material = name.parse()?;
        if !is_buildable(material) {
            return Err(TablesError::Unsupported(material));
        }
        found.push(material);
    }
    Ok(found)
}
