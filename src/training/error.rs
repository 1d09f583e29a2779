//! Why a step of `chuhe learn` was not done.

use super::archive::GameArchiveError;
use super::checkpoint::CheckpointError;
use super::game::GameError;
use super::model::ShapeMismatch;
use super::samples::SamplesError;
use super::settings::TrainingSettingsError;
use crate::arena::openings::OpeningError;
use chuhe_engine::files::{FileError, OutputError};
use chuhe_engine::language::{reason, tr};
use chuhe_engine::nnue::network::{NetworkError, NetworkFileError};
use std::io;
use std::path::PathBuf;
use thiserror::Error;

/// Why a step was not done.
#[derive(Debug, Error)]
pub enum LearnError {
    /// A file of games.
    #[error(transparent)]
    Archive(#[from] GameArchiveError),
    /// The positions to learn from.
    #[error(transparent)]
    Samples(#[from] SamplesError),
    /// The network to play with.
    #[error(transparent)]
    Network(#[from] NetworkFileError),
    /// The positions to begin from.
    #[error(transparent)]
    Opening(#[from] OpeningError),
    /// A file was not written.
    #[error(transparent)]
    File(#[from] OutputError),
    /// A file that cannot be read or written.
    #[error(transparent)]
    Io(#[from] FileError),
    /// A line of text that is no game.
    #[error("{}", tr!("{file}, line {line}: {source}", file = file.display(), line, source))]
    Text {
        file: PathBuf,
        /// The line, from 1.
        line: usize,
        source: GameError,
    },
    /// A fit that cannot be kept or taken up.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// A setting of a fit.
    #[error(transparent)]
    Settings(#[from] TrainingSettingsError),
    /// A network that was to go on in another shape.
    #[error(transparent)]
    Unlike(#[from] ShapeMismatch),
    /// What came of a fit is no network.
    #[error(transparent)]
    Unfit(#[from] NetworkError),
    /// An argument that means nothing.
    #[error("{0}")]
    Argument(String),
    /// The output cannot be written.
    #[error("{}", reason(_0))]
    Output(#[from] io::Error),
}
