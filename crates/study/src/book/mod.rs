//! Opening books: reading, probing, building and converting them.
//!
//! * [`Book`] is the trait of all books; `mirror` maps a position and its mirror image to one key.
//! * `memory_book` is a book in memory that can be modified; `chb` is Chuhe's own format, `eleeye` the
//!   `BOOK_COMMENT.DAT` of ElephantEye, `database` the SQLite formats (feature `sqlite`). `open` detects the format of
//!   a file.
//! * `choose` chooses a book move and remembers what was played before.
//! * `traverse` walks through a book and lists its leaves, `convert` converts between formats; `opening_names` names
//!   openings.
//! * `from_games` builds a book from games.

mod chb;
mod choose;
mod convert;
#[cfg(feature = "sqlite")]
pub mod database;
mod eleeye;
mod from_games;
pub mod memory_book;
pub mod mirror;
mod open;
pub mod opening_names;
mod traverse;

pub use chb::{ChuheBook, ChuheBookError, write};
pub use choose::{OpeningHistory, Variety, choose_move, playable_moves};
use chuhe_engine::score::Score;
use chuhe_support::language::Phrase;
use chuhe_support::small_sort::SmallSort;
pub use convert::{BookFormat, BookWriteError, ReachableBook, UnknownBookFormat, collect_reachable, write_book};
pub use eleeye::{EleEyeBook, EleEyeError, EleEyeRecord, key as eleeye_key, position_records};
pub use from_games::GameImporter;
pub use memory_book::{BookEntry, MemoryBook};
pub use mirror::MirrorKey;
pub use open::{BookOpenError, BookProblem, EMBEDDED_BOOK_NAME, open_book};
use thiserror::Error;
pub use traverse::{WalkStats, leaf_lines, walk};
use xiangqi::{Move, Position};

/// Results of games from the view of the side that made a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct GameCounts {
    pub won: u32,
    pub drawn: u32,
    pub lost: u32,
}

impl GameCounts {
    /// The total number of games.
    pub fn count(self) -> u64 {
        u64::from(self.won) + u64::from(self.drawn) + u64::from(self.lost)
    }

    /// The sum of two counts.
    pub fn plus(self, other: GameCounts) -> GameCounts {
        GameCounts {
            won: self.won.saturating_add(other.won),
            drawn: self.drawn.saturating_add(other.drawn),
            lost: self.lost.saturating_add(other.lost),
        }
    }
}

/// A move of a book with its data.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BookMove {
    pub mv: Move,
    /// The relative frequency among the moves; 0 = known, but not to be played.
    pub weight: u32,
    /// The score for the mover, in hundredths of a minor piece, if known.
    pub score: Option<Score>,
    /// The results of games with this move, if the book counts them.
    pub games: GameCounts,
}

/// The share of a move among these moves in percent.
pub fn weight_percent(entry: &BookMove, moves: &[BookMove]) -> f64 {
    let sum: u64 = moves.iter().map(|entry| u64::from(entry.weight)).sum();
    100.0 * f64::from(entry.weight) / (sum as f64).max(1.0)
}

/// A book that can no longer be read.
#[derive(Debug, Error)]
#[error("{0}")]
pub struct ProbeError(pub String);

/// An opening book.
pub trait Book: Send + Sync {
    /// The stored moves of a position. They may be illegal because of key collisions or damaged files.
    fn raw_moves(&self, position: &Position) -> Result<Vec<BookMove>, ProbeError>;

    /// The legal moves, sorted by descending weight. Empty if the position is unknown.
    fn moves(&self, position: &Position) -> Result<Vec<BookMove>, ProbeError> {
        let mut moves = self.raw_moves(position)?;
        moves.retain(|entry| is_legal(position, entry.mv));
        moves.order_by_key(|entry| (std::cmp::Reverse(entry.weight), entry.mv));
        Ok(moves)
    }

    /// The number of entries (one per move), as far as known; shows how much a traversal missed.
    fn entries(&self) -> u64;

    /// A short description of the format.
    fn kind(&self) -> Phrase;
}

/// Whether a book move is legal.
pub fn is_legal(position: &Position, mv: Move) -> bool {
    position.is_pseudo_legal(mv) && position.is_legal(mv)
}
