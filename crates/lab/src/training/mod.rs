//! NNUE training: self-play, labelled games, and fitting a network to the scores of the searches.
//!
//! * `selfplay` plays games from random positions; `relabel` searches their positions again. Both run on the
//!   `selfplay_workers`. `game_format` is one game in bytes and in text; `archive` holds the files of games and their
//!   readers.
//! * `samples` picks training positions from games and packs each, `shuffle_buckets` shuffles them on
//!   disk; `trainer` fits a `model` with `settings` and writes checkpoints.
//! * `measure` compares networks by their error on scored games, and fits the win rate model.

pub mod archive;
pub mod game_format;
pub mod measure;
pub mod model;
pub mod relabel;
pub mod samples;
pub mod selfplay;
pub mod selfplay_workers;
pub mod settings;
pub mod shuffle_buckets;
pub mod trainer;

use crate::arena::openings::OpeningError;
use archive::GameArchiveError;
use chuhe_engine::nnue::network::{NetworkError, NetworkFileError};
use chuhe_support::files::{FileError, OutputError};
use chuhe_support::language::{reason, tr};
use chuhe_support::messages::Localize;
use game_format::GameError;
use model::ShapeMismatch;
use samples::SamplesError;
use settings::TrainingSettingsError;
use std::io;
use std::path::PathBuf;
use thiserror::Error;
use trainer::CheckpointError;

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
