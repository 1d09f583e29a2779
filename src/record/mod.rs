//! Game records: moves in the notations of the family, positions with moves behind them, and PGN.

mod encoding;
pub mod notation;
pub mod pgn;
mod setup;

pub use encoding::{Encoding, decode};
pub use notation::Notation;
pub use setup::{Setup, SetupError};
