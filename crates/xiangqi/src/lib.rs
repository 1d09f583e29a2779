//! Xiangqi (Chinese chess): positions, legal moves and the rules that end a game.
#![deny(unsafe_code)]

mod board;
pub mod rules;
mod types;

pub use board::*;
pub use rules::{DrawRule, Ending, Reason, RuleSet, Rules, Verdict};
pub use types::*;
