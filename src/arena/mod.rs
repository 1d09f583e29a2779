//! The arena: engine against engine, with numbers to trust.
//!
//! A [`Tournament`] is engines, a schedule, openings and a referee. Each game is played at a table by one thread
//! that asks the players in turn; results come together in one place, where they are counted and shown.

pub mod archive;
pub mod conditions;
#[cfg(feature = "tune")]
pub mod duel;
pub mod engine;
pub mod game;
pub mod merge;
pub mod opening_file;
pub mod openings;
mod pace;
pub mod parse;
pub mod report;
pub mod results;
mod roster;
pub mod schedule;
pub mod scorebook;
pub mod settings;
pub mod spec;
pub mod sprt;
pub mod standings;
pub mod stats;
pub mod tournament;
mod troubles;

pub use tournament::{Audience, OpeningSource, Openings, Tournament, TournamentError};
