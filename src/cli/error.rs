//! The error of a command.

use chuhe_engine::nnue::network::{NetworkError, NetworkFileError};
use chuhe_engine::search::HashSizeError;
use chuhe_engine::tablebase::{BuildError, ParseMaterialError, ParseTableSetError};
use chuhe_lab::arena::openings::OpeningError;
use chuhe_lab::arena::parse::EngineSettingsError;
use chuhe_lab::arena::tournament::TournamentError;
use chuhe_lab::arena::tournament_record::TournamentRecordError;
use chuhe_lab::training::archive::GameArchiveError;
use chuhe_lab::training::model::ShapeMismatch;
use chuhe_lab::training::samples::SamplesError;
use chuhe_lab::training::settings::TrainingSettingsError;
use chuhe_lab::training::trainer::CheckpointError;
use chuhe_study::analyse::PoolError;
use chuhe_study::book::{BookOpenError, BookWriteError, ProbeError, UnknownBookFormat};
use chuhe_study::explorer::IndexError;
use chuhe_study::picture::PictureError;
use chuhe_study::repertoire::RepertoireError;
use chuhe_support::files::{FileError, OutputError, shown};
use chuhe_support::language::{Message, NoThread, reason};
use chuhe_support::messages::Localized;
use std::io;
use std::path::Path;
use thiserror::Error;
use xiangqi::IllegalMove;
use xiangqi_record::notation::NotationError;
use xiangqi_record::{OutputFormatError, PieceCountError, PositionSpecError, RecordFileError};

/// Why a command gave up, in the language of whoever reads it: with `--json` that is another one than that of the answer.
#[derive(Debug, Error)]
pub enum CliError {
    /// What the command says itself, or a value of a published crate.
    #[error("{_0}")]
    Said(Message),
    /// The answer cannot be written, in these words.
    #[error("{}", _1(reason(_0)))]
    Output(#[source] io::Error, fn(String) -> String),
    /// An error of a lower crate.
    #[error(transparent)]
    Other(Box<dyn std::error::Error + Send + Sync>),
}

impl CliError {
    /// An error of the command itself.
    pub fn of(words: impl Fn() -> String + Send + Sync + 'static) -> CliError {
        CliError::Said(Message::of(words))
    }

    /// An error of the system, where nothing is written.
    pub fn of_system(error: io::Error) -> CliError {
        CliError::of(move || reason(&error))
    }

    /// The same with these words for output that cannot be written.
    pub fn of_output(self, words: fn(String) -> String) -> CliError {
        if let CliError::Output(error, _) = self { CliError::Output(error, words) } else { self }
    }
}

/// The name of a file in an error.
pub fn file_name(path: &Path) -> Message {
    let path = path.to_path_buf();
    Message::of(move || shown(&path))
}

impl From<io::Error> for CliError {
    fn from(error: io::Error) -> CliError {
        CliError::Output(error, |cause| cause)
    }
}

/// An error of the command itself, in words as those of `tr!`. Values are taken now, and put into words later.
macro_rules! cli_error {
    ($template:literal $(, $name:ident $(= $value:expr)?)* $(,)?) => {{
        $($(let $name = $value;)?)*
        $crate::cli::error::CliError::of(move || chuhe_support::language::tr!($template $(, $name)*))
    }};
}

pub(super) use cli_error;

/// Makes errors of lower crates those of a command.
macro_rules! from_errors {
    ($($error:ty),* $(,)?) => {$(
        impl From<$error> for CliError {
            fn from(error: $error) -> CliError {
                CliError::Other(error.into())
            }
        }
    )*};
}

/// The same for values of the published crates.
macro_rules! from_values {
    ($($value:ty),* $(,)?) => {$(
        impl From<$value> for CliError {
            fn from(value: $value) -> CliError {
                CliError::Said(Message::from_value(value))
            }
        }
    )*};
}

from_errors!(
    BookOpenError,
    BookWriteError,
    CheckpointError,
    EngineSettingsError,
    FileError,
    FileError<PictureError>,
    FileError<Localized<RecordFileError>>,
    GameArchiveError,
    IndexError,
    NoThread,
    OpeningError,
    OutputError,
    PoolError,
    ProbeError,
    RepertoireError,
    SamplesError,
    ShapeMismatch,
    TournamentError,
    TournamentRecordError,
    TrainingSettingsError,
    UnknownBookFormat,
    chuhe_lab::book_builder::JournalError,
    crate::play::PlayError,
);

from_values!(
    BuildError,
    HashSizeError,
    IllegalMove,
    NetworkError,
    NetworkFileError,
    NotationError,
    OutputFormatError,
    ParseMaterialError,
    ParseTableSetError,
    PieceCountError,
    PositionSpecError,
);
