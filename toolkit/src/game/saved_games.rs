//! What outlives the program: the unfinished game, kept after every move, and the games before it.
//!
//! Both are PGN in the folder where programs of this user keep their state. Whoever plays holds a lock, so that two games
//! at once do not write over each other: only the first is kept by itself.

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

/// Why a game was not written, or not read.
#[derive(Debug, Error)]
pub enum SavedGamesError {
    /// Something else has the name.
    #[error("{}", tr!("{path} is there already and is not one game that was saved here: choose another name", path = _0.display()))]
    NotOwnFile(PathBuf),
    /// The name asks for a format that is only read.
    #[error(transparent)]
    Format(#[from] OutputFormatError),
    /// The game has no place in the format.
    #[error(transparent)]
    PieceCount(#[from] PieceCountError),
    /// The file was not written.
    #[error(transparent)]
    Output(OutputError),
    /// The system refused.
    #[error(transparent)]
    Io(#[from] FileError),
    /// No game in it can be gone on with.
    #[error(transparent)]
    Record(#[from] RecordFileError),
}

/// The text of a game.
fn to_pgn(game: &LiveGame) -> String {
    record::pgn::write(&pgn::to_record(game), Notation::Iccs)
}

/// A file that was saved: where, and what was written there.
pub struct SavedFile {
    /// Where it lies.
    pub path: PathBuf,
    /// The tags of which the file holds only the beginning.
    pub truncated_tags: Vec<&'static str>,
    bytes: Vec<u8>,
}

/// Saves a game to a file, in the format that its name says, or else as PGN: to a new one, to one that holds a game which
/// was saved before, and no other, or to the one that was saved last and has not been touched since.
pub fn save(game: &LiveGame, path: &Path, last: Option<&SavedFile>) -> Result<SavedFile, SavedGamesError> {
    let target = Target::from_path(path)?.unwrap_or(Target::Pgn);
    let record = pgn::to_record(game);
    let bytes = target.write(&record, Notation::Iccs, Encoding::Utf8)?;
    let is_untouched = |last: &SavedFile| last.path == path && fs::read(path).is_ok_and(|there| there == last.bytes);
    let over = OverwritePolicy::IfOwn(is_own_file).or_force(last.is_some_and(is_untouched));
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

/// The game of this number of a file, from 1 or from the end back from -1, and how many there are; `None` if there is no
/// such file.
pub fn open(path: &Path, number: i64) -> Result<Option<(record::Game, usize)>, SavedGamesError> {
    if !path.try_exists().at(path)? {
        return Ok(None);
    }
    let source = RecordFile::open(path)?;
    let game = source.game(path, number)?.into_complete_game().at(path).map_err(RecordFileError::from)?;
    Ok(Some((game, source.games().count())))
}

/// The folder of a person who plays.
pub struct SavedGames {
    folder: PathBuf,
    /// Held for as long as somebody plays.
    _lock: File,
}

/// Whether somebody else holds a lock. File systems that know no locks keep nobody away: two games at once may then write
/// over each other, which is rarer than a game of one person, who wants it kept.
fn is_locked(outcome: &Result<(), TryLockError>) -> bool {
    matches!(outcome, Err(TryLockError::WouldBlock))
}

impl SavedGames {
    /// Sits down at it. `None` if somebody else plays there, or if there is no place for it.
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

    /// Where games are kept that are over, or were given up for another.
    pub fn archive(&self) -> PathBuf {
        self.folder.join("games.pgn")
    }

    /// The game that was left unfinished, if there is one to go on with.
    pub fn unfinished(&self) -> Result<Option<LiveGame>, SavedGamesError> {
        let goes_on = |game: &record::Game| game.result == GameResult::Unknown && game.main_line_nodes().count() > 0;
        let kept = open(&self.unfinished_file(), 1)?.map(|(record, _)| record);
        Ok(kept.filter(goes_on).map(pgn::from_record))
    }

    /// Keeps the game as it stands; one without a move is none yet.
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

    /// Puts what is kept behind the games before it; a file that cannot be read goes there as it is. False if there was
    /// nothing.
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

/// Where programs of this user keep their state.
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
    fn a_file_system_without_locks_is_no_other_game() {
        assert!(is_locked(&Err(TryLockError::WouldBlock)));
        assert!(!is_locked(&Ok(())));
        for kind in [ErrorKind::Unsupported, ErrorKind::Other] {
            assert!(!is_locked(&Err(TryLockError::Error(kind.into()))), "{kind}");
        }
    }
}
