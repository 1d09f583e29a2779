//! The board: a 256-square mailbox with piece lists and line occupancy, and every legal move on it.

mod attack_tables;
mod attacks;
mod check_squares;
mod checks;
mod fen;
mod movegen;
mod movelist;
mod observer;
mod past;
mod perft;
mod piece_list;
mod position;
mod pseudo;
mod reach;
mod refusal;
mod see;
mod symmetry;
mod zobrist;

pub use attack_tables::{LineAttacks, between, file_attacks, horse_leg, rank_attacks};
pub use check_squares::CheckSquares;
pub use fen::{FenError, START_FEN};
pub use movegen::Wanted;
pub use movelist::{MoveList, ScoredMove};
pub use observer::{BoardObserver, NoObserver};
pub use perft::{MAX_PERFT, PathCount};
pub use piece_list::MAX_SIDE_PIECES;
pub use position::Position;
pub use reach::Occupancy;
pub use refusal::MoveError;
pub use see::piece_value;
pub use zobrist::piece_key;
