//! Games that are kept: the unfinished game, saved after every move, and the archive of earlier games.
//!
//! Both are PGN files in the user's state directory, or in memory where there is no disk. A lock file prevents two programs
//! from overwriting each other: only the first one saves automatically.

use super::{LiveGame, game_record};
use chuhe_support::files::{
    AppendFile, At, FileError, Folder, MAX_INPUT_SIZE, OutputError, OverwritePolicy, Parsed, State, StateError,
    StateFile, StateNote, StateNotes, lock, make_folder, open_regular_with, read_limited, read_regular,
    remove_stale_parts, sync_folder,
};
use chuhe_support::language::tr;
use chuhe_support::messages::{Localize, Localized};
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use thiserror::Error;
use xiangqi_record::{
    Encoding, GameResult, Notation, OutputFormat, OutputFormatError, PieceCountError, RecordFile, RecordFileError,
};

/// Why a game was not saved or loaded.
#[derive(Debug, Error)]
pub enum SavedGamesError {
    /// The file exists and was not written by this program.
    #[error("{}", tr!("{path} exists and is not a game that was saved here: choose another name", path = _0.display()))]
    NotOwnFile(PathBuf),
    /// The file extension is that of a read-only format.
    #[error("{}", .0.localized())]
    Format(#[from] OutputFormatError),
    /// The format cannot hold this position.
    #[error("{}", .0.localized())]
    PieceCount(#[from] PieceCountError),
    /// Another program saves games now.
    #[error("{}", tr!("another game is in progress"))]
    InUse,
    /// There is no place for saved games.
    #[error("{}", tr!("no folder of this user is known (HOME is not set)"))]
    NoFolder,
    /// The file was not written.
    #[error(transparent)]
    Output(OutputError),
    /// An I/O error.
    #[error(transparent)]
    Io(#[from] FileError),
    /// The file is not to be written.
    #[error(transparent)]
    State(StateError),
    /// The file holds no usable game.
    #[error(transparent)]
    Record(#[from] FileError<Localized<RecordFileError>>),
}

impl From<StateError> for SavedGamesError {
    fn from(error: StateError) -> SavedGamesError {
        match error {
            StateError::NotSaved(path, source) => {
                let source = Arc::try_unwrap(source).unwrap_or_else(|shared| shared.kind().into());
                SavedGamesError::Io(FileError { path: path.into(), source })
            }
            error => SavedGamesError::State(error),
        }
    }
}

/// Whether this program may write what the folder of saved games holds, and why not. All that it holds share it.
#[derive(Debug, Default)]
pub struct WriteAccess(Mutex<Option<Arc<SavedGamesError>>>);

impl WriteAccess {
    pub fn denied(why: SavedGamesError) -> WriteAccess {
        WriteAccess(Mutex::new(Some(Arc::new(why))))
    }

    pub fn is_granted(&self) -> bool {
        self.check().is_ok()
    }

    pub fn check(&self) -> Result<(), Arc<SavedGamesError>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone().map_or(Ok(()), Err)
    }

    /// From now on this program may write, or not for this reason.
    pub fn set(&self, outcome: Result<(), SavedGamesError>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = outcome.err().map(Arc::new);
    }
}

/// The PGN of a game.
fn to_pgn(game: &LiveGame) -> String {
    xiangqi_record::pgn::write(&game_record::to_record(game), Notation::Iccs)
}

/// A saved file and its contents.
pub struct SavedFile {
    pub path: PathBuf,
    /// The tags that were truncated.
    pub truncated_tags: Vec<&'static str>,
    /// Tags for which the format has no place.
    pub dropped_tags: Vec<String>,
    bytes: Vec<u8>,
}

/// Saves a game to a file, in the format of its extension or else as PGN. Only three kinds of files are written: a new
/// one, one that holds a single game saved by this program, or the file saved last if it has not changed since. `notation`
/// is that of the moves in PGN, `encoding` that of the characters in PGN and UBB.
pub fn save(
    game: &LiveGame,
    path: &Path,
    notation: Notation,
    encoding: Encoding,
    last: Option<&SavedFile>,
) -> Result<SavedFile, SavedGamesError> {
    let target = OutputFormat::from_path(path)?.unwrap_or(OutputFormat::Pgn);
    let mut record = game_record::to_record(game);
    // XQF and UBB have no place for the recorder, by which a file is known; the author of a file is much the same.
    let has_author = record.tag("Author").is_some_and(|author| !author.trim().is_empty());
    if matches!(target, OutputFormat::Xqf | OutputFormat::Ubb) && !has_author {
        record.set_tag("Author", game_record::RECORDER);
    }
    if target == OutputFormat::Xqf {
        game_record::shorten_own_names(&mut record, game);
    }
    let bytes = target.write(&record, notation, encoding)?;
    let is_untouched = |last: &SavedFile| {
        last.path == path && read_regular(path, MAX_INPUT_SIZE).is_ok_and(|there| there == last.bytes)
    };
    let over = OverwritePolicy::Never.or_force(
        last.is_some_and(is_untouched) || read_regular(path, MAX_INPUT_SIZE).is_ok_and(|bytes| is_own_file(&bytes)),
    );
    match over.write(path, &bytes) {
        Ok(()) => Ok(SavedFile {
            path: path.to_path_buf(),
            truncated_tags: target.truncated_tags(&record),
            dropped_tags: target.dropped_tags(&record),
            bytes,
        }),
        Err(OutputError::Exists(path)) => Err(SavedGamesError::NotOwnFile(path)),
        Err(error) => Err(SavedGamesError::Output(error)),
    }
}

fn is_own_file(bytes: &[u8]) -> bool {
    let source = RecordFile::read(bytes.to_vec());
    let mut games = source.games();
    let first = games.next();
    let has_mark = |game: &xiangqi_record::Game, tag: &str| game.tag(tag) == Some(game_record::RECORDER);
    let is_ours =
        |reading: xiangqi_record::ParsedGame| ["Recorder", "Author"].iter().any(|tag| has_mark(&reading.game, tag));
    games.next().is_none() && first.and_then(Result::ok).is_some_and(is_ours)
}

/// Reads a game by its number, from 1, or from -1 backwards from the end, and the number of games; `None` if the file
/// does not exist.
pub fn open(path: &Path, number: i64) -> Result<Option<(xiangqi_record::Game, usize)>, SavedGamesError> {
    if !path.try_exists().at(path)? {
        return Ok(None);
    }
    let source = RecordFile::read(read_regular(path, MAX_INPUT_SIZE).at(path)?);
    let game = game_of(&source, path, number)?;
    Ok(Some((game, source.games().count())))
}

fn game_of(source: &RecordFile, path: &Path, number: i64) -> Result<xiangqi_record::Game, SavedGamesError> {
    let game = source.game(number).and_then(|reading| Ok(reading.into_game_with_main_line()?));
    Ok(game.map_err(Localized).at(path)?)
}

/// What the file of a place holds: a game as PGN, or nothing.
#[derive(Clone, Default)]
struct PlacedGame(Option<Vec<u8>>);

/// The tag by which a later version says that this one cannot read its games.
const FORMAT_TAG: &str = "ChuheFormat";
const FORMAT: u32 = 1;

impl State for PlacedGame {
    const MAX_BYTES: u64 = MAX_INPUT_SIZE;

    fn parse(bytes: &[u8]) -> Parsed<PlacedGame> {
        let source = RecordFile::read(bytes.to_vec());
        let Ok(game) = source.game(1).and_then(|reading| Ok(reading.into_game_with_main_line()?)) else {
            return if bytes.trim_ascii().is_empty() { Parsed::Whole(PlacedGame(None)) } else { Parsed::Nothing };
        };
        let placed = PlacedGame(Some(bytes.to_vec()));
        let format = game.tag(FORMAT_TAG).and_then(|format| format.parse().ok()).unwrap_or(FORMAT);
        match source.games().count() {
            _ if format > FORMAT => Parsed::Newer(placed),
            1 => Parsed::Whole(placed),
            _ => Parsed::Part(placed),
        }
    }

    fn to_bytes(&self) -> io::Result<Option<Vec<u8>>> {
        Ok(self.0.clone())
    }
}

/// The folder of the saved games.
pub struct SavedGames {
    folder: Folder,
    /// What a person should know of the files.
    notes: Mutex<Vec<StateNote>>,
    /// The unfinished game could not be archived: it is not written over before that has been done.
    must_archive: AtomicBool,
    /// The lock, held while the folder is in use; in memory there is none.
    _lock: Option<File>,
}

const UNFINISHED: &str = "unfinished.pgn";
const ARCHIVE: &str = "games.pgn";

/// The file of a place.
fn place_name(place: usize) -> String {
    if place == 0 { UNFINISHED.to_string() } else { format!("unfinished-{}.pgn", place + 1) }
}

/// Whether another process holds the lock. A file system without locking does not count: saving is worth more than
/// protection against the rare case of two games at once.
fn is_locked(outcome: &Result<(), TryLockError>) -> bool {
    matches!(outcome, Err(TryLockError::WouldBlock))
}

impl SavedGames {
    /// Opens and locks the folder.
    pub fn open() -> Result<SavedGames, SavedGamesError> {
        SavedGames::open_folder(state_folder().ok_or(SavedGamesError::NoFolder)?, lock)
    }

    /// The same, and if another program has locked the folder, it is not waited for.
    pub fn try_open() -> Result<SavedGames, SavedGamesError> {
        SavedGames::open_folder(state_folder().ok_or(SavedGamesError::NoFolder)?, File::try_lock)
    }

    /// Opens and locks this folder.
    pub fn open_at(folder: impl Into<Folder>) -> Result<SavedGames, SavedGamesError> {
        match folder.into() {
            Folder::Disk(folder) => SavedGames::open_folder(folder, lock),
            folder => {
                Ok(SavedGames { folder, must_archive: AtomicBool::new(false), notes: Mutex::default(), _lock: None })
            }
        }
    }

    fn open_folder(
        folder: PathBuf,
        lock: impl Fn(&File) -> Result<(), TryLockError>,
    ) -> Result<SavedGames, SavedGamesError> {
        make_folder(&folder).at(&folder)?;
        let path = folder.join("lock");
        let mut options = OpenOptions::new();
        let file = open_regular_with(options.create(true).append(true), &path).at(&path)?;
        let outcome = lock(&file);
        if is_locked(&outcome) {
            return Err(SavedGamesError::InUse);
        }
        if let Err(TryLockError::Error(error)) = &outcome {
            log::warn!("{}: {error}: games are kept without a lock", path.display());
        } else {
            remove_stale_parts(&folder);
        }
        let saved = SavedGames {
            folder: folder.into(),
            must_archive: AtomicBool::new(false),
            notes: Mutex::default(),
            _lock: Some(file),
        };
        if let Err(error) = saved.finish_archiving() {
            log::warn!("{error}");
        }
        Ok(saved)
    }

    fn unfinished_file(&self) -> PathBuf {
        self.folder.path(UNFINISHED)
    }

    /// The folder.
    pub fn folder(&self) -> &Folder {
        &self.folder
    }

    /// The archive of games that are over or were abandoned.
    pub fn archive(&self) -> PathBuf {
        self.folder.path(ARCHIVE)
    }

    /// The content of a file, or nothing if there is none.
    fn read(&self, name: &str) -> io::Result<Option<Vec<u8>>> {
        match self.folder.read(name, MAX_INPUT_SIZE) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            read => read.map(Some),
        }
    }

    /// The unfinished game, if there is one to continue.
    pub fn unfinished(&self) -> Result<Option<LiveGame>, SavedGamesError> {
        let goes_on =
            |game: &xiangqi_record::Game| game.result == GameResult::Unknown && game.main_line_nodes().count() > 0;
        Ok(self.game_in(0)?.filter(goes_on).map(game_record::from_record))
    }

    /// Saves the current state of the game; without a move nothing is saved.
    pub fn save_unfinished(&self, game: &LiveGame) -> Result<(), SavedGamesError> {
        if self.must_archive.load(Ordering::Relaxed) {
            self.archive_unfinished()?;
        }
        self.save_in(0, game)
    }

    // ---- several games at once: a place for each, of which the first is that of the unfinished game ----

    /// The game in a place.
    pub fn game_in(&self, place: usize) -> Result<Option<xiangqi_record::Game>, SavedGamesError> {
        let (name, path) = (place_name(place), self.folder.path(&place_name(place)));
        let Some(bytes) = self.read(&name).at(&path)?.filter(|bytes| !bytes.trim_ascii().is_empty()) else {
            return Ok(None);
        };
        if matches!(PlacedGame::parse(&bytes), Parsed::Newer(_)) {
            return Err(newer(&path));
        }
        Ok(Some(game_of(&RecordFile::read(bytes), &path, 1)?))
    }

    /// Saves the current state of a game in a place; without a move nothing is saved.
    pub fn save_in(&self, place: usize, game: &LiveGame) -> Result<(), SavedGamesError> {
        let is_kept = !game.moves().is_empty() || game.end().is_some();
        self.set_place(place, |placed| placed.0 = is_kept.then(|| to_pgn(game).into_bytes()))
    }

    /// Empties a place.
    pub fn clear(&self, place: usize) -> Result<(), SavedGamesError> {
        self.set_place(place, |placed| placed.0 = None)
    }

    /// Keeps the file of a place under another name if it is damaged.
    pub fn keep_aside(&self, place: usize) -> Result<(), SavedGamesError> {
        self.set_place(place, |_| ())
    }

    fn set_place(&self, place: usize, change: impl FnOnce(&mut PlacedGame)) -> Result<(), SavedGamesError> {
        let mut file = StateFile::open(&self.folder, &place_name(place));
        let changed = file.set(change);
        self.notes().extend(file.take_note().filter(StateNote::is_over));
        Ok(changed?)
    }

    fn notes(&self) -> MutexGuard<'_, Vec<StateNote>> {
        self.notes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What a person should know of so many places; of what is over only once.
    pub fn take_notes(&self, places: usize, notes: &mut StateNotes) {
        notes.0.append(&mut self.notes());
        for place in 0..places {
            notes.add(&mut StateFile::<PlacedGame>::open_to_read(&self.folder, &place_name(place)));
        }
    }

    /// Moves the unfinished game to the archive; an unreadable file is appended as it is. Returns false if there was
    /// none. After a failure both files are as they were, and `save_unfinished` tries again first.
    pub fn archive_unfinished(&self) -> Result<bool, SavedGamesError> {
        let outcome = self.move_to_archive();
        self.must_archive.store(outcome.is_err(), Ordering::Relaxed);
        outcome
    }

    fn move_to_archive(&self) -> Result<bool, SavedGamesError> {
        let (path, archive) = (self.unfinished_file(), self.archive());
        let Some(bytes) = self.read(UNFINISHED).at(&path)? else { return Ok(false) };
        if matches!(PlacedGame::parse(&bytes), Parsed::Newer(_)) {
            return Err(newer(&path));
        }
        match &self.folder {
            Folder::Disk(_) if self.is_archived(&bytes) => {}
            Folder::Disk(_) => append_game(&archive, &bytes).at(&archive)?,
            Folder::Memory(_) => {
                let there = self.read(ARCHIVE).at(&archive)?.unwrap_or_default();
                self.folder.replace(ARCHIVE, &[&there, gap_after(&there), &bytes].concat()).at(&archive)?;
            }
        }
        self.folder.remove(UNFINISHED).at(&path)?;
        Ok(true)
    }

    /// Removes an unfinished game that a process that was killed has archived but not removed yet.
    fn finish_archiving(&self) -> Result<(), SavedGamesError> {
        let path = self.unfinished_file();
        match self.read(UNFINISHED).at(&path)? {
            Some(bytes) if self.is_archived(&bytes) => Ok(self.folder.remove(UNFINISHED).at(&path)?),
            _ => Ok(()),
        }
    }

    /// Whether these bytes of the unfinished game were archived already: they are at the end of the archive, which was
    /// written after them. (The same moves may have been played twice, and then the archive is older.)
    fn is_archived(&self, bytes: &[u8]) -> bool {
        let modified = |path: PathBuf| fs::metadata(path).and_then(|there| there.modified()).ok();
        let is_newer = modified(self.archive()).zip(modified(self.unfinished_file())).is_some_and(|(a, b)| a >= b);
        let archived = || read_regular(&self.archive(), MAX_INPUT_SIZE).unwrap_or_default();
        is_newer && !bytes.trim_ascii().is_empty() && archived().trim_ascii_end().ends_with(bytes.trim_ascii_end())
    }
}

fn newer(path: &Path) -> SavedGamesError {
    SavedGamesError::State(StateError::Newer(path.display().to_string()))
}

/// Adds a game to an archive, or changes nothing. A torn game at its end, of a process that was killed, is cut off.
fn append_game(archive: &Path, game: &[u8]) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    let file = open_regular_with(&mut options, archive)?;
    let there = read_limited(&file, MAX_INPUT_SIZE)?;
    let whole = whole_length(&there, game);
    let mut file = AppendFile::new(file, whole as u64)?;
    file.append(&[gap_after(&there[..whole]), game].concat())?;
    if there.is_empty() { sync_folder(archive) } else { Ok(()) }
}

/// What separates the next game from those before it.
fn gap_after(before: &[u8]) -> &'static [u8] {
    match before {
        b"" => b"",
        before if before.ends_with(b"\n\n") => b"",
        before if before.ends_with(b"\n") => b"\n",
        _ => b"\n\n",
    }
}

/// How much of an archive is to stay: all of it but the beginning of a game that was not written to its end. `next` is
/// the game that is written now, often the same one.
fn whole_length(there: &[u8], next: &[u8]) -> usize {
    let whole = xiangqi_record::pgn::complete_games_length(there);
    let tail = &there[whole..];
    let head = format!("[Game \"Chinese Chess\"]\n[Recorder \"{}\"]\n", game_record::RECORDER);
    let last = tail.trim_ascii_end().rsplit(|byte| byte.is_ascii_whitespace()).next().unwrap_or_default();
    // Somebody may have taken away the empty line behind the last game.
    let has_result = GameResult::ALL.iter().any(|result| result.token().as_bytes() == last);
    let is_torn = next.starts_with(tail) || xiangqi_record::pgn::is_torn_game(tail, &head) && !has_result;
    if is_torn { whole } else { there.len() }
}

/// The user's state directory for this program.
pub fn state_folder() -> Option<PathBuf> {
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
