//! Opening books: reading, probing, building and converting them.
//!
//! * `moves` has [`Book`], the trait of all books, the key that a position shares with its mirror image, and a book in memory
//!   that can be modified or built from games;
//! * `chb` is Chuhe's own format, `eleeye` the `BOOK_COMMENT.DAT` of ElephantEye, `database` the SQLite formats (feature
//!   `sqlite`); `files` opens a file of any format, walks through a book, and converts it.
//! * `choose` chooses a book move and remembers what was played before; `opening_names` names openings.

mod chb;
mod choose;
#[cfg(feature = "sqlite")]
pub mod database;
mod eleeye;
mod files;
mod moves;
pub mod opening_names;

pub use chb::{ChuheBook, ChuheBookError, write};
pub use choose::{OpeningHistory, Variety, choose_move, playable_moves};
pub use eleeye::{EleEyeBook, EleEyeError, EleEyeRecord, key as eleeye_key, position_records};
pub use files::{
    BookFormat, BookOpenError, BookProblem, BookWriteError, EMBEDDED_BOOK_NAME, ReachableBook, UnknownBookFormat,
    WalkStats, collect_reachable, leaf_lines, open_book, walk, write_book,
};
pub use moves::{
    Book, BookEntry, BookMove, GameCounts, GameImporter, MemoryBook, MirrorKey, ProbeError, is_legal, weight_percent,
};
