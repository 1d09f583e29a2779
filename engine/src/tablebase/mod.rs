//! Endgame tablebases: building, storing, verifying and probing them.
//!
//! * `material` names the pieces on the board; `placement` and `indexing` number the positions.
//! * `table_board` is a board that steps through positions; `moves` generates forward and backward moves on it.
//! * `retrograde` solves a table; `table` holds one in memory.
//! * `rule_tolerance` finds the draws that the repetition rules could change.
//! * `verify` checks every value against the successors.
//! * `file` reads table files, `write` writes them, `builder` builds tables in the order of their dependencies.
//! * `registry` holds the available tables and probes them.

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
