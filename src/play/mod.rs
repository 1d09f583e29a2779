//! A game with a person, at a terminal.
//!
//! * `conversation` is the game being played: it asks the person and the opponent in turn, and shows what happens.
//! * `request` is what a person may type, `listener` how it is read, `words` what is said back, `voice` how it is said.
//! * `opponent` is the engine as a player, `strength` how strong it plays.
//! * `game` knows the moves, the clocks and the end; `pgn` writes it down as PGN, and reads it again.
//! * `saved_games` keeps the unfinished game where the next start finds it, and the finished ones behind it.

pub mod conversation;
pub mod error;
pub mod listener;
mod request;
pub mod voice;
pub mod words;

pub use error::PlayError;
