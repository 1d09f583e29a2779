//! Files of games: a header with the conditions, then blocks of games with length and checksum. Games can be appended,
//! and a torn or damaged block does not affect the others.
//!
//! ```text
//! CHUHEGAM  version u16  length u16  header text  CRC-32 of the text
//! GAME      length u32   CRC-32 of the games      games            (repeated)
//! ```
//!
//! [`GameArchive`] reads one file, [`ArchiveReader`] several, [`GameArchiveWriter`] appends; [`ChunkReader`] reads a
//! source of any size in chunks.

use super::game_format::{FormatVersion, SelfplayGame};
use chuhe_engine::search::HashSizeError;
use chuhe_support::files::{AppendFile, At, FileError, lock, open_regular, open_regular_with, remove};
use chuhe_support::language::{NoThread, tr};
use chuhe_support::messages::Localize;
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use thiserror::Error;

const MAGIC: &[u8; 8] = b"CHUHEGAM";
/// Bytes before the header text.
const HEADER_SIZE: usize = 12;
const BLOCK_MAGIC: &[u8; 4] = b"GAME";
/// Bytes before the games of a block.
const BLOCK_HEADER_SIZE: usize = 12;
/// Target size of blocks when many games are written at once.
const BLOCK_SIZE: usize = 1 << 16;
/// Maximum size of a block.
const MAX_BLOCK_SIZE: usize = 1 << 24;

/// Why a file of games cannot be used.
#[derive(Debug, Error)]
pub enum GameArchiveError {
    /// An I/O error.
    #[error(transparent)]
    Io(#[from] FileError),
    /// No thread for the games.
    #[error(transparent)]
    Thread(#[from] NoThread),
    /// No memory for a worker's searcher.
    #[error("{}", .0.localized())]
    Memory(#[from] HashSizeError),
    /// It is not a file of games.
    #[error("{}", tr!("{path}: not a file of games", path = _0.display()))]
    NotAnArchive(PathBuf),
    /// The folder has no file of games.
    #[error("{}", tr!("{path}: no file of games in it", path = _0.display()))]
    Empty(PathBuf),
    /// It holds games played under other conditions, or is locked.
    #[error("{}", tr!("{path}: holds other games, or another program is writing to it", path = _0.display()))]
    OtherConditions(PathBuf),
    /// It has an unknown format version.
    #[error("{}", tr!("{file}: version {found} of the format, this program knows {known}", file = file.display(), found, known = FormatVersion::NEWEST as u16))]
    Version { file: PathBuf, found: u16 },
    /// The conditions do not fit into the header.
    #[error("{}", tr!("{path}: the header of a file of games is too short for the names of all files", path = _0.display()))]
    HeaderTooLong(PathBuf),
    /// The header is damaged.
    #[error("{}", tr!("{path}: damaged header", path = _0.display()))]
    Header(PathBuf),
}

/// The conditions of the games in a file: names and values, sorted by name.
pub type ArchiveConditions = BTreeMap<String, String>;

/// An iterator over the games of a file, which reads a block at a time. Damaged bytes are skipped and counted.
pub struct GameArchive<R = File> {
    pub conditions: ArchiveConditions,
    pub version: FormatVersion,
    /// Damaged bytes so far.
    pub damaged_bytes: u64,
    path: PathBuf,
    reader: ChunkReader<R>,
    /// The bytes of the current block.
    games: Vec<u8>,
    consumed: usize,
    /// Offset of the next block.
    next_block: u64,
    /// End of the last valid block.
    last_valid_end: u64,
}

/// The named files, and the `.games` files in the named folders. The command's own output file is skipped in folders, so
/// that a second run does not read what the first run wrote.
pub fn game_files(paths: &[PathBuf], output: Option<&Path>) -> Result<Vec<PathBuf>, GameArchiveError> {
    let output = output.and_then(|output| output.canonicalize().ok());
    let is_output = |file: &Path| output.is_some() && file.canonicalize().ok() == output;
    let mut files = Vec::new();
    for path in paths {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let mut found = Vec::new();
        for entry in std::fs::read_dir(path).at(path)? {
            let file = entry.at(path)?.path();
            if file.extension().is_some_and(|extension| extension == "games") && !is_output(&file) {
                found.push(file);
            }
        }
        found.sort_unstable();
        if found.is_empty() {
            return Err(GameArchiveError::Empty(path.clone()));
        }
        files.extend(found);
    }
    Ok(files)
}

/// Whether the bytes of a file are those of an archive.
pub fn is_archive(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

impl GameArchive {
    pub fn open(file: &Path) -> Result<GameArchive, GameArchiveError> {
        GameArchive::of(open_regular(file).at(file)?, file)
    }
}

impl<R: Read> GameArchive<R> {
    /// Opens a source; the path is used in errors only.
    fn of(source: R, path: &Path) -> Result<GameArchive<R>, GameArchiveError> {
        let mut reader = ChunkReader::new(source);
        let header = || GameArchiveError::Header(path.to_path_buf());
        let start = reader.read_at(0, HEADER_SIZE).at(path)?;
        let Some(numbers) = start.strip_prefix(MAGIC) else {
            return Err(GameArchiveError::NotAnArchive(path.to_path_buf()));
        };
        let &[low, high, length_low, length_high] = numbers else { return Err(header()) };
        let found = u16::from_le_bytes([low, high]);
        let Some(version) = FormatVersion::of(found) else {
            return Err(GameArchiveError::Version { file: path.to_path_buf(), found });
        };
        let length = usize::from(u16::from_le_bytes([length_low, length_high]));
        let rest = reader.read_at(HEADER_SIZE as u64, length + 4).at(path)?;
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
            reader,
            games: Vec::new(),
            consumed: 0,
            next_block: place,
            last_valid_end: place,
        })
    }

    /// Bytes of the games read so far.
    pub fn bytes_read(&self) -> u64 {
        self.next_block - (self.games.len() - self.consumed) as u64
    }

    /// Loads the next valid block; false at the end.
    fn next_block(&mut self) -> io::Result<bool> {
        let begin = self.next_block;
        while !self.reader.read_at(self.next_block, 1)?.is_empty() {
            if let Some(games) = block_at(&mut self.reader, self.next_block)? {
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

/// The games of the block at this offset, if it is valid.
fn block_at<R: Read>(reader: &mut ChunkReader<R>, place: u64) -> io::Result<Option<&[u8]>> {
    let head = reader.read_at(place, BLOCK_HEADER_SIZE)?;
    // A file may end within the head of a block.
    let Some(&[a, b, c, d, e, f, g, h]) = head.strip_prefix(BLOCK_MAGIC) else { return Ok(None) };
    let (length, sum) = (u32::from_le_bytes([a, b, c, d]) as usize, [e, f, g, h]);
    // Longer blocks are never written, so these are other bytes.
    if length > MAX_BLOCK_SIZE {
        return Ok(None);
    }
    let block = reader.read_at(place, BLOCK_HEADER_SIZE + length)?;
    let games = block.get(BLOCK_HEADER_SIZE..).filter(|games| games.len() == length);
    Ok(games.filter(|games| crc32fast::hash(games).to_le_bytes() == sum))
}

/// Appends games to a file, which is locked meanwhile.
pub struct GameArchiveWriter {
    path: PathBuf,
    file: AppendFile,
    pending: Vec<u8>,
    /// One more than the highest game number in the file.
    pub next_number: u64,
    /// Number of games in the file when it was opened.
    pub games_before: u64,
}

impl GameArchiveWriter {
    /// Creates a new file; fails if it exists.
    pub fn create(path: &Path, conditions: &ArchiveConditions) -> Result<GameArchiveWriter, GameArchiveError> {
        let text: String = conditions.iter().map(|(name, value)| format!("{name} = {value}\n")).collect();
        let length = u16::try_from(text.len()).map_err(|_| GameArchiveError::HeaderTooLong(path.to_path_buf()))?;
        let file = OpenOptions::new().read(true).write(true).create_new(true).open(path).at(path)?;
        lock(&file).map_err(io::Error::from).at(path)?;
        let mut header = MAGIC.to_vec();
        header.extend_from_slice(&(FormatVersion::NEWEST as u16).to_le_bytes());
        header.extend_from_slice(&length.to_le_bytes());
        header.extend_from_slice(text.as_bytes());
        header.extend_from_slice(&crc32fast::hash(text.as_bytes()).to_le_bytes());
        let mut file = AppendFile::new(file, 0).at(path)?;
        // A file without a header could not be resumed.
        file.append_unsynced(&header).inspect_err(|_| drop(remove(path))).at(path)?;
        Ok(GameArchiveWriter { path: path.to_path_buf(), file, pending: Vec::new(), next_number: 0, games_before: 0 })
    }

    /// Opens a file to append games; `None` if it is locked, or has other conditions or an older version. An incomplete
    /// block at the end is cut off.
    pub fn resume(path: &Path, conditions: &ArchiveConditions) -> Result<Option<GameArchiveWriter>, GameArchiveError> {
        GameArchiveWriter::resume_with(path, conditions, |_| ())
    }

    /// Like `resume`, and calls `on_game` for each game in the file.
    pub fn resume_with(
        path: &Path,
        conditions: &ArchiveConditions,
        mut on_game: impl FnMut(&SelfplayGame),
    ) -> Result<Option<GameArchiveWriter>, GameArchiveError> {
        let file = open_regular_with(OpenOptions::new().read(true).write(true), path).at(path)?;
        match lock(&file) {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Ok(None),
            Err(TryLockError::Error(source)) => return Err(source).at(path)?,
        }
        // With mandatory locks only the locking handle can read.
        let mut archive = GameArchive::of(&file, path)?;
        if archive.conditions != *conditions || archive.version != FormatVersion::NEWEST {
            return Ok(None);
        }
        let (mut next_number, mut games_before) = (0, 0);
        for game in &mut archive {
            let game = game?;
            on_game(&game);
            next_number = next_number.max(game.number + 1);
            games_before += 1;
        }
        let end = archive.last_valid_end;
        let file = AppendFile::new(file, end).at(path)?;
        Ok(Some(GameArchiveWriter { path: path.to_path_buf(), file, pending: Vec::new(), next_number, games_before }))
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Adds a game to the pending block, which is written by `flush` or when it is large enough.
    pub fn add(&mut self, game: &SelfplayGame) -> Result<(), GameArchiveError> {
        game.write(&mut self.pending);
        self.next_number = self.next_number.max(game.number + 1);
        if self.pending.len() >= BLOCK_SIZE { self.flush() } else { Ok(()) }
    }

    /// Writes the pending games as one block.
    pub fn flush(&mut self) -> Result<(), GameArchiveError> {
        if self.pending.is_empty() {
            return Ok(());
        }
        let mut block = Vec::with_capacity(BLOCK_HEADER_SIZE + self.pending.len());
        block.extend_from_slice(BLOCK_MAGIC);
        block.extend_from_slice(&(self.pending.len() as u32).to_le_bytes());
        block.extend_from_slice(&crc32fast::hash(&self.pending).to_le_bytes());
        block.extend_from_slice(&self.pending);
        // What was not written waits for the next attempt.
        self.file.append_unsynced(&block).at(&self.path)?;
        self.pending.clear();
        Ok(())
    }

    /// Writes the pending games, and waits until all are on the disk.
    pub fn sync(&mut self) -> Result<(), GameArchiveError> {
        self.flush()?;
        Ok(self.file.file().sync_all().at(&self.path)?)
    }
}

/// Iterates over the games of several files, numbered consecutively.
pub struct ArchiveReader<'a> {
    files: std::slice::Iter<'a, PathBuf>,
    /// The current file.
    archive: Option<GameArchive>,
    /// Number of games read.
    pub games: u64,
    /// Damaged bytes in the files read completely.
    pub damaged_bytes: u64,
    /// Size of all files, and of those read completely.
    bytes: u64,
    bytes_read: u64,
}

impl ArchiveReader<'_> {
    pub fn of(files: &[PathBuf]) -> ArchiveReader<'_> {
        let bytes = files.iter().map(|file| size(file)).sum();
        ArchiveReader { files: files.iter(), archive: None, games: 0, damaged_bytes: 0, bytes, bytes_read: 0 }
    }

    /// Percentage of the bytes read.
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

/// Size of a file; 0 if unknown.
pub(super) fn size(file: &Path) -> u64 {
    file.metadata().map_or(0, |file| file.len())
}

/// Bytes read at a time.
const CHUNK_SIZE: usize = 1 << 20;

/// A buffer over a source that moves forward only.
pub struct ChunkReader<R> {
    source: R,
    /// Offset of the first buffered byte.
    begin: u64,
    bytes: Vec<u8>,
}

impl<R: Read> ChunkReader<R> {
    pub fn new(source: R) -> ChunkReader<R> {
        ChunkReader { source, begin: 0, bytes: Vec::new() }
    }

    /// `count` bytes at this offset, or fewer at the end. Offsets must not decrease.
    pub fn read_at(&mut self, place: u64, count: usize) -> io::Result<&[u8]> {
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
    fn chunk_reader_returns_the_bytes_of_the_source() {
        let bytes: Vec<u8> = (0..3 * CHUNK_SIZE + 77).map(|index| (index * 31 % 251) as u8).collect();
        let mut reader = ChunkReader::new(bytes.as_slice());
        let mut place = 0;
        for step in [0, 1, 5, 70_000, 1 << 20, 3, 900_000, 1, 1_100_000, 40, 200_000] {
            place = (place + step).min(bytes.len());
            for count in [4, 12, 100_000, CHUNK_SIZE + 5] {
                let wanted = &bytes[place..bytes.len().min(place + count)];
                assert!(reader.read_at(place as u64, count).unwrap() == wanted, "{count} bytes at {place}");
            }
        }
    }
}
