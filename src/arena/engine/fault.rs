//! How engines fail, and what they told before they did.

use super::options::OptionMismatch;
use chuhe_engine::language::{Phrase, phrase, tr};
use chuhe_engine::types::Move;
use std::time::Duration;
use thiserror::Error;

/// How an engine failed. It loses the game, is started anew and is named in the report.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum EngineFault {
    /// The system would not start it.
    #[error("{}", tr!("cannot start {program}", program = _0))]
    NotStarted(String),
    /// It never said that it is ready.
    #[error("{}", tr!("did not get ready"))]
    NotReady,
    /// It cannot be set as the tournament says.
    #[error("{}", tr!("cannot be set: {what}", what = _0))]
    Option(OptionMismatch),
    /// It ended in the middle of things, like this.
    #[error("{}", tr!("crashed ({how})", how = _0))]
    Crashed(String),
    /// It did not answer in time, nor some time later.
    #[error("{}", tr!("hung"))]
    Hung,
    /// It answered later than its clock allows.
    #[error("{}", tr!("overran its time by {time} ms", time = _0.as_millis()))]
    TimeExceeded(Duration),
    /// It wrote more than anyone would.
    #[error("{}", tr!("flooded its output"))]
    TooMuchOutput,
    /// Its answer is no answer.
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
    /// It could not be started, did not greet, or cannot be set as the tournament says.
    #[error("{}", tr!("engine '{name}' cannot take part: {what}", name, what))]
    Unfit { name: String, what: String },
    /// No memory for the hash table.
    #[error("{}", tr!("engine '{name}': {source}", name, source))]
    Table {
        name: String,
        /// How much was asked for.
        source: chuhe_engine::search::HashSizeError,
    },
    /// A search constant that does not exist, or a build without them.
    #[error("{}", tr!("engine '{name}': search constant '{constant}' cannot be set to {value} in this build", name, constant, value))]
    Tune { name: String, constant: String, value: i32 },
}

/// What an engine told about itself before the first game.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EngineInfo {
    /// What it calls itself.
    pub id: String,
    /// What it had to say about its options.
    pub messages: Vec<String>,
}
