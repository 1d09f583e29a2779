//! Why there is no analysis.

use crate::cli::game::GameError;
use crate::cli::position::PositionError;
use chuhe_engine::files::{FileError, OutputError};
use chuhe_engine::language::{reason, tr};
use chuhe_engine::search::TableSizeError;
use chuhe_toolkit::analyse::PoolError;
use chuhe_toolkit::book::OpenError;
use chuhe_toolkit::record::notation::NotationError;
use std::io;
use std::path::PathBuf;
use thiserror::Error;

#[derive(Debug, Error)]
pub enum AnalyseError {
    /// There is no such position.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// There is no such game.
    #[error(transparent)]
    Game(#[from] GameError),
    /// A first move is none.
    #[error(transparent)]
    Move(#[from] NotationError),
    /// Nothing is left to look at.
    #[error("{}", tr!("--avoid leaves no move"))]
    NoMove,
    /// Nothing is told of a position of a list before its turn.
    #[error("{}", tr!("--every is for one position, and this is a list"))]
    Every,
    /// The book is none.
    #[error(transparent)]
    Book(#[from] OpenError),
    /// Nobody can be set to work.
    #[error(transparent)]
    Pool(#[from] PoolError),
    #[error(transparent)]
    Hash(#[from] TableSizeError),
    /// The answers cannot be kept.
    #[error(transparent)]
    File(#[from] FileError),
    #[error(transparent)]
    Output(#[from] OutputError),
    /// Somebody else writes to it.
    #[error("{}", tr!("{file} is in use: another analysis writes to it", file = .0.display()))]
    InUse(PathBuf),
    /// It holds something else.
    #[error("{}", tr!("{file} holds no analyses: --force begins it anew, or take another name", file = .0.display()))]
    Foreign(PathBuf),
    /// It holds analyses of something else.
    #[error("{}", tr!("{file}, line {line}: that is not the position that stands there in the list: --force begins the file anew, or take another name", file = file.display(), line))]
    OtherPosition { file: PathBuf, line: usize },
    /// It holds analyses made otherwise.
    #[error("{}", tr!("{file}, line {line}: made under another '{field}' ({there}, now {now}): --force begins the file anew, or take another name", file = file.display(), line, field, there, now))]
    OtherConditions { file: PathBuf, line: usize, field: String, there: String, now: String },
    /// Nobody takes the answers.
    #[error("{}", tr!("cannot write the analysis: {reason}", reason = reason(_0)))]
    Write(#[from] io::Error),
}
