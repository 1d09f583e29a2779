//! Endgame tables: perfect play where few pieces are left.
//!
//! * `material` names what stands on the board, `placement` and `indexing` number its positions;
//! * `table_board` walks through them, `moves` are its moves, forward and back;
//! * `retrograde` makes a table, `table` holds one in memory, a `table` is what it knows of a position;
//! * `rule_tolerance` proves that its draws are draws under every rule of repetition, or says which are doubtful;
//! * `verify` derives every value again;
//! * `file` is how a table lies on disk, `write` puts it there, `builder` makes tables in the order in which they need
//!   each other;
//! * `registry` holds the tables at hand while somebody plays, and answers questions.

mod builder;
mod file;
mod indexing;
mod material;
mod moves;
mod parallel;
mod placement;
mod registry;
mod retrograde;
mod rule_tolerance;
mod table;
mod table_board;
mod verify;
mod write;

pub use builder::{BuildError, BuiltTable, TableBuilder, memory_to_build, read_table};
pub use file::{EXTENSION, TableFile, TableFileError, TableFormat};
pub use indexing::PositionIndexing;
pub use material::{Material, ParseMaterialError, ParseTableSetError, TableSet};
pub use registry::{ProbeResult, TableWarning, Tablebase, files_in};
pub use retrograde::SolveError;
pub use table::{EndgameTable, SuccessorTables, TableStats, TableValue};
pub use verify::{VerifyReport, fen_of_index, verify};
pub use write::{encode_table, table_path};
