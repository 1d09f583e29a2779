//! Files of games. A header says how they were played; then come blocks of games, each with its length and a
//! checksum, so that a file can be added to at its end, and a torn or damaged block costs no more than itself.
//!
//! ```text
//! CHUHEGAM  version u16  length u16  header text  CRC-32 of the text
//! GAME      length u32   CRC-32 of the games      games            (again and again)
//! ```

use super::game::{Game, Version};
use super::window::Window;
use chuhe_engine::files::{At, FileError, lock};
use chuhe_engine::language::tr;
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use thiserror::Error;

const MAGIC: &[u8; 8] = b"CHUHEGAM";
/// Bytes before the text of the header.
const START: usize = 12;
const MARK: &[u8; 4] = b"GAME";
/// Bytes before the games of a block.
const BLOCK_HEAD: usize = 12;
/// Games are gathered into blocks of about this size where many are written at once.
const BLOCK_SIZE: usize = 1 << 16;
/// No block is longer, as no game is (`game::MOST_PLIES`).
const LONGEST_BLOCK: usize = 1 << 24;

/// Why a file of games cannot be used.
#[derive(Debug, Error)]
pub enum ArchiveError {
    /// The system said no.
    #[error(transparent)]
    Io(#[from] FileError),
    /// It is something else.
    #[error("{}", tr!("{path}: not a file of games", path = _0.display()))]
    Foreign(PathBuf),
    /// A folder without any.
    #[error("{}", tr!("{path}: no file of games in it", path = _0.display()))]
    Empty(PathBuf),
    /// It holds games of another kind than those that should be added.
    #[error("{}", tr!("{path}: holds other games, or another program is writing to it", path = _0.display()))]
    Other(PathBuf),
    /// It is of another version.
    #[error("{}", tr!("{file}: version {found} of the format, this program knows {known}", file = file.display(), found, known = Version::NEWEST as u16))]
    Version { file: PathBuf, found: u16 },
    /// So much would have to be said in its header that there is no room for it.
    #[error("{}", tr!("{path}: no header of a file of games is long enough for the names of so many files", path = _0.display()))]
    Long(PathBuf),
    /// Its first lines are damaged.
    #[error("{}", tr!("{path}: damaged header", path = _0.display()))]
    Header(PathBuf),
}

/// How the games of a file were played: names and values, in the order of the names.
pub type Conditions = BTreeMap<String, String>;

/// A file of games that is read from its beginning to its end, a block at a time: an iterator over the games that can be
/// read. Damaged stretches are passed over and counted.
pub struct Archive<R = File> {
    /// How its games were played.
    pub conditions: Conditions,
    pub version: Version,
    /// Bytes that held no sound games, so far.
    pub lost: u64,
    path: PathBuf,
    window: Window<R>,
    /// The games of the present block that are still to come.
    games: Vec<u8>,
    taken: usize,
    /// Where the next block should begin.
    place: u64,
    /// Where the last sound block ended.
    sound_end: u64,
}

/// The files that are named, and those of the folders that are named.
pub fn game_files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, ArchiveError> {
    files_besides(paths, |_| false)
}

/// The same for those who write a file of games themselves: in a folder it is none of those to be read, or the same
/// command would take in the second time what it made the first time.
pub fn game_files_for(paths: &[PathBuf], made: &Path) -> Result<Vec<PathBuf>, ArchiveError> {
    let made = made.canonicalize().ok();
    files_besides(paths, |file| made.is_some() && file.canonicalize().ok() == made)
}

fn files_besides(paths: &[PathBuf], is_other: impl Fn(&Path) -> bool) -> Result<Vec<PathBuf>, ArchiveError> {
    let mut files = Vec::new();
    for path in paths {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let mut found = Vec::new();
        for entry in std::fs::read_dir(path).at(path)? {
            let file = entry.at(path)?.path();
            if file.extension().is_some_and(|extension| extension == "games") && !is_other(&file) {
                found.push(file);
            }
        }
        found.sort();
        if found.is_empty() {
            return Err(ArchiveError::Empty(path.clone()));
        }
        files.extend(found);
    }
    Ok(files)
}

impl Archive {
    pub fn open(file: &Path) -> Result<Archive, ArchiveError> {
        Archive::of(File::open(file).at(file)?, file)
    }
}

impl<R: Read> Archive<R> {
    /// What this source, known by this name, holds.
    fn of(source: R, path: &Path) -> Result<Archive<R>, ArchiveError> {
        let mut window = Window::new(source);
        let header = || ArchiveError::Header(path.to_path_buf());
        let start = window.view(0, START).at(path)?;
        let Some(numbers) = start.strip_prefix(MAGIC) else {
            return Err(ArchiveError::Foreign(path.to_path_buf()));
        };
        let &[low, high, length_low, length_high] = numbers else { return Err(header()) };
        let found = u16::from_le_bytes([low, high]);
        let Some(version) = Version::of(found) else {
            return Err(ArchiveError::Version { file: path.to_path_buf(), found });
        };
        let length = usize::from(u16::from_le_bytes([length_low, length_high]));
        let rest = window.view(START as u64, length + 4).at(path)?;
        let (text, sum) = rest.split_at_checked(length).ok_or_else(header)?;
        if sum != crc32fast::hash(text).to_le_bytes() {
            return Err(header());
        }
        let text = std::str::from_utf8(text).map_err(|_| header())?;
        let pair =
            |line: &str| line.split_once(" = ").map(|(name, value)| (name.to_string(), value.to_string()));
        let conditions = text.lines().filter_map(pair).collect();
        let place = (START + length + 4) as u64;
        let path = path.to_path_buf();
        Ok(Archive {
            conditions,
            version,
            lost: 0,
            path,
            window,
            games: Vec::new(),
            taken: 0,
            place,
            sound_end: place,
        })
    }

    /// How many bytes have been read of games that are past.
    pub fn bytes_read(&self) -> u64 {
        self.place - (self.games.len() - self.taken) as u64
    }

    /// Goes on to the next sound block; whether there is one.
    fn next_block(&mut self) -> io::Result<bool> {
        let begin = self.place;
        while !self.window.view(self.place, 1)?.is_empty() {
            if let Some(games) = block_at(&mut self.window, self.place)? {
                self.lost += self.place - begin;
                self.place += (BLOCK_HEAD + games.len()) as u64;
                self.sound_end = self.place;
                self.games.clear();
                self.games.extend_from_slice(games);
                self.taken = 0;
                return Ok(true);
            }
            self.place += 1;
        }
        self.lost += self.place - begin;
        Ok(false)
    }
}

impl<R: Read> Iterator for Archive<R> {
    type Item = Result<Game, ArchiveError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let mut rest = &self.games[self.taken..];
            if rest.is_empty() {
                match self.next_block() {
                    Ok(true) => continue,
                    Ok(false) => return None,
                    Err(source) => return Some(Err(source).at(&self.path).map_err(ArchiveError::from)),
                }
            }
            let left = rest.len();
            match Game::read(&mut rest, self.version) {
                Ok(game) => {
                    self.taken += left - rest.len();
                    return Some(Ok(game));
                }
                Err(error) => {
                    log::warn!("a game that is none: {error}");
                    self.lost += left as u64;
                    self.taken += left;
                }
            }
        }
    }
}

/// The games of the block that begins here, if a sound one does.
fn block_at<R: Read>(window: &mut Window<R>, place: u64) -> io::Result<Option<&[u8]>> {
    let head = window.view(place, BLOCK_HEAD)?;
    let Some(&[a, b, c, d, ref sum @ ..]) = head.strip_prefix(MARK) else { return Ok(None) };
    let (length, sum) = (u32::from_le_bytes([a, b, c, d]) as usize, sum.to_vec());
    // A longer one was never written: these are other bytes, and need not be fetched to be told.
    if length > LONGEST_BLOCK {
        return Ok(None);
    }
    let block = window.view(place, BLOCK_HEAD + length)?;
    let games = &block[BLOCK_HEAD..];
    Ok((games.len() == length && crc32fast::hash(games).to_le_bytes() == *sum).then_some(games))
}

/// A file that games are added to. It is locked while it is held, so that no two programs add to one file.
pub struct Writer {
    path: PathBuf,
    file: File,
    waiting: Vec<u8>,
    /// The number after the highest of the games in it.
    pub next_number: u64,
    /// How many games were in it when it was opened.
    pub games_before: u64,
}

impl Writer {
    /// Makes a new file; an existing one is left alone and an error.
    pub fn create(path: &Path, conditions: &Conditions) -> Result<Writer, ArchiveError> {
        let text: String = conditions.iter().map(|(name, value)| format!("{name} = {value}\n")).collect();
        let length = u16::try_from(text.len()).map_err(|_| ArchiveError::Long(path.to_path_buf()))?;
        let mut file = OpenOptions::new().write(true).create_new(true).open(path).at(path)?;
        lock(&file).map_err(io::Error::from).at(path)?;
        let mut header = MAGIC.to_vec();
        header.extend_from_slice(&(Version::NEWEST as u16).to_le_bytes());
        header.extend_from_slice(&length.to_le_bytes());
        header.extend_from_slice(text.as_bytes());
        header.extend_from_slice(&crc32fast::hash(text.as_bytes()).to_le_bytes());
        file.write_all(&header).at(path)?;
        Ok(Writer { path: path.to_path_buf(), file, waiting: Vec::new(), next_number: 0, games_before: 0 })
    }

    /// Opens a file to go on where it ends; `None` if another program holds it, or its games were played under other
    /// conditions or are of an older version. What an interruption tore off is cut away.
    pub fn resume(path: &Path, conditions: &Conditions) -> Result<Option<Writer>, ArchiveError> {
        Writer::resume_seeing(path, conditions, |_| ())
    }

    /// The same, and shows what is in it.
    pub fn resume_seeing(
        path: &Path,
        conditions: &Conditions,
        mut see: impl FnMut(&Game),
    ) -> Result<Option<Writer>, ArchiveError> {
        let mut file = OpenOptions::new().read(true).write(true).open(path).at(path)?;
        match lock(&file) {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Ok(None),
            Err(TryLockError::Error(source)) => return Err(source).at(path)?,
        }
        // Where locks are strict, whoever holds one is the only one who can read, and only by it.
        let mut archive = Archive::of(&file, path)?;
        if archive.conditions != *conditions || archive.version != Version::NEWEST {
            return Ok(None);
        }
        let (mut next_number, mut games_before) = (0, 0);
        for game in &mut archive {
            let game = game?;
            see(&game);
            next_number = next_number.max(game.number + 1);
            games_before += 1;
        }
        let end = archive.sound_end;
        file.set_len(end).at(path)?;
        file.seek(SeekFrom::Start(end)).at(path)?;
        Ok(Some(Writer { path: path.to_path_buf(), file, waiting: Vec::new(), next_number, games_before }))
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Adds a game; it is in the file when `flush` was called, or when enough are waiting.
    pub fn add(&mut self, game: &Game) -> Result<(), ArchiveError> {
        game.write(&mut self.waiting);
        self.next_number = self.next_number.max(game.number + 1);
        if self.waiting.len() >= BLOCK_SIZE { self.flush() } else { Ok(()) }
    }

    /// Writes what waits as one block, in one go.
    pub fn flush(&mut self) -> Result<(), ArchiveError> {
        if self.waiting.is_empty() {
            return Ok(());
        }
        let mut block = Vec::with_capacity(BLOCK_HEAD + self.waiting.len());
        block.extend_from_slice(MARK);
        block.extend_from_slice(&(self.waiting.len() as u32).to_le_bytes());
        block.extend_from_slice(&crc32fast::hash(&self.waiting).to_le_bytes());
        block.append(&mut self.waiting);
        Ok(self.file.write_all(&block).at(&self.path)?)
    }
}
