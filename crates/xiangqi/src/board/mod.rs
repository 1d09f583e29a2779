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

pub(crate) mod attacks;
pub(crate) mod checks;
pub mod fen;
mod legality;
pub(crate) mod mailbox;
pub(crate) mod move_list;
mod movegen;
pub mod perft;
mod position;
pub(crate) mod see;
mod setup;
pub mod zobrist;

pub use legality::{IllegalMove, IllegalMoveReason};
pub use move_list::MoveList;
pub use position::Position;
pub use setup::{PackedPosition, Setup, SetupError};
