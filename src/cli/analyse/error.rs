//! The errors of `chuhe analyse`.

use crate::cli::journal::JournalError;
use crate::cli::position_args::{InputError, PositionError};
use chuhe_engine::search::HashSizeError;
use chuhe_study::analyse::PoolError;
use chuhe_study::book::BookOpenError;
use chuhe_support::files::{FileError, OutputError};
use chuhe_support::language::{NoThread, reason, tr};
use chuhe_support::messages::Localize;
use std::io;
use thiserror::Error;
use xiangqi_record::notation::NotationError;

#[derive(Debug, Error)]
pub enum AnalyseError {
    #[error(transparent)]
    Position(#[from] PositionError),
    #[error(transparent)]
    Game(#[from] InputError),
    #[error("{}", .0.localized())]
    Move(#[from] NotationError),
    #[error("{}", tr!("--avoid leaves no move"))]
    NoMove,
    #[error("{}", tr!("--every is for one position, and this is a list"))]
    Every,
    #[error("{}", tr!("a file of queries says itself what is searched: leave out --every-ply, --game, --ply, --moves, --only and --avoid"))]
    OfQueryFile,
    #[error(transparent)]
    Book(#[from] BookOpenError),
    #[error(transparent)]
    Pool(#[from] PoolError),
    #[error(transparent)]
    Thread(#[from] NoThread),
    #[error("{}", .0.localized())]
    Hash(#[from] HashSizeError),
    #[error(transparent)]
    File(#[from] FileError),
    #[error(transparent)]
    Output(#[from] OutputError),
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error("{}", tr!("cannot write the analysis: {reason}", reason = reason(_0)))]
    Write(#[from] io::Error),
}
