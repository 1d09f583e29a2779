//! The errors of `chuhe learn`.

use super::archive::GameArchiveError;
use super::checkpoint::CheckpointError;
use super::game_format::GameError;
use super::model::ShapeMismatch;
use super::samples::SamplesError;
use super::settings::TrainingSettingsError;
use crate::arena::openings::OpeningError;
use chuhe_engine::nnue::network::{NetworkError, NetworkFileError};
use chuhe_support::files::{FileError, OutputError};
use chuhe_support::language::{reason, tr};
use chuhe_support::messages::Localize;
use std::io;
use std::path::PathBuf;
use thiserror::Error;

/// Why a subcommand of `chuhe learn` failed.
#[derive(Debug, Error)]
pub enum LearnError {
    /// A file of games cannot be used.
    #[error(transparent)]
    Archive(#[from] GameArchiveError),
    /// The training data cannot be read.
    #[error(transparent)]
    Samples(#[from] SamplesError),
    /// The network file cannot be read.
    #[error("{}", .0.localized())]
    Network(#[from] NetworkFileError),
    /// The start positions cannot be read.
    #[error(transparent)]
    Opening(#[from] OpeningError),
    /// A file cannot be written.
    #[error(transparent)]
    File(#[from] OutputError),
    /// A file cannot be read or written.
    #[error(transparent)]
    Io(#[from] FileError),
    /// A line of text is not a game.
    #[error("{}", tr!("{file}, line {line}: {source}", file = file.display(), line, source))]
    Text {
        file: PathBuf,
        /// The line number, from 1.
        line: usize,
        source: GameError,
    },
    /// A checkpoint cannot be written or read.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// A training setting is invalid.
    #[error(transparent)]
    Settings(#[from] TrainingSettingsError),
    /// The network has another shape than the settings.
    #[error(transparent)]
    Unlike(#[from] ShapeMismatch),
    /// The model cannot be exported as a network.
    #[error("{}", .0.localized())]
    Unfit(#[from] NetworkError),
    /// An argument is invalid.
    #[error("{0}")]
    Argument(String),
    /// The output cannot be written.
    #[error("{}", reason(_0))]
    Output(#[from] io::Error),
}
