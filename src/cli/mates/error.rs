//! What can go wrong with problems of mate.

use super::problem::ProblemError;
use crate::training::archive::ArchiveError;
use chuhe_engine::language::{reason, tr};
use chuhe_engine::search::TableSizeError;
use std::io;
use thiserror::Error;

/// Why `chuhe mates` gave up.
#[derive(Debug, Error)]
pub enum MatesError {
    /// A file of games cannot be read.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// A file of problems cannot be read.
    #[error(transparent)]
    Problem(#[from] ProblemError),
    /// No memory to search with.
    #[error(transparent)]
    Table(#[from] TableSizeError),
    /// The answer could not be written.
    #[error("{}", tr!("cannot write the answer: {cause}", cause = reason(_0)))]
    Output(#[from] io::Error),
}
