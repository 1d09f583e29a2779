//! The files of games that paths name: files, and those of games in folders.

use chuhe_lab::training::archive;
use chuhe_support::files::{At, FileError, is_stdio};
use chuhe_support::language::{reason, tr};
use chuhe_support::small_sort::SmallSort;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// The endings of the files that are looked for in a folder.
const ENDINGS: [&str; 10] = ["pgn", "xqf", "ubb", "cbr", "cbl", "cbf", "wxf", "fen", "epd", "txt"];

/// So many bytes tell a file of `chuhe learn` from others.
const ARCHIVE_HEAD: u64 = 16;

/// Why a folder yields no files.
#[derive(Debug, Error)]
pub enum GameFilesError {
    /// It cannot be read.
    #[error("{}", tr!("cannot read {path}: {source}", path = path.display(), source = reason(source)))]
    Folder { path: PathBuf, source: io::Error },
    /// There is no file of games in it.
    #[error("{}", tr!("{path}: no file of games in this folder", path = _0.display()))]
    Empty(PathBuf),
}

/// The named files, and the files of games in the named folders and the folders in them, by name; with these endings
/// beside the usual ones.
pub fn expand(paths: &[PathBuf], more_endings: &[&str]) -> Result<Vec<PathBuf>, GameFilesError> {
    let mut files = Vec::new();
    for path in paths {
        let before = files.len();
        if path.is_dir() {
            add_folder(path, more_endings, &mut files)?;
        } else {
            files.push(path.clone());
        }
        if files.len() == before {
            return Err(GameFilesError::Empty(path.clone()));
        }
    }
    Ok(files)
}

fn add_folder(folder: &Path, more_endings: &[&str], files: &mut Vec<PathBuf>) -> Result<(), GameFilesError> {
    let fail = |source| GameFilesError::Folder { path: folder.to_path_buf(), source };
    let mut entries = std::fs::read_dir(folder).map_err(fail)?.collect::<Result<Vec<_>, _>>().map_err(fail)?;
    entries.order_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        let (path, kind) = (entry.path(), entry.file_type().map_err(fail)?);
        let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase()).unwrap_or_default();
        if kind.is_dir() {
            add_folder(&path, more_endings, files)?;
        } else if ENDINGS.iter().chain(more_endings).any(|known| *known == ending) {
            files.push(path);
        }
    }
    Ok(())
}

/// Whether a file holds games of `chuhe learn`. A pipe can be read only once, and holds none.
pub fn is_archive(file: &Path) -> Result<bool, FileError> {
    if is_stdio(file) || !file.is_file() {
        return Ok(false);
    }
    let mut head = Vec::new();
    File::open(file).and_then(|file| file.take(ARCHIVE_HEAD).read_to_end(&mut head)).at(file)?;
    Ok(archive::is_archive(&head))
}
