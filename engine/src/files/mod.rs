//! Files that are written whole or not at all, and overwrite nothing that must stay.
//!
//! ```
//! use chuhe_engine::files::write_atomic;
//!
//! let path = std::env::temp_dir().join(format!("chuhe-doc-{}.txt", std::process::id()));
//! write_atomic(&path, b"complete")?; // a crash leaves the old file or the new one
//! assert_eq!(std::fs::read(&path)?, b"complete");
//! std::fs::remove_file(&path)?;
//! # Ok::<(), std::io::Error>(())
//! ```

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
use std::sync::atomic::{AtomicU64, Ordering};

/// The maximum length of a chain of symbolic links.
const MAX_SYMLINKS: usize = 40;

/// Writes a file atomically: to a temporary file beside it, synced to disk, then renamed. A file that exists is
/// replaced (the caller decides whether it may be) and passes on its permissions; a symbolic link is followed and kept.
/// Pipes and devices are written to directly.
pub fn write_atomic(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if is_stream(path) {
        return OpenOptions::new().append(true).open(path)?.write_all(bytes);
    }
    let path = &resolve_symlinks(path)?;
    let part = temporary_path(path, "part");
    let written = create(&part).and_then(|mut file| {
        if let Ok(there) = fs::metadata(path) {
            file.set_permissions(there.permissions())?;
        }
        file.write_all(bytes)?;
        file.sync_all()
    });
    written.and_then(|()| fs::rename(&part, path)).inspect_err(|_| {
        // Remove the incomplete file.
        let _ = fs::remove_file(&part);
    })
}

/// The path of a temporary file beside another one; each call names another file.
pub fn temporary_path(path: &Path, extension: &str) -> PathBuf {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    let mut name: OsString = path.file_name().unwrap_or_default().to_os_string();
    name.push(format!(".{}-{number}.{extension}", std::process::id()));
    path.with_file_name(name)
}

/// Creates a folder and its parents; an existing folder is not an error.
pub fn make_folder(path: &Path) -> io::Result<()> {
    match fs::create_dir_all(path) {
        // `AlreadyExists` also means a file or a broken link; `read_dir` reports what is wrong.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => fs::read_dir(path).map(drop),
        made => made,
    }
}

/// Creates a new file, replacing one left by an earlier process with the same id.
fn create(part: &Path) -> io::Result<File> {
    match File::create_new(part) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            fs::remove_file(part)?;
            File::create_new(part)
        }
        created => created,
    }
}

/// True for a pipe, a terminal or another device, which is written to without replacing it.
pub fn is_stream(path: &Path) -> bool {
    let is_of_the_system = cfg!(unix) && ["/dev", "/proc"].iter().any(|folder| path.starts_with(folder));
    fs::metadata(path).is_ok_and(|there| !there.is_dir() && (!there.is_file() || is_of_the_system))
}

/// Follows symbolic links; the target need not exist.
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
