//! The error of the commands that find, check and print exercises: `chuhe mates` and `chuhe tactics`.

use super::game_files::GameFilesError;
use super::journal::JournalError;
use super::mates::problem::ProblemError;
use super::position_args::InputError;
use chuhe_engine::search::HashSizeError;
use chuhe_lab::training::archive::GameArchiveError;
use chuhe_study::tactics::CollectionError;
use chuhe_support::files::{FileError, OutputError};
use chuhe_support::language::{NoThread, reason, tr};
use chuhe_support::messages::Localize;
use std::io;
use std::path::PathBuf;
use thiserror::Error;
use xiangqi_record::PieceCountError;

/// An error of `chuhe mates` or `chuhe tactics`.
#[derive(Debug, Error)]
pub enum ExerciseError {
    #[error(transparent)]
    Archive(#[from] GameArchiveError),
    #[error(transparent)]
    Problem(#[from] ProblemError),
    #[error("{}: {_1}", .0.display())]
    NoTactics(PathBuf, CollectionError),
    #[error("{}", .0.localized())]
    Table(#[from] HashSizeError),
    #[error(transparent)]
    Input(#[from] InputError),
    #[error(transparent)]
    Folder(#[from] GameFilesError),
    #[error(transparent)]
    File(#[from] FileError),
    #[error(transparent)]
    OutputFile(#[from] OutputError),
    #[error("{}", .0.localized())]
    Pieces(#[from] PieceCountError),
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error("{}", tr!("more than {count} problems are too many for one check: --game N..M takes a part", count = _0))]
    TooMany(usize),
    #[error(transparent)]
    Thread(#[from] NoThread),
    #[error("{}", tr!("cannot write the answer: {cause}", cause = reason(_0)))]
    Output(#[from] io::Error),
}
