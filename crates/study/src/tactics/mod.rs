//! Tactics: positions of games with one best move at each step, found by a search of two lines.
//!
//! * `tactic` has the tactics and their files; `choose` takes some of many.
//! * `only_move` says whether one move is the best one, what counts as a second solution, and judges a move that a person
//!   tries; `miner` finds tactics in games; `difficulty` lets levels of the program try.

mod choose;
mod difficulty;
mod miner;
mod only_move;
mod tactic;

pub use choose::{TacticSelection, Twins, UnknownTheme, choose, counts, theme};
pub use difficulty::{DifficultyMeter, Solver};
pub use miner::{CHECK_FACTOR, GameToMine, Miner};
pub use only_move::{BestMove, Fault, TacticTrial, TwoLines, find_fault, try_move};
#[cfg(not(target_family = "wasm"))]
pub use tactic::embedded;
pub use tactic::{CollectionError, Tactic, bare_fen, read_file, write};
