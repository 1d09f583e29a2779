//! What the command line offers besides playing.

pub mod command;
pub mod logging;
pub mod numbers;
pub mod perft;
