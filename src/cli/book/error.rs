//! What can go wrong with opening books on the command line.

use crate::book_builder::JournalError;
use crate::cli::position::PositionError;
use chuhe_engine::language::{reason, tr};
use chuhe_toolkit::book::{OpenError, ProbeError, PutError, UnknownFormat};
use chuhe_toolkit::record::SourceError;
use std::io;
use thiserror::Error;

/// Why `chuhe book` gave up.
#[derive(Debug, Error)]
pub enum BookError {
    /// A file is no book.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// A book does not answer any more.
    #[error(transparent)]
    Probe(#[from] ProbeError),
    /// The name of a file to be written does not tell its kind.
    #[error(transparent)]
    Format(#[from] UnknownFormat),
    /// A book cannot be put into its place.
    #[error(transparent)]
    Put(#[from] PutError),
    /// The position is none.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// A file of games cannot be read.
    #[error(transparent)]
    Games(#[from] SourceError),
    /// No game was taken.
    #[error("{}", tr!("no game in these files that begins at the start position and fits what was asked for"))]
    NoGames,
    /// The journal of a book cannot be kept.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The answer could not be written.
    #[error("{}", tr!("cannot write the answer: {cause}", cause = reason(_0)))]
    Output(#[from] io::Error),
}
