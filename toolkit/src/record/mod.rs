//! Game records: moves in the notations of the family, positions with moves behind them, and games as people keep them.

mod algebraic;
pub mod cbf;
pub mod cbr;
mod encoding;
mod fault;
pub mod fen_list;
pub mod game;
mod grid;
mod grower;
mod movetext;
pub mod notation;
pub mod pasted;
pub mod pgn;
mod ranks;
mod setup;
pub mod short;
pub mod source;
mod target;
mod tokens;
pub mod ubb;
pub mod wxf;
pub mod xqf;

pub use encoding::{Encoding, decode};
pub use fault::{Fault, Flaw, Place, Reading};
pub use game::{Game, GameResult, Nag, NodeId, Walker};
pub use grid::CrowdError;
pub use notation::Notation;
pub use ranks::Ranks;
pub use setup::{Setup, SetupError};
pub use source::{Format, Source, SourceError};
pub use target::{Target, TargetError};
