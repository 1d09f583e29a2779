//! Files that are written whole or not at all, and overwrite nothing that must stay.
//!
//! ```
//! use chuhe_support::files::write_atomic;
//!
//! let path = std::env::temp_dir().join(format!("chuhe-doc-{}.txt", std::process::id()));
//! write_atomic(&path, b"complete")?; // a crash leaves the old file or the new one
//! assert_eq!(std::fs::read(&path)?, b"complete");
//! std::fs::remove_file(&path)?;
//! # Ok::<(), std::io::Error>(())
//! ```

mod atomic;
mod file_error;
mod file_name;
mod folder;
mod json_lines;
mod open;
mod state_file;
mod steps;

pub use atomic::{
    AtomicFile, OutputError, OverwritePolicy, is_stream, make_folder, part_path, remove_stale_parts, remove_unlocked,
    rename_synced, replace_regular, write_atomic,
};
pub use file_error::{At, FileError, is_stdio, shown};
pub use file_name::{safe_file_name, visible_name};
pub use folder::{Folder, MemoryFolder};
pub use json_lines::{AppendFile, JsonLines, LinePlace, Synced, json_line};
pub use open::{
    MAX_INPUT_SIZE, lock, open_input, open_locked, open_regular, open_regular_with, read_input, read_limited,
    read_line, read_regular, read_text, read_wanted,
};
pub use state_file::{
    FORMAT_FIELD, JsonState, Parsed, State, StateError, StateFile, StateNote, StateNotes, copy_aside,
};
#[cfg(debug_assertions)]
#[doc(hidden)]
pub use steps::{Failing, set_failing};
pub use steps::{remove, sync_folder};
