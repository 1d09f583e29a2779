//! Game records of xiangqi: file formats, move notations and encodings.
//!
//! A [`RecordFile`] is the content of a file in any format, which is detected; a [`Game`] is what is read from it: tags, a
//! start position, a tree of moves with comments and marks, a result. All moves of a game are legal. What is wrong in a
//! file is reported with its place ([`RecordError`]), and the rest of the game is kept ([`ParsedGame`]). The crate opens no
//! files: it reads and writes bytes.
//!
//! | What | Where |
//! | --- | --- |
//! | Read a file of any format and encoding | [`RecordFile::read`], [`RecordFile::games`], [`RecordFile::game`] |
//! | Write a game as PGN, XQF, UBB or FEN | [`OutputFormat::write`] |
//! | One format by itself | [`pgn`], [`xqf`], [`ubb`], [`fen_list`]; read only: [`wxf_file`], [`cbr`], [`cbf`], [`free_text`] |
//! | Walk through a game, or build one | [`Game`], [`GameCursor`] |
//! | Moves in ICCS, UCI, WXF, Chinese and Vietnamese notation | [`notation`] |
//! | Moves as people type them, and why one is not legal | [`short_notation`], [`intended_move`] |
//! | How long moves took | [`move_times`] |
//! | Squares with ranks from 0 to 9 or from 1 to 10 | [`RankBase`] |
//! | A position with moves on one line, as in the protocols | [`PositionSpec`] |
//! | Text in UTF-8, UTF-16, GBK or Big5 | [`decode`], [`Encoding`], [`legacy_text`] |
//!
//! ```
//! use xiangqi_record::{Encoding, Notation, OutputFormat, RecordFile, RecordFormat};
//!
//! let file = RecordFile::read("[Red \"甲\"]\n\n1. 炮二平五 马８进７ {a comment} 2. 马二进三 (2. H8+7) *\n");
//! assert_eq!(file.format(), RecordFormat::Pgn);
//! let game = file.game(1)?.into_game()?;
//! assert_eq!(game.tag("Red"), Some("甲"));
//! assert_eq!(game.moves().map(|mv| mv.to_string()).collect::<Vec<_>>(), ["h2e2", "h9g7", "h0g2"]);
//! let text = OutputFormat::Fen.write(&game, Notation::Iccs, Encoding::Utf8)?;
//! assert!(text.ends_with(b" moves h2e2 h9g7 h0g2\n"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Errors are data; `Display` gives English sentences. In WebAssembly the encodings of older programs are those of the host:
//! see [`legacy_text`].
#![deny(unsafe_code)]
#![warn(missing_docs, missing_debug_implementations)]

pub mod cbf;
pub mod cbr;
mod encoding;
pub mod fen_list;
pub mod free_text;
mod game;
pub mod intended_move;
pub mod legacy_text;
pub mod move_times;
mod move_words;
mod movetext;
pub mod notation;
mod output_format;
pub mod pgn;
mod position_spec;
mod rank_base;
mod record_error;
mod record_file;
pub mod short_notation;
mod tokenizer;
pub mod ubb;
pub mod wxf_file;
pub mod xqf;

pub use encoding::{Encoding, ParseEncodingError, decode};
pub use game::{Game, GameCursor, GameNode, GameResult, Nag, NodeId};
pub use notation::Notation;
pub use output_format::{OutputFormat, OutputFormatError, PieceCountError};
pub use position_spec::{PositionSpec, PositionSpecError};
pub use rank_base::RankBase;
pub use record_error::{FilePart, Location, ParsedGame, RecordError, RecordErrorKind};
pub use record_file::{ParsedGames, RecordFile, RecordFileError, RecordFormat};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
