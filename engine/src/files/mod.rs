//! Files that are written whole or not at all, and over nothing that has to stay.

mod error;
mod lock;
mod overwrite;

pub use error::{At, FileError, is_stdio, shown};
pub use lock::{lock, open_locked};
pub use overwrite::{OutputError, OverwritePolicy};

use crate::language::tr;
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// How many symbolic links may lead from one to the next.
const MAX_SYMLINKS: usize = 40;

/// Puts a file into its place, whole or not at all: it is written beside, brought to the disk, and takes the name only then.
/// What had the name is replaced (whether it may be is for the caller to know) and leaves its permissions to it; a symbolic
/// link stays one. What is no file, a pipe or a device, is written to as it is.
pub fn write_atomic(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if is_stream(path) {
        return OpenOptions::new().append(true).open(path)?.write_all(bytes);
    }
    let path = &resolve_symlinks(path)?;
    let mut name: OsString = path.file_name().unwrap_or_default().to_os_string();
    name.push(format!(".{}.part", std::process::id()));
    let part = path.with_file_name(name);
    let written = create(&part).and_then(|mut file| {
        if let Ok(there) = fs::metadata(path) {
            file.set_permissions(there.permissions())?;
        }
        file.write_all(bytes)?;
        file.sync_all()
    });
    written.and_then(|()| fs::rename(&part, path)).inspect_err(|_| {
        // What is left of it is of no use to anybody.
        let _ = fs::remove_file(&part);
    })
}

/// Makes a folder, and those above it, unless it is there.
pub fn make_folder(path: &Path) -> io::Result<()> {
    match fs::create_dir_all(path) {
        // That something is there already says nothing: whoever enters it is told what is wrong with it.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => fs::read_dir(path).map(drop),
        made => made,
    }
}

/// A new file; what an earlier program of the same number left there goes.
fn create(part: &Path) -> io::Result<File> {
    match File::create_new(part) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            fs::remove_file(part)?;
            File::create_new(part)
        }
        created => created,
    }
}

/// Whether what has this name takes bytes and keeps none: a pipe, a terminal, standard output by the names of systems.
pub fn is_stream(path: &Path) -> bool {
    let is_of_the_system = cfg!(unix) && ["/dev", "/proc"].iter().any(|folder| path.starts_with(folder));
    fs::metadata(path).is_ok_and(|there| !there.is_dir() && (!there.is_file() || is_of_the_system))
}

/// Where symbolic links lead to, whether anything is there or not.
fn resolve_symlinks(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_path_buf();
    for _ in 0..MAX_SYMLINKS {
        match fs::read_link(&path) {
            Ok(target) => path = path.parent().map_or_else(|| target.clone(), |folder| folder.join(&target)),
            Err(_) => return Ok(path),
        }
    }
    Err(io::Error::other(tr!("symbolic links that lead nowhere")))
}
