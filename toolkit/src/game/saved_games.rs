//! Games on disk: the unfinished game, saved after every move, and the archive of earlier games.
//!
//! Both are PGN files in the user's state directory. A lock file prevents two programs from overwriting each other:
//! only the first one saves automatically.

use super::{LiveGame, pgn};
use crate::record::{
    self, Encoding, GameResult, Notation, OutputFormatError, PieceCountError, RecordFile, RecordFileError, Target,
};
use chuhe_engine::files::{At, FileError, OutputError, OverwritePolicy, lock, make_folder, write_atomic};
use chuhe_engine::language::tr;
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Why a game was not saved or loaded.
#[derive(Debug, Error)]
pub enum SavedGamesError {
    /// The file exists and was not written by this program.
    #[error("{}", tr!("{path} is there already and is not one game that was saved here: choose another name", path = _0.display()))]
    NotOwnFile(PathBuf),
    /// The file extension is that of a read-only format.
    #[error(transparent)]
    Format(#[from] OutputFormatError),
    /// The format cannot hold this position.
    #[error(transparent)]
    PieceCount(#[from] PieceCountError),
    /// The file was not written.
    #[error(transparent)]
    Output(OutputError),
    /// An I/O error.
    #[error(transparent)]
    Io(#[from] FileError),
    /// The file holds no usable game.
    #[error(transparent)]
    Record(#[from] RecordFileError),
}

/// The PGN of a game.
fn to_pgn(game: &LiveGame) -> String {
    record::pgn::write(&pgn::to_record(game), Notation::Iccs)
}

/// A saved file and its contents.
pub struct SavedFile {
    pub path: PathBuf,
    /// The tags that were truncated.
    pub truncated_tags: Vec<&'static str>,
    bytes: Vec<u8>,
}

/// Saves a game to a file, in the format of its extension or else as PGN. Only three kinds of files are written: a new
/// one, one that holds a single game saved by this program, or the file saved last if it has not changed since.
pub fn save(game: &LiveGame, path: &Path, last: Option<&SavedFile>) -> Result<SavedFile, SavedGamesError> {
    let target = Target::from_path(path)?.unwrap_or(Target::Pgn);
    let record = pgn::to_record(game);
    let bytes = target.write(&record, Notation::Iccs, Encoding::Utf8)?;
    let is_untouched = |last: &SavedFile| last.path == path && fs::read(path).is_ok_and(|there| there == last.bytes);
    let over = OverwritePolicy::Never
        .or_force(last.is_some_and(is_untouched) || fs::read(path).is_ok_and(|bytes| is_own_file(&bytes)));
    match over.write(path, &bytes) {
        Ok(()) => Ok(SavedFile { path: path.to_path_buf(), truncated_tags: target.truncated_tags(&record), bytes }),
        Err(OutputError::Exists(path)) => Err(SavedGamesError::NotOwnFile(path)),
        Err(error) => Err(SavedGamesError::Output(error)),
    }
}

fn is_own_file(bytes: &[u8]) -> bool {
    let source = RecordFile::new(bytes.to_vec());
    let mut games = source.games();
    let first = games.next();
    let is_ours = |reading: record::ParsedGame| reading.game.tag("Recorder") == Some(pgn::RECORDER);
    games.next().is_none() && first.and_then(Result::ok).is_some_and(is_ours)
}

/// Reads a game by its number, from 1, or from -1 backwards from the end, and the number of games; `None` if the file
/// does not exist.
pub fn open(path: &Path, number: i64) -> Result<Option<(record::Game, usize)>, SavedGamesError> {
    if !path.try_exists().at(path)? {
        return Ok(None);
    }
    let source = RecordFile::open(path)?;
    let game = source.game(path, number)?.into_complete_game().at(path).map_err(RecordFileError::from)?;
    Ok(Some((game, source.games().count())))
}

/// The folder of the saved games.
pub struct SavedGames {
    folder: PathBuf,
    /// The lock, held while the folder is in use.
    _lock: File,
}

/// Whether another process holds the lock. A file system without locking does not count: saving is worth more than
/// protection against the rare case of two games at once.
fn is_locked(outcome: &Result<(), TryLockError>) -> bool {
    matches!(outcome, Err(TryLockError::WouldBlock))
}

impl SavedGames {
    /// Opens and locks the folder. `None` if another program has locked it or if there is no state directory.
    pub fn open() -> Result<Option<SavedGames>, SavedGamesError> {
        let Some(folder) = state_folder() else { return Ok(None) };
        make_folder(&folder).at(&folder)?;
        let path = folder.join("lock");
        let file = OpenOptions::new().create(true).append(true).open(&path).at(&path)?;
        let outcome = lock(&file);
        if let Err(TryLockError::Error(error)) = &outcome {
            log::warn!("{}: {error}: games are kept without a lock", path.display());
        }
        Ok((!is_locked(&outcome)).then_some(SavedGames { folder, _lock: file }))
    }

    fn unfinished_file(&self) -> PathBuf {
        self.folder.join("unfinished.pgn")
    }

    /// The archive of games that are over or were abandoned.
    pub fn archive(&self) -> PathBuf {
        self.folder.join("games.pgn")
    }

    /// The unfinished game, if there is one to continue.
    pub fn unfinished(&self) -> Result<Option<LiveGame>, SavedGamesError> {
        let goes_on = |game: &record::Game| game.result == GameResult::Unknown && game.main_line_nodes().count() > 0;
        let kept = open(&self.unfinished_file(), 1)?.map(|(record, _)| record);
        Ok(kept.filter(goes_on).map(pgn::from_record))
    }

    /// Saves the current state of the game; without a move nothing is saved.
    pub fn save_unfinished(&self, game: &LiveGame) -> Result<(), SavedGamesError> {
        let path = self.unfinished_file();
        if game.moves().is_empty() && game.end().is_none() {
            return match fs::remove_file(&path) {
                Err(error) if error.kind() != ErrorKind::NotFound => Ok(Err(error).at(&path)?),
                _ => Ok(()),
            };
        }
        Ok(write_atomic(&path, to_pgn(game).as_bytes()).at(&path)?)
    }

    /// Moves the unfinished game to the archive; an unreadable file is appended as it is. Returns false if there was
    /// none.
    pub fn archive_unfinished(&self) -> Result<bool, SavedGamesError> {
        let (path, archive) = (self.unfinished_file(), self.archive());
        let bytes = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(false),
            Err(error) => return Err(error).at(&path)?,
        };
        let add = |mut file: File| file.write_all(&bytes).and_then(|()| file.sync_all());
        let opened = OpenOptions::new().create(true).append(true).open(&archive);
        opened.and_then(add).at(&archive)?;
        fs::remove_file(&path).at(&path)?;
        Ok(true)
    }
}

/// The user's state directory for this program.
fn state_folder() -> Option<PathBuf> {
    let place = |name: &str| std::env::var_os(name).filter(|value: &OsString| !value.is_empty()).map(PathBuf::from);
    let home = || place("HOME").map(|home| home.join(".local").join("state"));
    let state = place("XDG_STATE_HOME").filter(|path| path.is_absolute());
    let local = || if cfg!(windows) { place("LOCALAPPDATA") } else { None };
    Some(state.or_else(local).or_else(home)?.join("chuhe"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lock_errors_other_than_would_block_do_not_count_as_locked() {
        assert!(is_locked(&Err(TryLockError::WouldBlock)));
        assert!(!is_locked(&Ok(())));
        for kind in [ErrorKind::Unsupported, ErrorKind::Other] {
            assert!(!is_locked(&Err(TryLockError::Error(kind.into()))), "{kind}");
        }
    }
}
