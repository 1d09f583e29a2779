//! A segment of the index: a file of some games that never changes. Damaged files give errors.
//!
//! ```text
//! postings   12 bytes each, ascending: a position's key, a game that came to it, the move played there
//! games      20 bytes each: number of the file, number in it, date and result, numbers of both names
//! names      a list as JSON
//! footer     see `Footer`
//! ```

use super::counting::{GameDate, GameFacts, for_each_position};
use chuhe_support::files::{AtomicFile, open_regular};
use chuhe_support::language::tr;
use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::iter::Peekable;
use std::path::{Path, PathBuf};
use xiangqi::{Move, Position};
use xiangqi_record::GameResult;

const MAGIC: &[u8; 8] = b"CHUHEXPL";
const VERSION: u32 = 2;
const FOOTER_SIZE: usize = 44;
const POSTING_SIZE: usize = 12;
const ROW_SIZE: usize = 20;
/// A file is read and written in pieces of some such size.
const PIECE: usize = 1 << 18;
/// The bytes of rows that are read at once.
const ROWS_AT_ONCE: u64 = 800 * ROW_SIZE as u64;

/// The error of a file whose numbers do not fit together.
pub fn damaged() -> io::Error {
    io::Error::new(
        io::ErrorKind::InvalidData,
        tr!("is damaged, or of another version of the program: make the index anew"),
    )
}

/// A game of the segment that came to a position, and the move that was played there. In the order of a segment.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Posting {
    pub key: u64,
    /// Its number in the segment.
    pub game: u32,
    /// The bits of the move, or 0 where the game ended.
    pub mv: u16,
}

impl Posting {
    fn to_bytes(self) -> [u8; POSTING_SIZE] {
        let word = u128::from(self.key) << 40 | u128::from(self.game) << 16 | u128::from(self.mv);
        std::array::from_fn(|index| word.to_be_bytes()[index + 16 - POSTING_SIZE])
    }

    fn from_bytes(bytes: &[u8]) -> Posting {
        let word = bytes.iter().fold(0, |word: u128, &byte| word << 8 | u128::from(byte));
        Posting { key: (word >> 40) as u64, game: (word >> 16) as u32 & 0xFF_FFFF, mv: word as u16 }
    }
}

/// A game of a segment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameRow {
    pub source: u32,
    pub number: u32,
    /// The date and the result.
    outcome: u32,
    /// The names of the players, by their numbers in the segment.
    pub red: u32,
    pub black: u32,
}

impl GameRow {
    pub fn date(&self) -> GameDate {
        GameDate::from_bits(self.outcome >> 2)
    }

    pub fn result(&self) -> GameResult {
        GameResult::ALL[(self.outcome & 3) as usize]
    }

    fn to_bytes(self) -> Vec<u8> {
        [self.source, self.number, self.outcome, self.red, self.black].map(u32::to_le_bytes).concat()
    }

    fn from_bytes(bytes: &[u8]) -> GameRow {
        let [source, number, outcome, red, black] = std::array::from_fn(|index| u32_at(bytes, 4 * index));
        GameRow { source, number, outcome, red, black }
    }
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    bytes[at..at + 4].iter().rev().fold(0, |number, &byte| number << 8 | u32::from(byte))
}

/// The games of a segment and the names in them.
#[derive(Default)]
struct GameTable {
    rows: Vec<GameRow>,
    names: Vec<String>,
    numbers: HashMap<String, u32>,
}

impl GameTable {
    fn name(&mut self, name: &str) -> u32 {
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        let number = self.names.len() as u32;
        self.numbers.insert(name.to_string(), number);
        self.names.push(name.to_string());
        number
    }

    /// Writes a segment, whole or not at all.
    fn write(&self, path: &Path, postings: impl Iterator<Item = io::Result<Posting>>) -> io::Result<()> {
        let mut file = AtomicFile::create(path)?;
        let (mut bytes, mut count) = (Vec::new(), 0u64);
        for posting in postings {
            bytes.extend(posting?.to_bytes());
            count += 1;
            if bytes.len() >= PIECE {
                file.write(&bytes)?;
                bytes.clear();
            }
        }
        bytes.extend(self.rows.iter().flat_map(|row| row.to_bytes()));
        let names = serde_json::to_vec(&self.names)?;
        bytes.extend(&names);
        let footer = Footer { postings: count, games: self.rows.len() as u32, names: names.len() as u64 };
        bytes.extend(footer.to_bytes());
        file.write(&bytes)?;
        file.finish()
    }
}

/// The most games of a batch: as many as fit into some 40 MB.
const MAX_BATCH: usize = 1 << 16;

/// Games in memory that become a segment.
#[derive(Default)]
pub struct Batch {
    table: GameTable,
    postings: Vec<Posting>,
}

impl Batch {
    pub fn len(&self) -> usize {
        self.table.rows.len()
    }

    pub fn is_full(&self) -> bool {
        self.len() >= MAX_BATCH
    }

    /// Adds a game: this number of this file.
    pub fn add(&mut self, facts: &GameFacts, start: &Position, moves: &[Move], source: u32, number: u32) {
        let game = self.len() as u32;
        let result = GameResult::ALL.iter().position(|one| *one == facts.result).unwrap_or(0) as u32;
        let outcome = facts.date.to_bits() << 2 | result;
        let (red, black) = (self.table.name(&facts.red), self.table.name(&facts.black));
        self.table.rows.push(GameRow { source, number, outcome, red, black });
        for_each_position(start, moves, |key, mv| self.postings.push(Posting { key, game, mv }));
    }

    pub fn write(mut self, path: &Path) -> io::Result<()> {
        self.postings.sort_unstable();
        self.postings.dedup();
        self.table.write(path, self.postings.into_iter().map(Ok))
    }
}

/// The numbers at the end of a segment.
struct Footer {
    postings: u64,
    games: u32,
    /// The bytes of the names.
    names: u64,
}

impl Footer {
    fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend(self.games.to_le_bytes());
        for number in [Position::start().key(), self.postings, self.names] {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    /// Reads a footer; `None` if it is not one of this version, or damaged.
    fn read(bytes: &[u8]) -> Option<Footer> {
        let long = |at: usize| u64::from(u32_at(bytes, at)) | u64::from(u32_at(bytes, at + 4)) << 32;
        let footer = Footer { postings: long(24), games: u32_at(bytes, 12), names: long(32) };
        (footer.to_bytes() == bytes).then_some(footer)
    }

    /// Where the games begin, the names, and the footer.
    fn places(&self) -> Option<[u64; 3]> {
        let rows = self.postings.checked_mul(POSTING_SIZE as u64)?;
        let names = rows.checked_add(u64::from(self.games) * ROW_SIZE as u64)?;
        Some([rows, names, names.checked_add(self.names)?])
    }
}

/// A segment that is open for reading.
pub struct Segment {
    file: File,
    games: u32,
    /// Where the games begin, the names, and the footer.
    places: [u64; 3],
    /// Some rows, and the number of the first.
    rows: (u32, Vec<u8>),
}

impl Segment {
    pub fn open(path: &Path) -> io::Result<Segment> {
        let mut file = open_regular(path)?;
        let end = file.metadata()?.len().checked_sub(FOOTER_SIZE as u64).ok_or_else(damaged)?;
        let mut bytes = [0; FOOTER_SIZE];
        file.seek(SeekFrom::Start(end))?;
        file.read_exact(&mut bytes)?;
        let footer = Footer::read(&bytes).ok_or_else(damaged)?;
        let places = footer.places().filter(|places| places[2] == end).ok_or_else(damaged)?;
        Ok(Segment { file, games: footer.games, places, rows: (0, Vec::new()) })
    }

    fn read(&mut self, begin: u64, end: u64) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; (end - begin) as usize];
        self.file.seek(SeekFrom::Start(begin))?;
        self.file.read_exact(&mut bytes)?;
        Ok(bytes)
    }

    /// The games that came to the position with this key.
    pub fn find(&mut self, key: u64) -> io::Result<Vec<Posting>> {
        let (begin, end) = (self.first_from(key)?, self.first_from(key + 1)?);
        let bytes = self.read(begin, end.max(begin))?;
        Ok(bytes.chunks_exact(POSTING_SIZE).map(Posting::from_bytes).collect())
    }

    /// Where the first posting is of a key that is not smaller.
    fn first_from(&mut self, key: u64) -> io::Result<u64> {
        let size = POSTING_SIZE as u64;
        let (mut low, mut high) = (0, self.places[0] / size);
        while low < high {
            let middle = low.midpoint(high);
            let posting = Posting::from_bytes(&self.read(middle * size, (middle + 1) * size)?);
            if posting.key < key { low = middle + 1 } else { high = middle }
        }
        Ok(low * size)
    }

    /// All names, by their numbers.
    pub fn names(&mut self) -> io::Result<Vec<String>> {
        let bytes = self.read(self.places[1], self.places[2])?;
        serde_json::from_slice(&bytes).map_err(|_| damaged())
    }

    /// A game. It is faster to ask for games in the order of their numbers.
    pub fn row(&mut self, game: u32) -> io::Result<GameRow> {
        if game >= self.games {
            return Err(damaged());
        }
        let place = |first: u32| game.checked_sub(first).map_or(usize::MAX, |index| index as usize * ROW_SIZE);
        if place(self.rows.0) >= self.rows.1.len() {
            let begin = self.places[0] + u64::from(game) * ROW_SIZE as u64;
            self.rows = (game, self.read(begin, self.places[1].min(begin + ROWS_AT_ONCE))?);
        }
        let at = place(self.rows.0);
        Ok(GameRow::from_bytes(&self.rows.1[at..at + ROW_SIZE]))
    }

    /// All postings, in their order.
    fn postings(mut self) -> io::Result<impl Iterator<Item = io::Result<Posting>>> {
        self.file.seek(SeekFrom::Start(0))?;
        let count = self.places[0] / POSTING_SIZE as u64;
        let mut source = BufReader::with_capacity(PIECE, self.file);
        Ok((0..count).map(move |_| {
            let mut bytes = [0; POSTING_SIZE];
            source.read_exact(&mut bytes)?;
            Ok(Posting::from_bytes(&bytes))
        }))
    }
}

/// Merges segments, without the games of these files; returns the number of games in the new one. The games keep their
/// order.
pub fn merge(paths: &[PathBuf], target: &Path, is_gone: impl Fn(u32) -> bool) -> io::Result<u32> {
    let mut table = GameTable::default();
    let mut inputs = Vec::new();
    for path in paths {
        let mut segment = Segment::open(path)?;
        let names = segment.names()?;
        let name =
            |number: u32, table: &mut GameTable| table.name(names.get(number as usize).map_or("", String::as_str));
        // The new numbers of the games.
        let mut numbers = Vec::with_capacity(segment.games as usize);
        for game in 0..segment.games {
            let row = segment.row(game)?;
            let is_kept = !is_gone(row.source);
            numbers.push(is_kept.then_some(table.rows.len() as u32));
            if is_kept {
                let (red, black) = (name(row.red, &mut table), name(row.black, &mut table));
                table.rows.push(GameRow { red, black, ..row });
            }
        }
        let renumbered = move |posting: io::Result<Posting>| match posting {
            Ok(posting) => Some(Ok(Posting { game: numbers.get(posting.game as usize).copied()??, ..posting })),
            Err(error) => Some(Err(error)),
        };
        inputs.push(segment.postings()?.filter_map(renumbered).peekable());
    }
    table.write(target, Merged { inputs })?;
    Ok(table.rows.len() as u32)
}

/// The postings of several segments in order.
struct Merged<I: Iterator> {
    inputs: Vec<Peekable<I>>,
}

impl<I: Iterator<Item = io::Result<Posting>>> Iterator for Merged<I> {
    type Item = io::Result<Posting>;

    fn next(&mut self) -> Option<io::Result<Posting>> {
        // An error comes at once.
        let rank = |next: &io::Result<Posting>| next.as_ref().ok().copied();
        let first = self.inputs.iter_mut().filter_map(|input| Some((rank(input.peek()?), input)));
        first.min_by_key(|(rank, _)| *rank)?.1.next()
    }
}
