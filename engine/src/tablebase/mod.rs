//! Endgame tables: perfect play where few pieces are left.
//!
//! * `material` names what stands on the board, `placement` and `layout` number its positions;
//! * `cursor` walks through them, `moves` are its moves, forward and back;
//! * `solve` makes a table, `table` holds one in memory, a `cell` is what it knows of a position;
//! * `tolerance` proves that its draws are draws under every rule of repetition, or says which are doubtful;
//! * `verify` derives every value again;
//! * `file` is how a table lies on disk, `write` puts it there, `maker` makes tables in the order in which they need
//!   each other;
//! * `shelf` holds the tables at hand while somebody plays, and answers questions.

mod cell;
mod cursor;
mod file;
mod layout;
mod maker;
mod material;
mod moves;
mod parallel;
mod placement;
mod shelf;
mod solve;
mod table;
mod tolerance;
mod verify;
mod write;

pub use cell::Value;
pub use file::{Content, EXTENSION, FileError, TableFile};
pub use layout::Layout;
pub use maker::{Made, MakeError, Maker, load, memory_to_make};
pub use material::{Material, ParseMaterialError, ParseSetError, Set};
pub use shelf::{Answer, Remark, Shelf, files_in};
pub use solve::SolveError;
pub use table::{Count, Links, Table};
pub use verify::{Findings, fen, verify};
pub use write::{pack, path_of};
