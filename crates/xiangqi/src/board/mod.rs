//! The board: a 256-square mailbox with piece lists and line occupancy, and its legal moves.
//!
//! # Attacks and exchanges
//!
//! ```
//! use xiangqi::{Color, Move, Position, Square};
//!
//! let position = Position::start();
//! let a2: Square = "a2".parse()?;
//! assert!(position.is_attacked(a2, Color::Red));
//! // Rook, horse, bishop, and the far cannon over the near one.
//! assert_eq!(position.attackers_to(a2, Color::Red).len(), 4);
//! // Static exchange evaluation: a cannon for a horse, and the rook takes back.
//! let mv: Move = "b2b9".parse()?;
//! assert!(position.see_ge(mv, -50) && !position.see_ge(mv, 100));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod attack_tables;
mod attacks;
mod check_info;
mod checks;
mod fen;
mod geometry;
mod illegal_move;
mod mailbox;
mod move_error;
mod move_list;
mod movegen;
mod observer;
mod perft;
mod piece_list;
mod position;
mod position_history;
mod pseudo_legal;
mod see;
mod setup;
mod symmetry;
mod zobrist;

pub use fen::{Counter, FenError, START_FEN};
pub use illegal_move::IllegalMove;
pub use move_error::MoveError;
pub use move_list::{MoveEntry, MoveList};
pub use observer::BoardObserver;
pub use perft::{MAX_PERFT, PathCount};
pub use position::Position;
pub use see::piece_value;
pub use setup::{Setup, SetupError};
pub use zobrist::piece_key;

pub use attack_tables::{between, file_attacks, horse_leg, rank_attacks};
pub use piece_list::MAX_SIDE_PIECES;

// For the engine's own tests.
#[doc(hidden)]
pub use checks::{CheckSquares, PieceChecks};
#[doc(hidden)]
pub use geometry::Occupancy;
