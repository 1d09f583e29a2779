//! Tactics: positions of games with one best move at each step, found by a search of two lines.
//!
//! * `candidates` are the positions of a game in which the chances jump; `only_move` says whether one move is the best one,
//!   and what counts as a second solution; `miner` finds tactics in games.
//! * `difficulty` lets levels of the program try; `trial` judges a move that a person tries; `selection` takes some of many.

mod candidates;
mod choose;
mod collection;
mod difficulty;
mod miner;
mod only_move;
mod range_coder;
mod selection;
mod soundness;
mod tactic;
mod trial;
mod twins;

pub use candidates::GameToMine;
pub use choose::{choose, counts};
#[cfg(not(target_family = "wasm"))]
pub use collection::embedded;
pub use collection::{CollectionError, read, read_file, write};
pub use difficulty::{DifficultyMeter, Solver};
pub use miner::{CHECK_FACTOR, Miner};
pub use only_move::{BestMove, TwoLines};
pub use selection::{TacticSelection, UnknownTheme, theme};
pub use soundness::{Fault, find_fault};
pub use tactic::{Tactic, bare_fen};
pub use trial::{TacticTrial, judge_other, try_move};
pub use twins::Twins;
