//! Endgame tables: perfect play with few pieces on the board.
//!
//! # Probe
//!
//! ```
//! use chuhe_engine::{ProbeResult, Tablebase};
//! use xiangqi::Position;
//!
//! let tables = Tablebase::built_in(); // `Tablebase::open` adds the tables of folders
//! let rook_wins = Position::from_fen("4k4/9/9/9/9/9/9/9/9/3K1R3 w - - 0 1")?;
//! assert!(matches!(tables.probe(&rook_wins), Some(ProbeResult::Win(_))));
//! assert_eq!(tables.probe(&Position::start()), None);
//! # Ok::<(), xiangqi::fen::FenError>(())
//! ```
//!
//! A search probes the tables in [`Searcher::tablebase`](crate::search::Searcher::tablebase).
//!
//! # Build
//!
//! The table of king and rook against king, with the distance to mate (DTM) of each position:
//!
//! ```
//! use chuhe_engine::tablebase::{Material, TableBuilder, TableValue, verify};
//! use xiangqi::Position;
//!
//! let material: Material = "KRK".parse()?;
//! let mut builder = TableBuilder::new(2); // two threads
//! let table = builder.table(material)?;
//! let mate_in_one = Position::from_fen("4k4/9/9/9/9/9/9/9/8R/3K5 w - - 0 1")?;
//! assert!(matches!(table.value(&mate_in_one), Some(TableValue::Win(_))));
//! let report = verify(&table, &builder.successors(material)?, 2, 1); // on two threads, each position
//! assert_eq!(report.wrong, 0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Modules
//!
//! * `material` names the pieces on the board; `placement` and `indexing` number their positions.
//! * `table_board` steps through positions by index; `moves` generates their moves, forward and backward.
//! * `generator` solves a table; `table` holds one in memory.
//! * `rule_tolerance` proves that draws hold under every rule of repetition, or marks them doubtful.
//! * `verify` derives each value again from the values of its successors.
//! * `file` reads tables on disk, `write` writes them, `builder` builds tables in the order of their captures.
//! * `probe` holds the tables that are available to a search, and probes them; `core_tables` are those of the program.

mod builder;
mod core_tables;
mod file;
mod generator;
mod indexing;
mod material;
mod moves;
mod parallel;
mod placement;
mod probe;
mod rule_tolerance;
mod table;
mod table_board;
mod verify;

pub use builder::{BuildError, EncodedTable, TableBuilder, memory_to_build, read_table};
#[cfg(chuhe_tables = "lent")]
pub use core_tables::lend_tables;
pub use file::{HeaderPart, MAGIC, TableFile, TableFileError, TableFormat, table_path};
pub use generator::SolveError;
// For the program's commands that inspect and pack tables.
#[doc(hidden)]
pub use indexing::PositionIndexing;
pub use material::{Material, ParseMaterialError, ParseTableSetError, SideMaterial, TableSet};
pub use probe::{ProbeResult, TableWarning, Tablebase, files_in};
pub use table::{EndgameTable, SuccessorTables, TableStats, TableValue};
#[doc(hidden)]
pub use verify::fen_of_index;
pub use verify::{VerifyReport, verify};
