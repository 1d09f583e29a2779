//! What the command line offers besides playing.

pub mod command;
pub mod judge;
pub mod judge_cases;
pub mod logging;
pub mod numbers;
pub mod perft;
