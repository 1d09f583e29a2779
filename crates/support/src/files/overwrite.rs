//! The policy of overwriting files, the same for every output file that the user names.

use super::{At, AtomicFile, FileError, is_stdio, is_stream, open_regular, write_atomic};
use crate::language::tr;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// How many bytes at the beginning of a file are searched for a marker.
const MARKER_BYTES: u64 = 1024;

/// Which existing files may be overwritten.
#[derive(Clone, Copy, Debug)]
pub enum OverwritePolicy {
    /// None: the format has no marker of its author.
    Never,
    /// Files whose first bytes hold this marker of the command that writes them.
    IfMarked(&'static [u8]),
    /// All files, as the user asked.
    Always,
}

/// The reason why a file was not written.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum OutputError {
    /// A file with this name exists.
    #[error("{}", tr!("{path} exists; use --force to overwrite it, or another name", path = _0.display()))]
    Exists(PathBuf),
    /// Standard output is not allowed here.
    #[error("{}", tr!("- is standard output, and this goes into a file: name one"))]
    StdoutNotAllowed,
    /// More than one output was sent to standard output.
    #[error("{}", tr!("- is standard output, and one thing alone can go there"))]
    StdoutUsedTwice,
    /// The operating system reported an error.
    #[error(transparent)]
    Io(#[from] FileError),
}

impl OverwritePolicy {
    /// This policy, or [`OverwritePolicy::Always`] with `--force`.
    pub fn or_force(self, force: bool) -> OverwritePolicy {
        if force { OverwritePolicy::Always } else { self }
    }

    /// Checks that a file can be written to this path under the policy.
    pub fn check(self, path: &Path) -> Result<(), OutputError> {
        let fail = |source| OutputError::Io(FileError { path: path.to_path_buf(), source });
        if is_stdio(path) {
            return Err(OutputError::StdoutNotAllowed);
        }
        if is_stream(path) {
            return Ok(());
        }
        match (fs::metadata(path), self) {
            (Ok(_), OverwritePolicy::Always) => Ok(()),
            (Ok(_), OverwritePolicy::IfMarked(marker)) if is_marked(path, marker).map_err(fail)? => Ok(()),
            (Ok(there), _) if there.is_dir() => Err(fail(io::ErrorKind::IsADirectory.into())),
            (Ok(_), _) => Err(OutputError::Exists(path.to_path_buf())),
            (Err(error), _) if error.kind() == io::ErrorKind::NotFound => {
                let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
                folder.map_or(Ok(()), |folder| fs::metadata(folder).map(|_| ()).map_err(fail))
            }
            (Err(error), _) => Err(fail(error)),
        }
    }

    /// Begins a file that is written piece by piece, after the check.
    pub fn create(self, path: &Path) -> Result<AtomicFile, OutputError> {
        self.check(path)?;
        Ok(AtomicFile::create(path).at(path)?)
    }

    /// Writes a file atomically after the check.
    pub fn write(self, path: &Path, bytes: &[u8]) -> Result<(), OutputError> {
        self.check(path)?;
        Ok(write_atomic(path, bytes).at(path)?)
    }
}

/// Whether the first bytes of a file hold a marker.
fn is_marked(path: &Path, marker: &[u8]) -> io::Result<bool> {
    let mut head = Vec::new();
    open_regular(path)?.take(MARKER_BYTES).read_to_end(&mut head)?;
    Ok(head.windows(marker.len()).any(|part| part == marker))
}
