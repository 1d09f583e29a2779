//! The steps that change the disk. In builds with assertions a test can make each of them fail as on a full disk.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::Path;

#[cfg(debug_assertions)]
pub use faults::{Failing, set_failing};

#[cfg(debug_assertions)]
use faults::begin_step;

#[cfg(not(debug_assertions))]
fn begin_step() -> io::Result<()> {
    Ok(())
}

#[cfg(debug_assertions)]
mod faults {
    use std::cell::Cell;
    use std::io::{self, ErrorKind};

    /// Which steps of this thread fail.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Failing {
        /// None: as it is outside of tests.
        None,
        /// The step of this number, counted from 0.
        Once(usize),
        /// All from the step of this number on, as after a kill: nothing can be taken back, either.
        From(usize),
    }

    thread_local! {
        static FAILING: Cell<(Failing, usize)> = const { Cell::new((Failing::None, 0)) };
    }

    /// Makes steps of this thread fail from now on, for tests, and returns how many there were since the last call.
    pub fn set_failing(failing: Failing) -> usize {
        FAILING.replace((failing, 0)).1
    }

    /// Counts a step; an error if it is to fail.
    pub(super) fn begin_step() -> io::Result<()> {
        let (failing, number) = FAILING.get();
        FAILING.set((failing, number + 1));
        let fails = match failing {
            Failing::None => false,
            Failing::Once(index) => number == index,
            Failing::From(index) => number >= index,
        };
        if fails { Err(ErrorKind::StorageFull.into()) } else { Ok(()) }
    }
}

/// Creates a file that is not there yet.
pub(super) fn create_new(path: &Path) -> io::Result<File> {
    begin_step()?;
    File::create_new(path)
}

/// Writes bytes. A write that is made to fail leaves half of them, as a full disk does.
pub(super) fn write_all(file: &mut File, bytes: &[u8]) -> io::Result<()> {
    begin_step().or_else(|error| file.write_all(&bytes[..bytes.len() / 2]).and(Err(error)))?;
    file.write_all(bytes)
}

/// Waits until the content of a file is on the disk.
pub(super) fn sync(file: &File) -> io::Result<()> {
    begin_step()?;
    file.sync_all()
}

/// Cuts a file.
pub(super) fn set_length(file: &File, length: u64) -> io::Result<()> {
    begin_step()?;
    file.set_len(length)
}

/// Renames a file and replaces what has the name.
pub(super) fn rename(from: &Path, to: &Path) -> io::Result<()> {
    begin_step()?;
    fs::rename(from, to)
}

/// Removes a file; one that is not there is no error.
pub fn remove(path: &Path) -> io::Result<()> {
    begin_step()?;
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Waits until the names in the folder of a file are on the disk: a file that was renamed has its new name after a
/// power cut, too. Not all systems and file systems can do that.
pub fn sync_folder(path: &Path) -> io::Result<()> {
    begin_step()?;
    if cfg!(windows) {
        return Ok(());
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let Ok(folder) = File::open(folder) else { return Ok(()) };
    match folder.sync_all() {
        Err(error) if error.kind() == ErrorKind::StorageFull || error.raw_os_error() == Some(EIO) => Err(error),
        _ => Ok(()),
    }
}

/// An error of the disk itself; others say that folders cannot be synced here.
const EIO: i32 = 5;
