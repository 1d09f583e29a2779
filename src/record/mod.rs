//! Game records: moves in the notations of the family, and PGN with them.

mod gbk;
pub mod notation;
pub mod pgn;

pub use gbk::decode;
pub use notation::Notation;
