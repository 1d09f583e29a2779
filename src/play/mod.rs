//! A game with a person, at a terminal.
//!
//! * `conversation` is the game being played: it asks the person and the opponent in turn, and shows what happens.
//! * `user_command` is what a person may type, `terminal_io` how it is read, `words` what is said back, `terminal_io` how it is said.
//! * `opponent` is the engine as a player, `strength` how strong it plays.
//! * `game` knows the moves, the clocks and the end; `pgn` writes it down as PGN, and reads it again.
//! * `saved_games` keeps the unfinished game where the next start finds it, and the finished ones behind it.

pub mod conversation;
pub mod terminal_io;
mod user_command;
pub mod words;
use chuhe_engine::language::{reason, tr};
use chuhe_engine::search::HashSizeError;
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
    Conversation(#[from] HashSizeError),
    /// The terminal is none.
    #[error("{}", tr!("the terminal: {cause}", cause = _0))]
    Terminal(#[from] ReadlineError),
    /// Nobody listens, or the system gives no thread.
    #[error("{}", reason(_0))]
    Io(#[from] io::Error),
}
