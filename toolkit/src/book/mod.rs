//! Opening books: who answers for a position, from which file, and with which of its moves.
//!
//! * `answer` is the question that every book answers, and what an answer is made of; `fold` puts a position and its
//!   mirror image on one page.
//! * `pages` are books while they are made; `own` is how Chuhe keeps them, on disk and inside the program; `eleeye` is
//!   the `BOOK.DAT` of others, `database` the SQLite books (feature `sqlite`). `open` tells the kinds of files apart.
//! * `choose` picks the move that is played, with a `memory` of what was played before.
//! * `walk` goes through a book, `turn` makes one kind of another, `openings` are its leaves; `names` says what openings
//!   are called.
//! * `import` makes a book out of games.

mod answer;
mod choose;
#[cfg(feature = "sqlite")]
pub mod database;
mod eleeye;
pub mod fold;
mod import;
mod memory;
pub mod names;
mod open;
mod openings;
mod own;
pub mod pages;
mod turn;
mod walk;

pub use answer::{Book, BookMove, Games, ProbeError, percent};
pub use choose::{Variety, choose, playable};
pub use eleeye::{EleEyeBook, EleEyeError, Record, key as eleeye_key, records_of};
pub use fold::Folded;
pub use import::Import;
pub use memory::Memory;
pub use open::{EMBEDDED, OpenError, Problem, open};
pub use openings::openings;
pub use own::{OwnBook, OwnError, write};
pub use pages::{Entry, Pages};
pub use turn::{Format, PutError, Turned, UnknownFormat, gather, put};
pub use walk::{Walked, walk};
