//! Files of games. A header says how they were played; then come blocks of games, each with its length and a
//! checksum, so that a file can be added to at its end, and a torn or damaged block costs no more than itself.
//!
//! ```text
//! CHUHEGAM  version u16  length u16  header text  CRC-32 of the text
//! GAME      length u32   CRC-32 of the games      games            (again and again)
//! ```

use super::game::Game;
use crate::files::{At, FileError, lock};
use crate::language::tr;
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use thiserror::Error;

const MAGIC: &[u8; 8] = b"CHUHEGAM";
const VERSION: u16 = 1;
const MARK: &[u8; 4] = b"GAME";
/// Bytes before the games of a block.
const BLOCK_HEAD: usize = 12;
/// Games are gathered into blocks of about this size where many are written at once.
const BLOCK_SIZE: usize = 1 << 16;

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
    #[error("{}", tr!("{file}: version {found} of the format, this program knows {known}", file = file.display(), found, known = VERSION))]
    Version { file: PathBuf, found: u16 },
    /// Its first lines are damaged.
    #[error("{}", tr!("{path}: damaged header", path = _0.display()))]
    Header(PathBuf),
}

/// How the games of a file were played: names and values, in the order of the names.
pub type Conditions = BTreeMap<String, String>;

/// What is in a file.
pub struct Archive {
    /// How its games were played.
    pub conditions: Conditions,
    bytes: Vec<u8>,
    /// Where the first block begins.
    body: usize,
}

/// The files that are named, and those of the folders that are named.
pub fn game_files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, ArchiveError> {
    let mut files = Vec::new();
    for path in paths {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let mut found = Vec::new();
        for entry in std::fs::read_dir(path).at(path)? {
            let file = entry.at(path)?.path();
            if file.extension().is_some_and(|extension| extension == "games") {
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

/// A stretch of a file that holds no sound games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Damage {
    pub offset: usize,
    /// How long it is.
    pub length: usize,
}

impl Archive {
    pub fn open(file: &Path) -> Result<Archive, ArchiveError> {
        Archive::of(std::fs::read(file).at(file)?, file)
    }

    /// What the bytes of this file hold.
    fn of(bytes: Vec<u8>, file: &Path) -> Result<Archive, ArchiveError> {
        let Some(rest) = bytes.strip_prefix(MAGIC) else {
            return Err(ArchiveError::Foreign(file.to_path_buf()));
        };
        let header = || ArchiveError::Header(file.to_path_buf());
        let (numbers, rest) = rest.split_at_checked(4).ok_or_else(header)?;
        let found = u16::from_le_bytes([numbers[0], numbers[1]]);
        if found != VERSION {
            return Err(ArchiveError::Version { file: file.to_path_buf(), found });
        }
        let length = usize::from(u16::from_le_bytes([numbers[2], numbers[3]]));
        let (text, rest) = rest.split_at_checked(length).ok_or_else(header)?;
        let (sum, rest) = rest.split_at_checked(4).ok_or_else(header)?;
        if sum != crc32fast::hash(text).to_le_bytes() {
            return Err(header());
        }
        let text = std::str::from_utf8(text).map_err(|_| header())?;
        let pair =
            |line: &str| line.split_once(" = ").map(|(name, value)| (name.to_string(), value.to_string()));
        let conditions = text.lines().filter_map(pair).collect();
        let body = bytes.len() - rest.len();
        Ok(Archive { conditions, bytes, body })
    }

    /// The sound blocks in order, each with where it ends; damaged stretches are told and passed over.
    pub fn blocks(&self) -> impl Iterator<Item = Result<(&[u8], usize), Damage>> {
        let mut offset = self.body;
        std::iter::from_fn(move || {
            if offset >= self.bytes.len() {
                return None;
            }
            if let Some(games) = block_at(&self.bytes, offset) {
                offset += BLOCK_HEAD + games.len();
                return Some(Ok((games, offset)));
            }
            let begin = offset;
            let next = (begin + 1..self.bytes.len()).find(|&at| block_at(&self.bytes, at).is_some());
            offset = next.unwrap_or(self.bytes.len());
            Some(Err(Damage { offset: begin, length: offset - begin }))
        })
    }

    /// Every game that can be read, and how many bytes cannot.
    pub fn games(&self, mut each: impl FnMut(Game)) -> usize {
        let mut lost = 0;
        for block in self.blocks() {
            match block {
                Err(damage) => lost += damage.length,
                Ok((mut games, _)) => {
                    while !games.is_empty() {
                        match Game::read(&mut games) {
                            Ok(game) => each(game),
                            Err(error) => {
                                log::warn!("a game that is none: {error}");
                                lost += games.len().max(1);
                                break;
                            }
                        }
                    }
                }
            }
        }
        lost
    }

    /// Where the last sound block ends: what follows was torn.
    fn sound_end(&self) -> usize {
        self.blocks().filter_map(Result::ok).last().map_or(self.body, |(_, end)| end)
    }
}

/// The games of the block that begins here, if a sound one does.
fn block_at(bytes: &[u8], offset: usize) -> Option<&[u8]> {
    let rest = bytes.get(offset..)?.strip_prefix(MARK)?;
    let (numbers, rest) = rest.split_at_checked(8)?;
    let word =
        |at: usize| u32::from_le_bytes([numbers[at], numbers[at + 1], numbers[at + 2], numbers[at + 3]]);
    let games = rest.get(..word(0) as usize)?;
    (crc32fast::hash(games) == word(4)).then_some(games)
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
        let mut file = OpenOptions::new().write(true).create_new(true).open(path).at(path)?;
        lock(&file).map_err(io::Error::from).at(path)?;
        let text: String = conditions.iter().map(|(name, value)| format!("{name} = {value}\n")).collect();
        let mut header = MAGIC.to_vec();
        header.extend_from_slice(&VERSION.to_le_bytes());
        header.extend_from_slice(&(text.len() as u16).to_le_bytes());
        header.extend_from_slice(text.as_bytes());
        header.extend_from_slice(&crc32fast::hash(text.as_bytes()).to_le_bytes());
        file.write_all(&header).at(path)?;
        Ok(Writer { path: path.to_path_buf(), file, waiting: Vec::new(), next_number: 0, games_before: 0 })
    }

    /// Opens a file to go on where it ends; `None` if another program holds it or its games were played under other
    /// conditions. What an interruption tore off is cut away.
    pub fn resume(path: &Path, conditions: &Conditions) -> Result<Option<Writer>, ArchiveError> {
        let mut file = OpenOptions::new().read(true).write(true).open(path).at(path)?;
        match lock(&file) {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Ok(None),
            Err(TryLockError::Error(source)) => return Err(source).at(path)?,
        }
        // Where locks are strict, whoever holds one is the only one who can read, and only by it.
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).at(path)?;
        let archive = Archive::of(bytes, path)?;
        if archive.conditions != *conditions {
            return Ok(None);
        }
        let (mut next_number, mut games_before) = (0, 0);
        archive.games(|game| {
            next_number = next_number.max(game.number + 1);
            games_before += 1;
        });
        let end = archive.sound_end() as u64;
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
