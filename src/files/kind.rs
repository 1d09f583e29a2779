//! Files that somebody names on the command line: written over nothing but an older one of the same kind.

use super::write_whole;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// How much of a file is looked at to know it.
const HEAD: u64 = 1 << 14;

/// Why a file was not written.
#[derive(Debug, Error)]
pub enum OutputError {
    /// Something else has the name.
    #[error("{}: is no {kind}: it is left as it is", path.display())]
    NotOurs {
        path: PathBuf,
        /// What it would have to be.
        kind: &'static str,
    },
    #[error("{}: {source}", path.display())]
    Io {
        /// What was to be written.
        path: PathBuf,
        /// Why it was not.
        source: io::Error,
    },
}

/// A kind of file that Chuhe writes.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// What people call it.
    pub name: &'static str,
    /// Stands within the first 16,000 bytes of every file of this kind, and of no other.
    pub mark: &'static [u8],
}

impl Kind {
    /// Makes sure that such a file can be written to this path: nothing is there, or an older one.
    pub fn check(&self, path: &Path) -> Result<(), OutputError> {
        let fail = |source| OutputError::Io { path: path.to_path_buf(), source };
        match File::open(path) {
            Ok(file) => {
                let mut head = Vec::new();
                file.take(HEAD).read_to_end(&mut head).map_err(fail)?;
                if head.windows(self.mark.len()).any(|bytes| bytes == self.mark) {
                    Ok(())
                } else {
                    Err(OutputError::NotOurs { path: path.to_path_buf(), kind: self.name })
                }
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
                match folder.map(fs::metadata) {
                    Some(Err(error)) => Err(fail(error)),
                    _ => Ok(()),
                }
            }
            Err(error) => Err(fail(error)),
        }
    }

    /// Writes such a file, whole or not at all.
    pub fn write(&self, path: &Path, bytes: &[u8]) -> Result<(), OutputError> {
        self.check(path)?;
        write_whole(path, bytes).map_err(|source| OutputError::Io { path: path.to_path_buf(), source })
    }
}
