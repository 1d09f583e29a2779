//! Games in memory that become a segment.

use super::facts::{GameDate, GameFacts};
use super::posting::{Posting, for_each_position};
use super::segment_writer::{PositionEntry, PositionSource};
use std::collections::HashMap;
use std::io;
use xiangqi::{Move, Position};
use xiangqi_record::GameResult;

/// A game of a segment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameRow {
    pub source: u32,
    pub number: u32,
    /// The date and the result.
    pub outcome: u32,
    /// The names of the players, by their numbers in the segment.
    pub red: u32,
    pub black: u32,
}

/// Bytes of a row in a file.
pub const ROW_SIZE: usize = 20;

impl GameRow {
    pub fn new(source: u32, number: u32, date: GameDate, result: GameResult) -> GameRow {
        let result = GameResult::ALL.iter().position(|one| *one == result).unwrap_or(0) as u32;
        GameRow { source, number, outcome: date.to_bits() << 2 | result, red: 0, black: 0 }
    }

    pub fn date(&self) -> GameDate {
        GameDate::from_bits(self.outcome >> 2)
    }

    pub fn result(&self) -> GameResult {
        GameResult::ALL[(self.outcome & 3) as usize]
    }

    pub fn to_bytes(self) -> [u8; ROW_SIZE] {
        let mut bytes = [0; ROW_SIZE];
        let numbers = [self.source, self.number, self.outcome, self.red, self.black];
        for (place, number) in bytes.chunks_exact_mut(4).zip(numbers) {
            place.copy_from_slice(&number.to_le_bytes());
        }
        bytes
    }

    pub fn from_bytes(bytes: &[u8]) -> Option<GameRow> {
        let mut bytes = super::bytes::ByteReader(bytes);
        Some(GameRow {
            source: bytes.u32()?,
            number: bytes.u32()?,
            outcome: bytes.u32()?,
            red: bytes.u32()?,
            black: bytes.u32()?,
        })
    }
}

/// The games of a segment and the names in them.
#[derive(Default)]
pub struct GameTable {
    pub rows: Vec<GameRow>,
    pub names: Vec<String>,
}

/// The most games of a batch: as many as fit into some 40 MB.
pub const MAX_BATCH: usize = 1 << 16;

/// Games in memory.
#[derive(Default)]
pub struct Batch {
    pub table: GameTable,
    numbers: HashMap<String, u32>,
    postings: Vec<Posting>,
}

impl Batch {
    pub fn len(&self) -> usize {
        self.table.rows.len()
    }

    pub fn is_full(&self) -> bool {
        self.len() >= MAX_BATCH
    }

    pub fn add(&mut self, facts: &GameFacts, start: &Position, moves: &[Move], source: u32, number: u32) {
        let game = self.len() as u32;
        let [red, black] = [self.name(&facts.red), self.name(&facts.black)];
        self.table.rows.push(GameRow { red, black, ..GameRow::new(source, number, facts.date, facts.result) });
        for_each_position(start, moves, |key, mv| self.postings.push(Posting { key, mv, game }));
    }

    fn name(&mut self, name: &str) -> u32 {
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        let number = self.table.names.len() as u32;
        self.numbers.insert(name.to_string(), number);
        self.table.names.push(name.to_string());
        number
    }

    /// The games, and their positions in the order of a segment.
    pub fn into_sorted(mut self) -> (GameTable, SortedPostings) {
        self.postings.sort_unstable();
        self.postings.dedup();
        (self.table, SortedPostings { postings: self.postings, next: 0 })
    }
}

/// Postings in the order of a segment.
pub struct SortedPostings {
    postings: Vec<Posting>,
    next: usize,
}

impl SortedPostings {
    pub fn len(&self) -> usize {
        self.postings.len()
    }
}

impl PositionSource for SortedPostings {
    fn next(&mut self, entry: &mut PositionEntry) -> io::Result<bool> {
        let Some(&Posting { key, .. }) = self.postings.get(self.next) else { return Ok(false) };
        entry.clear(key);
        while let Some(posting) = self.postings.get(self.next).filter(|posting| posting.key == key) {
            entry.add(posting.mv, posting.game);
            self.next += 1;
        }
        Ok(true)
    }
}
