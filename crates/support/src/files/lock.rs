//! File locks, for files that only one process may write at a time.

use super::open::open_regular_with;
use std::fs::{File, OpenOptions, TryLockError};
use std::path::Path;
use std::time::Duration;
use std::{io, thread};

/// How often a lock is tried, and the pause between two tries.
const LOCK_ATTEMPTS: usize = 10;
/// The same where a lock is soon given back: ten seconds, as the disk may be slow.
const BRIEF_LOCK_ATTEMPTS: usize = 500;
const LOCK_RETRY_DELAY: Duration = Duration::from_millis(20);

/// Locks a file. A child process shares the parent's locks until it executes its program, so a held lock is tried again
/// a few times.
pub fn lock(file: &File) -> Result<(), TryLockError> {
    lock_within(file, LOCK_ATTEMPTS)
}

/// The same for a lock that another program holds for a moment only: it is waited for.
pub fn wait_for_lock(file: &File) -> Result<(), TryLockError> {
    lock_within(file, BRIEF_LOCK_ATTEMPTS)
}

fn lock_within(file: &File, attempts: usize) -> Result<(), TryLockError> {
    for _ in 1..attempts {
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => thread::sleep(LOCK_RETRY_DELAY),
            outcome => return outcome,
        }
    }
    file.try_lock()
}

/// Opens and locks a regular file; the lock ends with the process. Returns `WouldBlock` if another process holds it.
#[cfg(not(windows))]
pub fn open_locked(mut options: OpenOptions, path: &Path) -> io::Result<File> {
    let file = open_regular_with(&mut options, path)?;
    match lock(&file) {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Err(io::ErrorKind::WouldBlock.into()),
        // Some file systems have no locks; then nothing prevents two writers.
        Err(TryLockError::Error(error)) => log::warn!("{} cannot be locked: {error}", path.display()),
    }
    Ok(file)
}

/// Opens a regular file for exclusive writing and returns `WouldBlock` if another process has it. A Windows lock would also
/// block readers, so the share mode is used instead.
#[cfg(windows)]
pub fn open_locked(mut options: OpenOptions, path: &Path) -> io::Result<File> {
    use std::os::windows::fs::OpenOptionsExt;
    const FILE_SHARE_READ: u32 = 1;
    const ERROR_SHARING_VIOLATION: i32 = 32;
    open_regular_with(options.share_mode(FILE_SHARE_READ), path).map_err(|error| match error.raw_os_error() {
        Some(ERROR_SHARING_VIOLATION) => io::ErrorKind::WouldBlock.into(),
        _ => error,
    })
}
