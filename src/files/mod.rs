//! Files that are written whole or not at all, and some over nothing but their own kind.

mod error;
mod kind;

pub use error::{At, FileError};
pub use kind::{Kind, OutputError};

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

/// Puts a file into its place, whole or not at all: it is written beside, brought to the disk, and takes the name only then.
/// What had the name is replaced; whether it may be is for the caller to know.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut name: OsString = path.file_name().unwrap_or_default().to_os_string();
    name.push(format!(".{}.part", std::process::id()));
    let part = path.with_file_name(name);
    let written = File::create(&part).and_then(|mut file| {
        file.write_all(bytes)?;
        file.sync_all()
    });
    written.and_then(|()| fs::rename(&part, path)).inspect_err(|_| {
        // What is left of it is of no use to anybody.
        let _ = fs::remove_file(&part);
    })
}
