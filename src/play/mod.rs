//! A game between a user at a terminal and the engine.
//!
//! * `conversation` runs the game: turns, commands and output, saving, the review.
//! * `user_command` parses the commands, `terminal_io` reads and writes lines, `words` formats the messages.
//! * The engine as a player is `chuhe_study::player`; moves, clocks, PGN and saved games are `chuhe_study::game`.

pub mod conversation;
pub mod terminal_io;
mod user_command;
pub mod words;
use chuhe_engine::search::HashSizeError;
use chuhe_study::game::saved_games::SavedGamesError;
use chuhe_support::language::{reason, tr};
use chuhe_support::messages::Localize;
use rustyline::error::ReadlineError;
use std::io;
use thiserror::Error;

/// Why a game at the terminal ends in an error.
#[derive(Debug, Error)]
pub enum PlayError {
    #[error(transparent)]
    SavedGames(#[from] SavedGamesError),
    #[error("{}", .0.localized())]
    Conversation(#[from] HashSizeError),
    #[error("{}", tr!("the terminal: {cause}", cause = _0))]
    Terminal(#[from] ReadlineError),
    #[error("{}", reason(_0))]
    Io(#[from] io::Error),
}
