//! What the command line offers besides playing.

pub mod bench;
pub mod book;
pub mod command;
pub mod convert;
pub mod eval;
pub mod game;
mod help;
pub mod judge;
pub mod judge_cases;
pub mod logging;
pub mod mates;
pub mod numbers;
pub mod perft;
pub mod position;
pub mod review;
pub mod shell;
pub mod show;
#[cfg(feature = "tune")]
pub mod spsa;
pub mod tables;
#[cfg(feature = "tune")]
pub mod tune;
