//! Reading files that somebody else may have named or put there: a pipe would block, and a device would never end.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read};
use std::path::Path;
use xiangqi::{worded_error, words};

/// The reason why a file cannot be read.
#[derive(Debug)]
#[non_exhaustive]
pub enum ReadError {
    /// The system reports an error.
    Io(io::Error),
    /// It is a folder, a pipe or a device.
    NotAFile,
    /// It is larger than any file of its kind.
    TooLarge {
        /// The largest size.
        megabytes: u64,
    },
}

worded_error!(
    ReadError,
    |error| match error {
        ReadError::Io(error) => words!("{reason}", reason = error),
        ReadError::NotAFile => words!("is not a file"),
        ReadError::TooLarge { megabytes } => words!("is larger than {megabytes} MB", megabytes),
    },
    Io(io::Error)
);

/// Opens a regular file. Pipes, devices and folders are errors; nothing blocks.
pub(crate) fn open_regular(path: &Path) -> Result<File, ReadError> {
    // Some devices do something when they are opened, so that is prevented where it can be known beforehand.
    if fs::metadata(path).is_ok_and(|metadata| !metadata.is_file()) {
        return Err(ReadError::NotAFile);
    }
    let file = do_not_block(OpenOptions::new().read(true)).open(path)?;
    if file.metadata()?.is_file() { Ok(file) } else { Err(ReadError::NotAFile) }
}

/// Reads a regular file that is not larger than this many bytes.
pub(crate) fn read_regular(path: &Path, limit: u64) -> Result<Vec<u8>, ReadError> {
    let mut bytes = Vec::new();
    open_regular(path)?.take(limit + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit { Err(ReadError::TooLarge { megabytes: limit >> 20 }) } else { Ok(bytes) }
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
