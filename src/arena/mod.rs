//! The arena: engine against engine, with numbers to trust.
//!
//! A [`Tournament`] is engines, a schedule, openings and a referee. Each game is played at a table by one thread
//! that asks the players in turn; results come together in one place, where they are counted and shown.

pub mod conditions;
#[cfg(feature = "tune")]
pub mod duel;
pub mod engine;
pub mod engine_settings;
mod failure_limits;
pub mod game;
pub mod game_record;
pub mod merge;
pub mod openings;
pub mod parse;
pub mod report;
pub mod schedule;
pub mod spec;
pub mod sprt;
pub mod standings;
pub mod stats;
mod time_usage;
pub mod tournament;
pub mod tournament_record;

pub use tournament::{OpeningSource, Openings, Tournament, TournamentError, TournamentObserver};
