//! Game records: move notations, positions with moves, and games in all file formats.
#![deny(unsafe_code)]

mod algebraic;
pub mod cbf;
pub mod cbr;
mod encoding;
mod error;
pub mod fen_list;
pub mod free_text;
pub mod game;
pub mod intended_move;
pub mod legacy_text;
mod movetext;
pub mod named_verdict;
pub mod notation;
mod output_format;
pub mod pgn;
mod position_spec;
mod rank_base;
mod raw_board;
pub mod record_file;
pub mod short_notation;
mod tokenizer;
mod tree_builder;
pub mod ubb;
pub mod wxf_file;
pub mod xqf;

pub use encoding::{Encoding, decode};
pub use error::{Location, ParsedGame, RecordError, RecordErrorKind};
pub use game::{Game, GameCursor, GameResult, Nag, NodeId};
pub use notation::Notation;
pub use output_format::{OutputFormatError, Target};
pub use position_spec::{PositionSpec, PositionSpecError};
pub use rank_base::RankBase;
pub use raw_board::PieceCountError;
pub use record_file::{RecordFile, RecordFileError, RecordFormat};
