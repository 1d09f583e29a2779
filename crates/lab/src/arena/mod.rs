//! The arena: matches and tournaments between engines, with Elo, error bars and SPRT.
//!
//! A [`Tournament`] holds the engines, the schedule, the openings and the referee settings. Worker threads play the
//! games; the thread that called `Tournament::run` collects and reports the results.

pub mod engine;
pub mod game;
pub mod game_record;
pub mod openings;
pub mod parse;
pub mod report;
pub mod spec;
pub mod standings;
pub mod stats;
pub mod tournament;
pub mod tournament_record;

pub use tournament::{OpeningSource, Openings, Tournament, TournamentError, TournamentObserver};
