//! How engines fail, and what they report about themselves at the start.

use super::options::OptionMismatch;
use chuhe_support::language::{Phrase, phrase, tr};
use chuhe_support::messages::Localize;
use std::time::Duration;
use thiserror::Error;
use xiangqi::Move;

/// How an engine failed. It loses the game, is restarted and is named in the report.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum EngineFault {
    /// The system could not start it.
    #[error("{}", tr!("cannot start {program}", program = _0))]
    NotStarted(String),
    /// It did not get ready in time.
    #[error("{}", tr!("did not get ready"))]
    NotReady,
    /// An option cannot be set.
    #[error("{}", tr!("cannot be set: {what}", what = _0))]
    Option(OptionMismatch),
    /// It exited during play, with this status.
    #[error("{}", tr!("crashed ({how})", how = _0))]
    Crashed(String),
    /// It did not answer by the deadline.
    #[error("{}", tr!("hung"))]
    Hung,
    /// It overran its time by this much.
    #[error("{}", tr!("overran its time by {time} ms", time = _0.as_millis()))]
    TimeExceeded(Duration),
    /// It wrote too much output.
    #[error("{}", tr!("flooded its output"))]
    TooMuchOutput,
    /// Its answer cannot be parsed.
    #[error("{}", tr!("answered nonsense: '{line}'", line = _0))]
    InvalidAnswer(String),
    /// Its move is not legal.
    #[error("{}", tr!("played an illegal move: {mv}", mv = _0))]
    Illegal(Move),
}

impl EngineFault {
    /// The fault without its details, for counting.
    pub fn kind(&self) -> Phrase {
        match self {
            EngineFault::NotStarted(_) => phrase!("could not be started"),
            EngineFault::NotReady => phrase!("did not get ready"),
            EngineFault::Option(_) => phrase!("could not be set"),
            EngineFault::Crashed(_) => phrase!("crashed"),
            EngineFault::Hung => phrase!("hung"),
            EngineFault::TimeExceeded(_) => phrase!("overran its time"),
            EngineFault::TooMuchOutput => phrase!("flooded its output"),
            EngineFault::InvalidAnswer(_) => phrase!("answered nonsense"),
            EngineFault::Illegal(_) => phrase!("played an illegal move"),
        }
    }
}

/// Why an engine cannot take part at all.
#[derive(Debug, Error)]
pub enum EngineStartError {
    /// It could not be started, failed the handshake, or has no such option.
    #[error("{}", tr!("engine '{name}' cannot take part: {what}", name, what))]
    Unfit { name: String, what: String },
    /// No memory for the transposition table.
    #[error("{}", tr!("engine '{name}': {source}", name, source = source.localized()))]
    Table { name: String, source: chuhe_engine::search::HashSizeError },
    /// A search constant does not exist, or the build has none.
    #[error("{}", tr!("engine '{name}': search constant '{constant}' cannot be set to {value} in this build", name, constant, value))]
    Tune { name: String, constant: String, value: i32 },
}

/// What an engine reported about itself before the first game.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EngineInfo {
    /// Its name and version.
    pub id: String,
    /// Its `info string` messages while options were set.
    pub messages: Vec<String>,
}
