//! What the command line offers besides playing.

pub mod command;
pub mod perft;
