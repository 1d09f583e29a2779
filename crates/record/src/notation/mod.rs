//! Move notations: ICCS (`H2-E2`), WXF (`C2.5`), Chinese (`炮二平五`) and the algebraic notation of chess programs.
//!
//! WXF and Chinese encode the same data (`relative_move`). The reader writes every legal move and takes the one that
//! matches, so everything that can be written can be read.
//!
//! ```
//! use xiangqi::Position;
//! use xiangqi_record::notation::{self, Notation};
//!
//! let position = Position::start();
//! let mv = notation::parse(&position, "炮二平五")?;
//! assert_eq!(Notation::ALL.map(|way| notation::format(&position, mv, way)), ["H2-E2", "h2e2", "C2.5", "炮二平五"]);
//! # Ok::<(), notation::NotationError>(())
//! ```

mod chinese;
pub(crate) mod detect;
pub(crate) mod format;
mod parse;
mod relative_move;
mod wxf;

pub(crate) use chinese::normalize_chinese;
pub(crate) use detect::{detect_notation, strip_move_number};
pub use format::{Notation, ParseNotationError, format, format_line, piece_name};
pub use parse::{NotationError, parse, parse_with_rank_base};
pub(crate) use parse::{error_of, find_move};
pub(crate) use relative_move::Displacement;
