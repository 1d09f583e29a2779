//! Reads the games of a file one after the other. PGN is read in pieces, so that a file may be of any size.

use chuhe_support::files::{At, FileError, MAX_INPUT_SIZE, open_regular, read_regular};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use xiangqi_record::{Game, ParsedGame, RecordError, RecordFile, RecordFormat, pgn};

/// Why a file yields no games.
pub type GameSourceError = FileError;

/// The bytes of a piece of PGN.
const PIECE: usize = 4 << 20;
/// So many bytes tell the format of a file.
const HEAD: usize = 1 << 16;
/// So many games that somebody else reads are a piece.
const GAMES_AT_ONCE: usize = 1 << 14;

/// Games of a file that somebody else reads.
pub type GameIterator = Box<dyn Iterator<Item = Game>>;

/// How the games of a file are read.
enum Reading {
    /// Piece by piece.
    Pgn,
    /// As a whole.
    Record,
    /// By somebody else.
    Games(GameIterator),
}

/// A file of games.
pub struct GameSource {
    path: PathBuf,
    reading: Reading,
    file: File,
    length: u64,
    /// Where the next piece begins.
    place: u64,
    crc: crc32fast::Hasher,
}

enum Content {
    Record(RecordFile),
    Games(Vec<Game>),
}

/// Some games of a file.
pub struct GamePiece {
    content: Content,
    /// The bytes of the file up to the end of these games; of what is not read in pieces, all of them.
    pub end: u64,
    /// The CRC-32 of these bytes.
    pub sum: u32,
    /// No other piece follows.
    pub is_last: bool,
}

impl GamePiece {
    /// The games, each as far as it is valid.
    pub fn into_games(self, mut each: impl FnMut(Result<ParsedGame, RecordError>)) {
        match self.content {
            Content::Record(file) => file.games().for_each(each),
            Content::Games(games) => {
                games.into_iter().for_each(|game| each(Ok(ParsedGame { game, errors: Vec::new() })))
            }
        }
    }
}

impl GameSource {
    /// Opens a file of any format that the program reads.
    pub fn open(path: &Path) -> Result<GameSource, GameSourceError> {
        let mut source = GameSource::with_reading(path, Reading::Record)?;
        let mut head = Vec::new();
        source.file.by_ref().take(HEAD as u64).read_to_end(&mut head).at(path)?;
        source.file.seek(SeekFrom::Start(0)).at(path)?;
        if RecordFile::read(head).format() == RecordFormat::Pgn {
            source.reading = Reading::Pgn;
        }
        Ok(source)
    }

    /// Takes the games of a file from somebody who can read it.
    pub fn with_games(path: &Path, games: GameIterator) -> Result<GameSource, GameSourceError> {
        GameSource::with_reading(path, Reading::Games(games))
    }

    fn with_reading(path: &Path, reading: Reading) -> Result<GameSource, GameSourceError> {
        let file = open_regular(path).at(path)?;
        let length = file.metadata().at(path)?.len();
        Ok(GameSource { path: path.to_path_buf(), reading, file, length, place: 0, crc: crc32fast::Hasher::new() })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The size of the file.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// Goes back to the beginning.
    pub fn restart(&mut self) -> Result<(), GameSourceError> {
        (self.place, self.crc) = (0, crc32fast::Hasher::new());
        self.file.seek(SeekFrom::Start(0)).at(&self.path).map(drop)
    }

    /// Whether the file is read in pieces, and can be continued behind any of them.
    pub fn is_in_pieces(&self) -> bool {
        matches!(self.reading, Reading::Pgn)
    }

    /// Skips the first bytes of a file if they have this CRC-32; otherwise nothing is skipped, and the answer is false.
    pub fn skip(&mut self, bytes: u64, sum: u32) -> Result<bool, GameSourceError> {
        let (read, crc) = self.checksum(bytes)?;
        let is_same = read == bytes && crc.clone().finalize() == sum;
        if is_same {
            (self.place, self.crc) = (bytes, crc);
        } else {
            self.file.seek(SeekFrom::Start(self.place)).at(&self.path)?;
        }
        Ok(is_same)
    }

    /// The CRC-32 of the whole file; reading goes on where it was.
    pub fn sum(&mut self) -> Result<u32, GameSourceError> {
        self.file.seek(SeekFrom::Start(0)).at(&self.path)?;
        let (_, crc) = self.checksum(u64::MAX)?;
        self.file.seek(SeekFrom::Start(self.place)).at(&self.path)?;
        Ok(crc.finalize())
    }

    /// Reads so many bytes, or up to the end of the file; returns how many there were, and their CRC-32.
    fn checksum(&mut self, bytes: u64) -> Result<(u64, crc32fast::Hasher), GameSourceError> {
        let mut crc = crc32fast::Hasher::new();
        let mut buffer = vec![0; 1 << 18];
        let mut read = 0;
        while read < bytes {
            let wanted = (bytes - read).min(buffer.len() as u64) as usize;
            match self.file.read(&mut buffer[..wanted]).at(&self.path)? {
                0 => break,
                count => {
                    crc.update(&buffer[..count]);
                    read += count as u64;
                }
            }
        }
        Ok((read, crc))
    }

    /// The next games, or `None` at the end of the file.
    pub fn next_piece(&mut self) -> Result<Option<GamePiece>, GameSourceError> {
        if let Reading::Games(games) = &mut self.reading {
            let games: Vec<Game> = games.take(GAMES_AT_ONCE).collect();
            if games.is_empty() {
                return Ok(None);
            }
            let is_last = games.len() < GAMES_AT_ONCE;
            return Ok(Some(GamePiece { content: Content::Games(games), end: self.length, sum: self.sum()?, is_last }));
        }
        let bytes = if self.is_in_pieces() { self.read_games() } else { self.read_whole() }.at(&self.path)?;
        if bytes.is_empty() {
            return Ok(None);
        }
        self.place += bytes.len() as u64;
        self.crc.update(&bytes);
        Ok(Some(GamePiece {
            content: Content::Record(RecordFile::read(bytes)),
            end: self.place,
            sum: self.crc.clone().finalize(),
            is_last: self.place >= self.length,
        }))
    }

    fn read_whole(&mut self) -> io::Result<Vec<u8>> {
        if self.place > 0 { Ok(Vec::new()) } else { read_regular(&self.path, MAX_INPUT_SIZE) }
    }

    /// Reads whole games of PGN: a piece, or more if it has no end of a game.
    fn read_games(&mut self) -> io::Result<Vec<u8>> {
        let (mut bytes, mut size) = (Vec::new(), PIECE);
        loop {
            let missing = size - bytes.len();
            let added = self.file.by_ref().take(missing as u64).read_to_end(&mut bytes)?;
            if added < missing {
                return Ok(bytes);
            }
            let whole = pgn::complete_games_length(&bytes);
            if whole > 0 {
                self.file.seek(SeekFrom::Start(self.place + whole as u64))?;
                bytes.truncate(whole);
                return Ok(bytes);
            }
            size *= 2;
            if size as u64 > MAX_INPUT_SIZE {
                return Ok(bytes);
            }
        }
    }
}
