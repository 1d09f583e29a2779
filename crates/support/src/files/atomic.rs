//! Writing a file whole or not at all: to a temporary file beside it, which then gets its name.
//!
//! The policy of overwriting files, the same for every output file that the user names.

use super::open::{self, open_regular_with};
use super::{At, FileError, is_stdio, open_regular, steps};
use crate::language::tr;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// The maximum length of a chain of symbolic links.
const MAX_SYMLINKS: usize = 40;
/// What the name of a temporary file ends with.
const PART_SUFFIX: &str = ".chuhe.part";

/// Writes a file atomically: to a temporary file beside it, synced to disk, then renamed. A file that exists is
/// replaced (the caller decides whether it may be) and passes on its permissions; a symbolic link is followed and kept.
/// Pipes and devices are written to directly. The temporary file of an earlier process that was killed is replaced.
pub fn write_atomic(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = AtomicFile::create(path)?;
    file.write(bytes)?;
    file.finish()
}

/// A file that is written piece by piece, with the guarantees of [`write_atomic`]: it has its name once it is finished, and
/// nothing is left of one that is dropped before.
#[derive(Debug)]
pub struct AtomicFile {
    path: PathBuf,
    /// The name until then; a pipe or a device has none.
    part: Option<PathBuf>,
    file: File,
}

impl AtomicFile {
    pub fn create(path: &Path) -> io::Result<AtomicFile> {
        if is_stream(path) {
            let file = OpenOptions::new().append(true).open(path)?;
            return Ok(AtomicFile { path: path.to_path_buf(), part: None, file });
        }
        let path = resolve_symlinks(path)?;
        let (part, file) = create_part(&path)?;
        let created = AtomicFile { path, part: Some(part), file };
        if let Ok(there) = fs::metadata(&created.path) {
            created.file.set_permissions(there.permissions())?;
        }
        Ok(created)
    }

    pub fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        match self.part {
            Some(_) => steps::write_all(&mut self.file, bytes),
            None => self.file.write_all(bytes),
        }
    }

    /// Gives the file its name.
    pub fn finish(mut self) -> io::Result<()> {
        let Some(part) = &self.part else { return Ok(()) };
        steps::sync(&self.file)?;
        // The lock is held until the file has its name: nobody takes it for one that was left behind.
        steps::rename(part, &self.path)?;
        self.part = None;
        steps::sync_folder(&self.path)
    }
}

impl Drop for AtomicFile {
    fn drop(&mut self) {
        if let Some(part) = &self.part {
            // Remove the incomplete file.
            let _ = steps::remove(part);
        }
    }
}

/// The same for a file that the program itself keeps: what is not a regular file under its name is left alone, and an
/// error.
pub fn replace_regular(path: &Path, bytes: &[u8]) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(there) => open::check_regular(&there)?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(error),
    }
    write_atomic(path, bytes)
}

/// Creates and locks the temporary file of a file. One that nobody has locked was left behind by a process that was
/// killed, and is removed; one that is in use, or where there are no locks, stays, and another name is taken.
fn create_part(path: &Path) -> io::Result<(PathBuf, File)> {
    let common = part_path(path);
    remove_unlocked(&common)?;
    let file = match steps::create_new(&common) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => None,
        created => Some(created?),
    };
    if let Some(file) = file {
        // Without locks it is written all the same: only who writes the same file at the same time could notice.
        let _ = file.try_lock();
        return Ok((common, file));
    }
    let mut own = path.as_os_str().to_os_string();
    own.push(format!(".{}{PART_SUFFIX}", std::process::id()));
    let own = PathBuf::from(own);
    steps::remove(&own)?;
    let file = steps::create_new(&own)?;
    let _ = file.try_lock();
    Ok((own, file))
}

/// The temporary file beside a file.
pub fn part_path(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_os_string();
    name.push(PART_SUFFIX);
    PathBuf::from(name)
}

/// Removes a file that nobody has locked, if it is there.
pub fn remove_unlocked(path: &Path) -> io::Result<()> {
    match open_regular_with(OpenOptions::new().read(true).write(true), path) {
        Ok(left) if left.try_lock().is_ok() => steps::remove(path),
        _ => Ok(()),
    }
}

/// Gives a file that was written and synced its name, and waits until the name is on the disk.
pub fn rename_synced(from: &Path, to: &Path) -> io::Result<()> {
    steps::rename(from, to)?;
    steps::sync_folder(to)
}

/// Removes the temporary files that a process that was killed has left in a folder in which nobody else writes now.
pub fn remove_stale_parts(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    let is_part = |name: &str| name.ends_with(".part");
    for entry in entries.flatten().filter(|entry| entry.file_name().to_str().is_some_and(is_part)) {
        let _ = steps::remove(&entry.path());
    }
}

/// Creates a folder and its parents; an existing folder is not an error.
pub fn make_folder(path: &Path) -> io::Result<()> {
    match fs::create_dir_all(path) {
        // Windows and Wine name this in different ways.
        Err(error) if cfg!(windows) && error.kind() == io::ErrorKind::AlreadyExists && !path.is_dir() => {
            Err(io::ErrorKind::NotADirectory.into())
        }
        // `AlreadyExists` also means a file or a broken link; `read_dir` reports what is wrong.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => fs::read_dir(path).map(drop),
        made => made,
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
