//! The games of a segment: names, dates, results, and where they are.

use super::bytes::ByteReader;
use super::game_facts::GameDate;
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
        let mut bytes = ByteReader(bytes);
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
