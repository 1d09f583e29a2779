//! File errors, shown with the path of the file; `-` means standard input or output.

use crate::language::{reason, tr};
use std::error::Error;
use std::io;
use std::path::{Path, PathBuf};

/// An error of a file: of the operating system, or of the content.
#[derive(Debug, thiserror::Error)]
#[error("{}", tr!("{path}: {source}", path = shown(path), source = reason(source)))]
pub struct FileError<E: Error + 'static = io::Error> {
    /// The file.
    pub path: PathBuf,
    /// The cause.
    pub source: E,
}

/// Adds a path to the error of a result.
pub trait At<T, E: Error + 'static> {
    /// Wraps the error in a [`FileError`] with this path.
    fn at(self, path: &Path) -> Result<T, FileError<E>>;
}

impl<T, E: Error + 'static> At<T, E> for Result<T, E> {
    fn at(self, path: &Path) -> Result<T, FileError<E>> {
        self.map_err(|source| FileError { path: path.to_path_buf(), source })
    }
}

/// True if the path is `-`, which means standard input or output.
pub fn is_stdio(path: &Path) -> bool {
    path == Path::new("-")
}

/// The name of an input in messages.
pub fn shown(path: &Path) -> String {
    if is_stdio(path) { tr!("standard input") } else { path.display().to_string() }
}
