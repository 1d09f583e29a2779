//! A game with a person, at a terminal.
//!
//! * `table` is the game being played: it asks the person and the opponent in turn, and shows what happens.
//! * `request` is what a person may type, `listener` how it is read, `words` what is said back.
//! * `opponent` is the engine as a player, `strength` how strong it plays.
//! * `game` knows the moves, the clocks and the end; `sheet` writes it down as PGN, and reads it again.
//! * `desk` keeps the unfinished game where the next start finds it, and the finished ones behind it.

pub mod desk;
pub mod error;
pub mod game;
pub mod listener;
mod opponent;
mod request;
pub mod sheet;
pub mod table;
pub mod words;

pub use error::PlayError;
