//! Why a game with a person cannot be played, or not go on.

use super::saved_games::SavedGamesError;
use crate::player::StrengthError;
use crate::record::SetupError;
use crate::search::TableSizeError;
use rustyline::error::ReadlineError;
use std::io;
use thiserror::Error;

/// Why there is no game.
#[derive(Debug, Error)]
pub enum PlayError {
    /// A strength is none.
    #[error("--time {0}: {1}")]
    Strength(String, StrengthError),
    /// There is no such position.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// The game would be typed.
    #[error("--game -: standard input is where moves are typed; name a file")]
    Dash,
    /// A file of games cannot be read or written.
    #[error(transparent)]
    SavedGames(#[from] SavedGamesError),
    /// The engine finds no memory.
    #[error(transparent)]
    Conversation(#[from] TableSizeError),
    /// The terminal is none.
    #[error("the terminal: {0}")]
    Terminal(#[from] ReadlineError),
    /// Nobody listens, or the system gives no thread.
    #[error("{0}")]
    Io(#[from] io::Error),
}
