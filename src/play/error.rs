//! Why a game with a person cannot be played, or not go on.

use chuhe_engine::language::{reason, tr};
use chuhe_engine::search::TableSizeError;
use chuhe_toolkit::game::saved_games::SavedGamesError;
use rustyline::error::ReadlineError;
use std::io;
use thiserror::Error;

/// Why there is no game.
#[derive(Debug, Error)]
pub enum PlayError {
    /// A file of games cannot be read or written.
    #[error(transparent)]
    SavedGames(#[from] SavedGamesError),
    /// The engine finds no memory.
    #[error(transparent)]
    Conversation(#[from] TableSizeError),
    /// The terminal is none.
    #[error("{}", tr!("the terminal: {cause}", cause = _0))]
    Terminal(#[from] ReadlineError),
    /// Nobody listens, or the system gives no thread.
    #[error("{}", reason(_0))]
    Io(#[from] io::Error),
}
