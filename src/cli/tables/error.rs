//! What can go wrong with endgame tables on the command line.

use crate::cli::position::PositionError;
use chuhe_engine::files::OutputError;
use chuhe_engine::language::{reason, tr};
use chuhe_engine::tablebase::{FileError, MakeError, Material, ParseMaterialError, ParseSetError};
use std::io;
use std::path::PathBuf;
use thiserror::Error;

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
    #[error("{}", tr!("which tables? Name some (KNPKAABB), or a set (--set core)"))]
    Nothing,
    /// The material has no attackers, or too many pieces.
    #[error("{}", tr!("{material}: tables have 1 to 14 pieces beside the kings, of which one at least attacks", material = _0))]
    Unfit(Material),
    /// Not enough memory allowed.
    #[error("{}", tr!("{material} needs {needed} MB of memory, more than the {allowed} MB that --memory allows", material, needed, allowed))]
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
    /// A table cannot be used.
    #[error("{}", tr!("'{path}' {source}", path = path.display(), source))]
    File {
        /// Its file.
        path: PathBuf,
        /// What is wrong with it.
        source: FileError,
    },
    /// A folder cannot be read or made.
    #[error("{}", tr!("folder '{path}': {source}", path = path.display(), source = reason(source)))]
    Folder {
        /// Which.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// The position is none.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// There is no table.
    #[error("{}", tr!("no table of {material} at hand; `chuhe tables build {material}` makes it", material = _0))]
    Unknown(Material),
    /// There are hardly any positions of the kind that was asked for.
    #[error("{}", tr!("{found} such positions of {material} were found in a long search; there are hardly more", found, material))]
    Rare {
        /// Of which material.
        material: Material,
        /// How many were found.
        found: usize,
    },
    /// There cannot be a table.
    #[error("{}", tr!("this position has more of some piece than a set holds: no table can know it"))]
    NoMaterial,
    /// A file was not written.
    #[error(transparent)]
    NotWritten(#[from] OutputError),
    /// The answer could not be written.
    #[error("{}", tr!("cannot write the answer: {cause}", cause = reason(_0)))]
    Output(#[from] io::Error),
}
