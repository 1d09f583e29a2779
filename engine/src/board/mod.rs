//! The board: a 256-square mailbox with piece lists and line occupancy, move generation, checks, FEN, SEE and perft.

mod attack_tables;
mod attacks;
mod checks;
mod fen;
mod geometry;
mod move_error;
mod move_list;
mod movegen;
mod observer;
mod perft;
mod piece_list;
mod position;
mod pseudo_legal;
mod repetition;
mod see;
mod symmetry;
mod zobrist;

pub use attack_tables::{SliderAttacks, between, file_attacks, horse_leg, rank_attacks};
pub use checks::CheckSquares;
pub use fen::{FenError, START_FEN};
pub use geometry::Occupancy;
pub use move_error::MoveError;
pub use move_list::{MoveList, ScoredMove};
pub use movegen::GenType;
pub use observer::{BoardObserver, NoObserver};
pub use perft::{MAX_PERFT, PathCount};
pub use piece_list::MAX_SIDE_PIECES;
pub use position::Position;
pub use see::piece_value;
pub use zobrist::piece_key;
