//! Opening books: reading, probing, building and converting them.
//!
//! * `moves` has [`Book`], the trait of all books, the key that a position shares with its mirror image, and a book in memory
//!   that can be modified or built from games; it chooses a book move and remembers what was played before;
//! * `chb` is Chuhe's own format, `database` the SQLite formats (feature `sqlite`); `files` has the `BOOK_COMMENT.DAT` of
//!   ElephantEye, opens a file of any format, walks through a book, and converts it.
//! * `opening_names` names openings.

mod chb;
#[cfg(feature = "sqlite")]
pub mod database;
mod files;
mod moves;
pub mod opening_names;

pub use chb::{ChuheBook, ChuheBookError, write};
pub use files::{
    BookFormat, BookOpenError, BookProblem, BookWriteError, EMBEDDED_BOOK_NAME, EleEyeBook, EleEyeError, EleEyeRecord,
    ReachableBook, UnknownBookFormat, WalkStats, collect_reachable, key as eleeye_key, leaf_lines, open_book,
    position_records, walk, write_book,
};
pub use moves::{
    Book, BookEntry, BookMove, GameCounts, GameImporter, MemoryBook, MirrorKey, OpeningHistory, ProbeError, Variety,
    choose_move, is_legal, playable_moves, weight_percent,
};
