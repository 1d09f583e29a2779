//! Files that one program adds to, and no other at the same time.

use std::fs::{File, OpenOptions, TryLockError};
use std::path::Path;
use std::time::Duration;
use std::{io, thread};

/// How often a lock is asked for, and how long between.
const LOCK_ATTEMPTS: usize = 10;
const LOCK_RETRY_DELAY: Duration = Duration::from_millis(20);

/// Locks a file. Whoever starts a program shares his locks with it for a moment, also those that he gives back meanwhile:
/// so one that is held is asked for a few times.
pub fn lock(file: &File) -> Result<(), TryLockError> {
    for _ in 1..LOCK_ATTEMPTS {
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => thread::sleep(LOCK_RETRY_DELAY),
            outcome => return outcome,
        }
    }
    file.try_lock()
}

/// Opens a file with a lock that goes with the process, however it ends; `WouldBlock` if another program has it.
#[cfg(not(windows))]
pub fn open_locked(options: OpenOptions, path: &Path) -> io::Result<File> {
    let file = options.open(path)?;
    match lock(&file) {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Err(io::ErrorKind::WouldBlock.into()),
        // Some file systems know no locks; then it is up to the user.
        Err(TryLockError::Error(error)) => log::warn!("{} cannot be locked: {error}", path.display()),
    }
    Ok(file)
}

/// Here a locked file could not even be read by others; to open it for writing alone does as much.
#[cfg(windows)]
pub fn open_locked(mut options: OpenOptions, path: &Path) -> io::Result<File> {
    use std::os::windows::fs::OpenOptionsExt;
    const FILE_SHARE_READ: u32 = 1;
    const ERROR_SHARING_VIOLATION: i32 = 32;
    options.share_mode(FILE_SHARE_READ).open(path).map_err(|error| match error.raw_os_error() {
        Some(ERROR_SHARING_VIOLATION) => io::ErrorKind::WouldBlock.into(),
        _ => error,
    })
}
