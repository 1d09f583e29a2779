//! Files of games. A header says how they were played; then come blocks of games, each with its length and a
//! checksum, so that a file can be added to at its end, and a torn or damaged block costs no more than itself.
//!
//! ```text
//! CHUHEGAM  version u16  length u16  header text  CRC-32 of the text
//! GAME      length u32   CRC-32 of the games      games            (again and again)
//! ```
//!
//! The games of several files, read one after the other, and what is to be told of the reading.
//! Bytes that are read from their beginning to their end, however many there are: what is being looked at is in memory,
//! and a piece of what follows.

use super::game::{FormatVersion, SelfplayGame};
use chuhe_engine::files::{At, FileError, lock};
use chuhe_engine::language::tr;
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use thiserror::Error;

const MAGIC: &[u8; 8] = b"CHUHEGAM";
/// Bytes before the text of the header.
const HEADER_SIZE: usize = 12;
const BLOCK_MAGIC: &[u8; 4] = b"GAME";
/// Bytes before the games of a block.
const BLOCK_HEADER_SIZE: usize = 12;
/// Games are gathered into blocks of about this size where many are written at once.
const BLOCK_SIZE: usize = 1 << 16;
/// No block is longer, as no game is (`game::MOST_PLIES`).
const MAX_BLOCK_SIZE: usize = 1 << 24;

/// Why a file of games cannot be used.
#[derive(Debug, Error)]
pub enum GameArchiveError {
    /// The system said no.
    #[error(transparent)]
    Io(#[from] FileError),
    /// It is something else.
    #[error("{}", tr!("{path}: not a file of games", path = _0.display()))]
    NotAnArchive(PathBuf),
    /// A folder without any.
    #[error("{}", tr!("{path}: no file of games in it", path = _0.display()))]
    Empty(PathBuf),
    /// It holds games of another kind than those that should be added.
    #[error("{}", tr!("{path}: holds other games, or another program is writing to it", path = _0.display()))]
    OtherConditions(PathBuf),
    /// It is of another version.
    #[error("{}", tr!("{file}: version {found} of the format, this program knows {known}", file = file.display(), found, known = FormatVersion::NEWEST as u16))]
    Version { file: PathBuf, found: u16 },
    /// So much would have to be said in its header that there is no room for it.
    #[error("{}", tr!("{path}: no header of a file of games is long enough for the names of so many files", path = _0.display()))]
    HeaderTooLong(PathBuf),
    /// Its first lines are damaged.
    #[error("{}", tr!("{path}: damaged header", path = _0.display()))]
    Header(PathBuf),
}

/// How the games of a file were played: names and values, in the order of the names.
pub type ArchiveConditions = BTreeMap<String, String>;

/// A file of games that is read from its beginning to its end, a block at a time: an iterator over the games that can be
/// read. Damaged stretches are passed over and counted.
pub struct GameArchive<R = File> {
    /// How its games were played.
    pub conditions: ArchiveConditions,
    pub version: FormatVersion,
    /// Bytes that held no sound games, so far.
    pub damaged_bytes: u64,
    path: PathBuf,
    window: ChunkReader<R>,
    /// The games of the present block that are still to come.
    games: Vec<u8>,
    consumed: usize,
    /// Where the next block should begin.
    next_block: u64,
    /// Where the last sound block ended.
    last_valid_end: u64,
}

/// The files that are named, and those of the folders that are named.
pub fn game_files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, GameArchiveError> {
    files_besides(paths, |_| false)
}

/// The same for those who write a file of games themselves: in a folder it is none of those to be read, or the same
/// command would take in the second time what it made the first time.
pub fn input_files_for(paths: &[PathBuf], made: &Path) -> Result<Vec<PathBuf>, GameArchiveError> {
    let made = made.canonicalize().ok();
    files_besides(paths, |file| made.is_some() && file.canonicalize().ok() == made)
}

fn files_besides(paths: &[PathBuf], is_other: impl Fn(&Path) -> bool) -> Result<Vec<PathBuf>, GameArchiveError> {
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
            return Err(GameArchiveError::Empty(path.clone()));
        }
        files.extend(found);
    }
    Ok(files)
}

impl GameArchive {
    pub fn open(file: &Path) -> Result<GameArchive, GameArchiveError> {
        GameArchive::of(File::open(file).at(file)?, file)
    }
}

impl<R: Read> GameArchive<R> {
    /// What this source, known by this name, holds.
    fn of(source: R, path: &Path) -> Result<GameArchive<R>, GameArchiveError> {
        let mut window = ChunkReader::new(source);
        let header = || GameArchiveError::Header(path.to_path_buf());
        let start = window.view(0, HEADER_SIZE).at(path)?;
        let Some(numbers) = start.strip_prefix(MAGIC) else {
            return Err(GameArchiveError::NotAnArchive(path.to_path_buf()));
        };
        let &[low, high, length_low, length_high] = numbers else { return Err(header()) };
        let found = u16::from_le_bytes([low, high]);
        let Some(version) = FormatVersion::of(found) else {
            return Err(GameArchiveError::Version { file: path.to_path_buf(), found });
        };
        let length = usize::from(u16::from_le_bytes([length_low, length_high]));
        let rest = window.view(HEADER_SIZE as u64, length + 4).at(path)?;
        let (text, sum) = rest.split_at_checked(length).ok_or_else(header)?;
        if sum != crc32fast::hash(text).to_le_bytes() {
            return Err(header());
        }
        let text = std::str::from_utf8(text).map_err(|_| header())?;
        let pair = |line: &str| line.split_once(" = ").map(|(name, value)| (name.to_string(), value.to_string()));
        let conditions = text.lines().filter_map(pair).collect();
        let place = (HEADER_SIZE + length + 4) as u64;
        let path = path.to_path_buf();
        Ok(GameArchive {
            conditions,
            version,
            damaged_bytes: 0,
            path,
            window,
            games: Vec::new(),
            consumed: 0,
            next_block: place,
            last_valid_end: place,
        })
    }

    /// How many bytes have been read of games that are past.
    pub fn bytes_read(&self) -> u64 {
        self.next_block - (self.games.len() - self.consumed) as u64
    }

    /// Goes on to the next sound block; whether there is one.
    fn next_block(&mut self) -> io::Result<bool> {
        let begin = self.next_block;
        while !self.window.view(self.next_block, 1)?.is_empty() {
            if let Some(games) = block_at(&mut self.window, self.next_block)? {
                self.damaged_bytes += self.next_block - begin;
                self.next_block += (BLOCK_HEADER_SIZE + games.len()) as u64;
                self.last_valid_end = self.next_block;
                self.games.clear();
                self.games.extend_from_slice(games);
                self.consumed = 0;
                return Ok(true);
            }
            self.next_block += 1;
        }
        self.damaged_bytes += self.next_block - begin;
        Ok(false)
    }
}

impl<R: Read> Iterator for GameArchive<R> {
    type Item = Result<SelfplayGame, GameArchiveError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let mut rest = &self.games[self.consumed..];
            if rest.is_empty() {
                match self.next_block() {
                    Ok(true) => continue,
                    Ok(false) => return None,
                    Err(source) => return Some(Err(source).at(&self.path).map_err(GameArchiveError::from)),
                }
            }
            let left = rest.len();
            match SelfplayGame::read(&mut rest, self.version) {
                Ok(game) => {
                    self.consumed += left - rest.len();
                    return Some(Ok(game));
                }
                Err(error) => {
                    log::warn!("a game that is none: {error}");
                    self.damaged_bytes += left as u64;
                    self.consumed += left;
                }
            }
        }
    }
}

/// The games of the block that begins here, if a sound one does.
fn block_at<R: Read>(window: &mut ChunkReader<R>, place: u64) -> io::Result<Option<&[u8]>> {
    let head = window.view(place, BLOCK_HEADER_SIZE)?;
    let Some(&[a, b, c, d, ref sum @ ..]) = head.strip_prefix(BLOCK_MAGIC) else { return Ok(None) };
    let (length, sum) = (u32::from_le_bytes([a, b, c, d]) as usize, sum.to_vec());
    // A longer one was never written: these are other bytes, and need not be fetched to be told.
    if length > MAX_BLOCK_SIZE {
        return Ok(None);
    }
    let block = window.view(place, BLOCK_HEADER_SIZE + length)?;
    let games = &block[BLOCK_HEADER_SIZE..];
    Ok((games.len() == length && crc32fast::hash(games).to_le_bytes() == *sum).then_some(games))
}

/// A file that games are added to. It is locked while it is held, so that no two programs add to one file.
pub struct GameArchiveWriter {
    path: PathBuf,
    file: File,
    pending: Vec<u8>,
    /// The number after the highest of the games in it.
    pub next_number: u64,
    /// How many games were in it when it was opened.
    pub games_before: u64,
}

impl GameArchiveWriter {
    /// Makes a new file; an existing one is left alone and an error.
    pub fn create(path: &Path, conditions: &ArchiveConditions) -> Result<GameArchiveWriter, GameArchiveError> {
        let text: String = conditions.iter().map(|(name, value)| format!("{name} = {value}\n")).collect();
        let length = u16::try_from(text.len()).map_err(|_| GameArchiveError::HeaderTooLong(path.to_path_buf()))?;
        let mut file = OpenOptions::new().write(true).create_new(true).open(path).at(path)?;
        lock(&file).map_err(io::Error::from).at(path)?;
        let mut header = MAGIC.to_vec();
        header.extend_from_slice(&(FormatVersion::NEWEST as u16).to_le_bytes());
        header.extend_from_slice(&length.to_le_bytes());
        header.extend_from_slice(text.as_bytes());
        header.extend_from_slice(&crc32fast::hash(text.as_bytes()).to_le_bytes());
        file.write_all(&header).at(path)?;
        Ok(GameArchiveWriter { path: path.to_path_buf(), file, pending: Vec::new(), next_number: 0, games_before: 0 })
    }

    /// Opens a file to go on where it ends; `None` if another program holds it, or its games were played under other
    /// conditions or are of an older version. What an interruption tore off is cut away.
    pub fn resume(path: &Path, conditions: &ArchiveConditions) -> Result<Option<GameArchiveWriter>, GameArchiveError> {
        GameArchiveWriter::resume_with(path, conditions, |_| ())
    }

    /// The same, and shows what is in it.
    pub fn resume_with(
        path: &Path,
        conditions: &ArchiveConditions,
        mut see: impl FnMut(&SelfplayGame),
    ) -> Result<Option<GameArchiveWriter>, GameArchiveError> {
        let mut file = OpenOptions::new().read(true).write(true).open(path).at(path)?;
        match lock(&file) {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Ok(None),
            Err(TryLockError::Error(source)) => return Err(source).at(path)?,
        }
        // Where locks are strict, whoever holds one is the only one who can read, and only by it.
        let mut archive = GameArchive::of(&file, path)?;
        if archive.conditions != *conditions || archive.version != FormatVersion::NEWEST {
            return Ok(None);
        }
        let (mut next_number, mut games_before) = (0, 0);
        for game in &mut archive {
            let game = game?;
            see(&game);
            next_number = next_number.max(game.number + 1);
            games_before += 1;
        }
        let end = archive.last_valid_end;
        file.set_len(end).at(path)?;
        file.seek(SeekFrom::Start(end)).at(path)?;
        Ok(Some(GameArchiveWriter { path: path.to_path_buf(), file, pending: Vec::new(), next_number, games_before }))
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Adds a game; it is in the file when `flush` was called, or when enough are waiting.
    pub fn add(&mut self, game: &SelfplayGame) -> Result<(), GameArchiveError> {
        game.write(&mut self.pending);
        self.next_number = self.next_number.max(game.number + 1);
        if self.pending.len() >= BLOCK_SIZE { self.flush() } else { Ok(()) }
    }

    /// Writes what waits as one block, in one go.
    pub fn flush(&mut self) -> Result<(), GameArchiveError> {
        if self.pending.is_empty() {
            return Ok(());
        }
        let mut block = Vec::with_capacity(BLOCK_HEADER_SIZE + self.pending.len());
        block.extend_from_slice(BLOCK_MAGIC);
        block.extend_from_slice(&(self.pending.len() as u32).to_le_bytes());
        block.extend_from_slice(&crc32fast::hash(&self.pending).to_le_bytes());
        block.append(&mut self.pending);
        Ok(self.file.write_all(&block).at(&self.path)?)
    }
}

/// The games of several files one after the other, numbered throughout.
pub struct ArchiveReader<'a> {
    files: std::slice::Iter<'a, PathBuf>,
    /// The file that is being read.
    archive: Option<GameArchive>,
    /// How many games have come.
    pub games: u64,
    /// Bytes that held no sound games, of the files that have been read to their end.
    pub damaged_bytes: u64,
    /// Bytes of all files, and of those that have been read.
    bytes: u64,
    bytes_read: u64,
}

impl ArchiveReader<'_> {
    pub fn of(files: &[PathBuf]) -> ArchiveReader<'_> {
        let bytes = files.iter().map(|file| size(file)).sum();
        ArchiveReader { files: files.iter(), archive: None, games: 0, damaged_bytes: 0, bytes, bytes_read: 0 }
    }

    /// How much of all files has been read.
    pub fn percent(&self) -> f64 {
        let here = self.archive.as_ref().map_or(0, GameArchive::bytes_read);
        100.0 * (self.bytes_read + here) as f64 / self.bytes.max(1) as f64
    }
}

impl Iterator for ArchiveReader<'_> {
    type Item = Result<SelfplayGame, GameArchiveError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(archive) = &mut self.archive {
                if let Some(game) = archive.next() {
                    let number = self.games;
                    self.games += 1;
                    return Some(game.map(|game| SelfplayGame { number, ..game }));
                }
                self.damaged_bytes += archive.damaged_bytes;
                self.bytes_read += archive.bytes_read();
                self.archive = None;
            }
            match GameArchive::open(self.files.next()?) {
                Ok(archive) => self.archive = Some(archive),
                Err(error) => return Some(Err(error)),
            }
        }
    }
}

/// How long a file is; nothing if it cannot be asked.
pub(super) fn size(file: &Path) -> u64 {
    file.metadata().map_or(0, |file| file.len())
}

/// So much is read at a time.
const CHUNK_SIZE: usize = 1 << 20;

/// A view of a source that moves forward.
pub struct ChunkReader<R> {
    source: R,
    /// Where in the source the first of the bytes stands.
    begin: u64,
    bytes: Vec<u8>,
}

impl<R: Read> ChunkReader<R> {
    pub fn new(source: R) -> ChunkReader<R> {
        ChunkReader { source, begin: 0, bytes: Vec::new() }
    }

    /// So many bytes from this place on, or as many as there are. What lies before the place of an earlier view is gone.
    pub fn view(&mut self, place: u64, count: usize) -> io::Result<&[u8]> {
        let behind = place.saturating_sub(self.begin) as usize;
        if behind + count > self.bytes.len() {
            self.bytes.drain(..behind.min(self.bytes.len()));
            self.begin = place;
            let missing = count.saturating_sub(self.bytes.len()).max(CHUNK_SIZE);
            (&mut self.source).take(missing as u64).read_to_end(&mut self.bytes)?;
        }
        let rest = &self.bytes[(place.saturating_sub(self.begin) as usize).min(self.bytes.len())..];
        Ok(&rest[..count.min(rest.len())])
    }
}

#[cfg(test)]
mod window_tests {
    use super::*;

    #[test]
    fn every_view_shows_what_is_there() {
        let bytes: Vec<u8> = (0..3 * CHUNK_SIZE + 77).map(|index| (index * 31 % 251) as u8).collect();
        let mut window = ChunkReader::new(bytes.as_slice());
        let mut place = 0;
        for step in [0, 1, 5, 70_000, 1 << 20, 3, 900_000, 1, 1_100_000, 40, 200_000] {
            place = (place + step).min(bytes.len());
            for count in [4, 12, 100_000, CHUNK_SIZE + 5] {
                let wanted = &bytes[place..bytes.len().min(place + count)];
                assert!(window.view(place as u64, count).unwrap() == wanted, "{count} bytes at {place}");
            }
        }
    }
}
