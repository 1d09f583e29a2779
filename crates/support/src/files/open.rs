//! Opening files that somebody else may have named or put there: a pipe would block and a device would never end.
//!
//! File locks, for files that only one process may write at a time.

use super::{is_stdio, shown};
use crate::language::{print_error, tr};
use crate::memory::may_fail;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufRead, ErrorKind, Read};
use std::path::Path;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// The size limit of files that are read as a whole and have no smaller limit of their own: collections of games.
pub const MAX_INPUT_SIZE: u64 = 1 << 30;

/// The part of an input that is looked at before the rest is read.
const HEAD_SIZE: u64 = 1 << 20;

/// The size limit of settings.
const MAX_TEXT_SIZE: u64 = 1 << 24;

/// After this a person is told that a pipe has no writer.
const SILENT_WAIT: Duration = Duration::from_secs(1);

/// Opens a regular file for reading. Pipes, devices and folders are errors; nothing blocks.
pub fn open_regular(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    open_regular_with(options.read(true), path)
}

/// The same with these options.
pub fn open_regular_with(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    // Some devices do something when they are opened, so that is prevented where it can be known beforehand.
    if let Ok(there) = fs::metadata(path) {
        check_regular(&there)?;
    }
    let file = do_not_block(options).open(path)?;
    check_regular(&file.metadata()?)?;
    Ok(file)
}

/// Reads a regular file that is not larger than this.
pub fn read_regular(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let file = open_regular(path)?;
    let length = file.metadata()?.len();
    if length > limit {
        return Err(too_large(limit));
    }
    read_limited(file, limit)
}

/// Reads what the user named on the command line, which may be a pipe (`<(command)`, `/dev/stdin`) or, as `-`, standard
/// input, up to this size. Of what has an unwanted beginning, the beginning is returned, and the rest is not read.
pub fn read_input(path: &Path, limit: u64, is_wanted: impl FnOnce(&[u8]) -> bool) -> io::Result<Vec<u8>> {
    if is_stdio(path) {
        return read_wanted(io::stdin().lock(), limit, is_wanted);
    }
    let file = open_input(path)?;
    if file.metadata().is_ok_and(|there| there.is_file() && there.len() > limit) {
        return Err(too_large(limit));
    }
    read_wanted(file, limit, is_wanted)
}

/// Reads all of a source, up to this size, or its first bytes alone if they are not wanted.
pub fn read_wanted(mut source: impl Read, limit: u64, is_wanted: impl FnOnce(&[u8]) -> bool) -> io::Result<Vec<u8>> {
    let mut bytes = read_limited(source.by_ref().take(HEAD_SIZE), limit)?;
    if bytes.len() as u64 == HEAD_SIZE && is_wanted(&bytes) {
        bytes.append(&mut read_limited(source, limit - HEAD_SIZE).map_err(|error| match error.kind() {
            ErrorKind::Other => too_large(limit),
            _ => error,
        })?);
    }
    Ok(bytes)
}

/// Opens what the user named on the command line for reading. A named pipe is waited for, as by other programs, and that
/// nobody writes to it yet is said.
pub fn open_input(path: &Path) -> io::Result<File> {
    if !fs::metadata(path).is_ok_and(|there| !there.is_file() && !there.is_dir()) {
        return File::open(path);
    }
    let (opened, answer) = mpsc::channel();
    let owned = path.to_path_buf();
    if thread::Builder::new().spawn(move || opened.send(File::open(owned))).is_err() {
        return File::open(path);
    }
    let gone = |_| io::Error::from(ErrorKind::BrokenPipe);
    answer.recv_timeout(SILENT_WAIT).unwrap_or_else(|_| {
        print_error(|| tr!("{file} is a pipe without a writer: waiting; Ctrl-C ends this", file = shown(path)));
        answer.recv().map_err(gone)?
    })
}

/// Reads a text in UTF-8, such as settings, that the user named on the command line.
pub fn read_text(path: &Path) -> io::Result<String> {
    String::from_utf8(read_input(path, MAX_TEXT_SIZE, |head| !head.contains(&0))?)
        .map_err(|_| ErrorKind::InvalidData.into())
}

/// The next line, with its end; `None` at the end of the source. A longer line than this is an error.
pub fn read_line(source: &mut impl BufRead, limit: u64) -> io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    match source.take(limit).read_until(b'\n', &mut line)? as u64 {
        0 => Ok(None),
        size if size == limit => Err(io::Error::other(tr!("has a line of more than {size} bytes", size))),
        _ => Ok(Some(line)),
    }
}

/// Reads all of a source, but no more than this.
pub fn read_limited(source: impl Read, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    may_fail(|| source.take(limit.saturating_add(1)).read_to_end(&mut bytes))?;
    if bytes.len() as u64 > limit { Err(too_large(limit)) } else { Ok(bytes) }
}

pub(super) fn check_regular(there: &fs::Metadata) -> io::Result<()> {
    if there.is_file() { Ok(()) } else { Err(io::Error::other(tr!("is not a file"))) }
}

fn too_large(limit: u64) -> io::Error {
    io::Error::other(tr!("is larger than {size} MB", size = limit >> 20))
}

/// A pipe that takes the place of a file in the meantime does not block, either.
#[cfg(target_os = "linux")]
fn do_not_block(options: &mut OpenOptions) -> &mut OpenOptions {
    use std::os::unix::fs::OpenOptionsExt;
    options.custom_flags(libc::O_NONBLOCK)
}

#[cfg(not(target_os = "linux"))]
fn do_not_block(options: &mut OpenOptions) -> &mut OpenOptions {
    options
}

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
