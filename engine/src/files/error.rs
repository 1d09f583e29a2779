//! What went wrong with a file, told behind its name.
//!
//! What a path names for people: a file, or standard input.

use crate::language::{reason, tr};
use std::error::Error;
use std::io;
use std::path::{Path, PathBuf};

/// What the system said of a file, or what is wrong with what it holds.
#[derive(Debug, thiserror::Error)]
#[error("{}", tr!("{path}: {source}", path = shown(path), source = reason(source)))]
pub struct FileError<E: Error + 'static = io::Error> {
    pub path: PathBuf,
    pub source: E,
}

/// Results that fail at a file.
pub trait At<T, E: Error + 'static> {
    /// The same, a failure told behind the name of this file.
    fn at(self, path: &Path) -> Result<T, FileError<E>>;
}

impl<T, E: Error + 'static> At<T, E> for Result<T, E> {
    fn at(self, path: &Path) -> Result<T, FileError<E>> {
        self.map_err(|source| FileError { path: path.to_path_buf(), source })
    }
}

/// Whether a path means standard input or output: `-`.
pub fn is_stdio(path: &Path) -> bool {
    path == Path::new("-")
}

/// What messages call something that is read.
pub fn shown(path: &Path) -> String {
    if is_stdio(path) { tr!("standard input") } else { path.display().to_string() }
}
