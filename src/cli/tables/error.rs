//! What can go wrong with endgame tables on the command line.

use crate::cli::position::PositionError;
use crate::files::OutputError;
use crate::tables::{FileError, MakeError, Material, ParseMaterialError, ParseSetError};
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
    Position(#[from] PositionError),
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
    /// A file was not written.
    #[error(transparent)]
    NotWritten(#[from] OutputError),
    /// The answer could not be written.
    #[error("cannot write the answer: {0}")]
    Output(#[from] io::Error),
}
