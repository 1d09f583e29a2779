//! The board: a 256-square mailbox with piece lists and line occupancy, and its legal moves.
//!
//! A [`Position`] holds its history: it takes moves back and detects repetitions.
//!
//! # Legal moves
//!
//! ```
//! use xiangqi::{Move, Position};
//!
//! let mut position = Position::start();
//! for mv in &position.legal_moves() {
//!     position.play_unchecked(mv); // a generated move is legal
//!     assert!(position.has_legal_move());
//!     position.undo();
//! }
//! let is_capture = |mv: &Move| position.piece_at(mv.to()).is_some();
//! assert_eq!(position.legal_moves().moves().filter(is_capture).count(), 2); // cannon takes horse
//! ```
//!
//! # Moves from outside
//!
//! ```
//! use xiangqi::{Move, MoveError, Position};
//!
//! // The kings would face each other if the horse left the file.
//! let mut position = Position::from_fen("4k4/9/9/9/9/4N4/9/9/9/4K4 w - - 0 1")?;
//! let mv: Move = "e4d6".parse()?;
//! assert!(matches!(position.play(mv), Err(MoveError::InCheck(..))));
//! position.play("e0d0".parse()?)?;
//! assert_eq!(position.last_move().to_string(), "e0d0");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Perft
//!
//! ```
//! use xiangqi::Position;
//!
//! assert_eq!(Position::start().perft(3), 79_666);
//! let count = Position::start().divide(2, 2); // depth 2 on two threads
//! assert_eq!(count.nodes, 1_920);
//! assert_eq!(count.below.len(), 44);
//! ```
//!
//! # Attacks and exchanges
//!
//! ```
//! use xiangqi::{Color, Move, Position, Square};
//!
//! let position = Position::start();
//! let a2 = "a2".parse::<Square>().unwrap();
//! assert!(position.is_attacked(a2, Color::Red));
//! // Rook, horse, bishop, and the far cannon over the near one.
//! assert_eq!(position.attackers_to(a2, Color::Red).len(), 4);
//! // Static exchange evaluation: a cannon for a horse, and the rook takes back.
//! let mv: Move = "b2b9".parse()?;
//! assert!(position.see_ge(mv, -50) && !position.see_ge(mv, 100));
//! # Ok::<(), xiangqi::ParseMoveError>(())
//! ```

mod attack_tables;
mod attacks;
mod checks;
mod fen;
mod geometry;
mod illegal_move;
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
pub use move_list::{MoveList, ScoredMove};
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
pub use checks::CheckSquares;
#[doc(hidden)]
pub use geometry::Occupancy;
