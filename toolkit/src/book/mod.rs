//! Opening books: who answers for a position, from which file, and with which of its moves.
//!
//! * `answer` is the question that every book answers, and what an answer is made of; `mirror` puts a position and its
//!   mirror image on one page.
//! * `memory_book` are books while they are made; `chb` is how Chuhe keeps them, on disk and inside the program; `eleeye` is
//!   the `BOOK_COMMENT.DAT` of others, `database` the SQLite books (feature `sqlite`). `open` tells the kinds of files apart.
//! * `choose` picks the move that is played, with a `choose` of what was played before.
//! * `traverse` goes through a book, `convert` makes one kind of another, `traverse` are its leaves; `opening_names` says what openings
//!   are called.
//! * `import` makes a book out of games.

mod chb;
mod choose;
mod convert;
#[cfg(feature = "sqlite")]
pub mod database;
mod eleeye;
mod import;
pub mod memory_book;
pub mod mirror;
mod open;
pub mod opening_names;
mod traverse;

pub use chb::{ChuheBook, ChuheBookError, write};
pub use choose::{OpeningHistory, Variety, choose_move, playable_moves};
use chuhe_engine::board::Position;
use chuhe_engine::language::Phrase;
use chuhe_engine::types::{Move, Score};
pub use convert::{BookFormat, BookWriteError, ReachableBook, UnknownBookFormat, collect_reachable, write_book};
pub use eleeye::{EleEyeBook, EleEyeError, EleEyeRecord, key as eleeye_key, position_records};
pub use import::GameImporter;
pub use memory_book::{BookEntry, MemoryBook};
pub use mirror::MirrorKey;
pub use open::{BookOpenError, BookProblem, EMBEDDED_BOOK_NAME, open_book};
use thiserror::Error;
pub use traverse::{WalkStats, leaf_lines, walk};

/// How games went for the side that made a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct GameCounts {
    pub won: u32,
    pub drawn: u32,
    pub lost: u32,
}

impl GameCounts {
    /// How many there are.
    pub fn count(self) -> u64 {
        u64::from(self.won) + u64::from(self.drawn) + u64::from(self.lost)
    }

    /// Those of two books together.
    pub fn plus(self, other: GameCounts) -> GameCounts {
        GameCounts {
            won: self.won.saturating_add(other.won),
            drawn: self.drawn.saturating_add(other.drawn),
            lost: self.lost.saturating_add(other.lost),
        }
    }
}

/// A move of a book and what the book says about it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BookMove {
    pub mv: Move,
    /// How often it is to be played, beside the other moves; 0 = known, but not to be played.
    pub weight: u32,
    /// What it is worth to the side that makes it, in hundredths of a minor piece, if the book knows.
    pub score: Option<Score>,
    /// The games behind it, if the book counts them.
    pub games: GameCounts,
}

/// Of a hundred choices among these moves so many fall on this one.
pub fn weight_percent(entry: &BookMove, moves: &[BookMove]) -> f64 {
    let sum: u64 = moves.iter().map(|entry| u64::from(entry.weight)).sum();
    100.0 * f64::from(entry.weight) / (sum as f64).max(1.0)
}

/// Why a book does not answer any more.
#[derive(Debug, Error)]
#[error("{0}")]
pub struct ProbeError(pub String);

/// Who answers for a position?
pub trait Book: Send + Sync {
    /// The moves that the book has here as they stand in it. Keys of positions collide and files lie: some may be none.
    fn raw_moves(&self, position: &Position) -> Result<Vec<BookMove>, ProbeError>;

    /// The legal ones of them, the heaviest first. Empty if the book does not know the position.
    fn moves(&self, position: &Position) -> Result<Vec<BookMove>, ProbeError> {
        let mut moves = self.raw_moves(position)?;
        moves.retain(|entry| is_legal(position, entry.mv));
        moves.sort_by_key(|entry| (std::cmp::Reverse(entry.weight), entry.mv));
        Ok(moves)
    }

    /// How many entries it has, a move each, as far as it can tell: from there walks know what they missed.
    fn entries(&self) -> u64;

    /// What kind of book it is, in a few words.
    fn kind(&self) -> Phrase;
}

/// Whether a move out of a book may be made.
pub fn is_legal(position: &Position, mv: Move) -> bool {
    position.is_pseudo_legal(mv) && position.is_legal(mv)
}
