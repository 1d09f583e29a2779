//! The command line: every subcommand, one file or folder each, named as it is typed.

mod addressee;
mod analyse;
pub mod arena;
pub mod bench;
pub mod board;
pub mod book;
pub mod command;
pub mod convert;
pub mod eval;
mod force;
pub mod game;
pub mod help;
pub mod judge;
pub mod judge_cases;
pub mod learn;
pub mod logging;
pub mod mates;
mod notes;
pub mod numbers;
mod output;
pub mod perft;
pub mod play;
pub mod position;
mod refusal;
mod remarks;
pub mod review;
pub mod selfplay;
pub mod shell;
pub mod show;
#[cfg(feature = "tune")]
pub mod spsa;
pub mod tables;
#[cfg(feature = "tune")]
pub mod tune;
mod values;
