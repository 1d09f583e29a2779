//! Move notations: ICCS (`H2-E2`), WXF (`C2.5`), Chinese (`炮二平五`), Vietnamese (`P2-5`) and the algebraic notation of
//! chess programs.
//!
//! WXF, Chinese and Vietnamese encode the same data (`relative_move`). The reader writes every legal move and takes the one
//! that matches, so everything that can be written can be read.
//!
//! ```
//! use xiangqi::Position;
//! use xiangqi_record::notation::{self, Notation};
//!
//! let position = Position::start();
//! let mv = notation::parse(&position, "炮二平五")?;
//! assert_eq!(Notation::ALL.map(|way| notation::format(&position, mv, way)), ["H2-E2", "h2e2", "C2.5", "炮二平五", "P2-5"]);
//! # Ok::<(), notation::NotationError>(())
//! ```
//!
//! A word of letters may be legal in WXF and in Vietnamese and mean two moves. Alone it is refused, unless its notation is
//! given ([`ReadOptions`]); in a game all words are read in one of these two notations.

mod chinese;
pub(crate) mod format;
mod letters;
mod parse;
mod vietnamese;
mod wxf;

pub(crate) use format::{Displacement, RelativeMove};
pub use format::{Notation, ParseNotationError, format, format_line, piece_name};
pub(crate) use letters::{LetterEvidence, Letters};
pub(crate) use letters::{detect_notations, strip_move_number};
pub use parse::{NotationError, ReadOptions, parse, parse_with};
pub(crate) use parse::{error_of, find_move, parse_word};
pub(crate) use vietnamese::VietnameseWord;
