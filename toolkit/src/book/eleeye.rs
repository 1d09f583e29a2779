//! ElephantEye's `BOOK.DAT`, the book of XQWizard's users.
//!
//! There is no header: records of eight bytes (lock u32, move u16, weight u16, little-endian), in the order of their
//! locks. A lock is a third of a key drawn from the cipher RC4; the other two thirds are not kept, so that two positions
//! in four thousand million share one. A position stands under the smaller of its own lock and its mirror image's.

use super::answer::{Book, BookMove, Games, ProbeError};
use super::fold::Folded;
use chuhe_engine::board::Position;
use chuhe_engine::language::{Phrase, tr};
use chuhe_engine::types::{Color, Move, PieceKind};
use std::sync::LazyLock;
use thiserror::Error;

/// The size of a record.
const RECORD: usize = 8;

/// Why bytes are no such book.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum EleEyeError {
    #[error("{}", tr!("is empty"))]
    Empty,
    /// Records have eight bytes.
    #[error("{}", tr!("is no BOOK.DAT, or cut off: {count} bytes are no whole number of records of eight", count = _0))]
    Length(usize),
    /// A lock is smaller than the one before.
    #[error("{}", tr!("is no BOOK.DAT: its record {number} is not in order", number = _0))]
    Order(usize),
    /// A record's squares are not on the board.
    #[error("{}", tr!("is no BOOK.DAT: its record {number} holds no move", number = _0))]
    NoMove(usize),
}

/// A move of a position, as the file has it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Record {
    pub lock: u32,
    /// From and to, as `Move` has them.
    pub bits: u16,
    /// How often to play it.
    pub weight: u16,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EleEyeBook {
    records: Vec<Record>,
}

/// One number each of the three that a key consists of, for every piece on every square of the 16×16 field.
struct Table {
    side: [u32; 3],
    pieces: [[[u32; 3]; 256]; 14],
}

static TABLE: LazyLock<Box<Table>> = LazyLock::new(|| {
    let mut cipher = Cipher::new(&[0; 4]);
    let mut three = || [cipher.word(), cipher.word(), cipher.word()];
    let mut table = Box::new(Table { side: three(), pieces: [[[0; 3]; 256]; 14] });
    table.pieces.iter_mut().flatten().for_each(|key| *key = three());
    table
});

/// The stream cipher RC4, as a source of numbers that look like chance.
struct Cipher {
    state: [u8; 256],
    x: u8,
    y: u8,
}

impl Cipher {
    fn new(key: &[u8]) -> Cipher {
        let mut state: [u8; 256] = std::array::from_fn(|index| index as u8);
        let mut y = 0u8;
        for x in 0..256 {
            y = y.wrapping_add(state[x]).wrapping_add(key[x % key.len()]);
            state.swap(x, usize::from(y));
        }
        Cipher { state, x: 0, y: 0 }
    }

    fn byte(&mut self) -> u8 {
        self.x = self.x.wrapping_add(1);
        self.y = self.y.wrapping_add(self.state[usize::from(self.x)]);
        self.state.swap(usize::from(self.x), usize::from(self.y));
        let sum = self.state[usize::from(self.x)].wrapping_add(self.state[usize::from(self.y)]);
        self.state[usize::from(sum)]
    }

    fn word(&mut self) -> u32 {
        u32::from_le_bytes(std::array::from_fn(|_| self.byte()))
    }
}

/// The row of a piece in the table: king, advisor, bishop, horse, rook, cannon, pawn of red, then of black.
fn row(color: Color, kind: PieceKind) -> usize {
    kind as usize + if color == Color::Black { 7 } else { 0 }
}

/// The three words of a position's key; books use the last one.
pub fn key(position: &Position) -> [u32; 3] {
    let table = &**TABLE;
    let start = if position.side() == Color::Black { table.side } else { [0; 3] };
    Color::ALL.into_iter().fold(start, |key, color| {
        position.pieces(color).fold(key, |key, (kind, square)| {
            let word = &table.pieces[row(color, kind)][square.index()];
            std::array::from_fn(|third| key[third] ^ word[third])
        })
    })
}

fn lock(position: &Position) -> u32 {
    key(position)[2]
}

/// The records of a position. Moves of weight 0 are left out: the format has no way to say "known, but not to be played".
pub fn records_of(position: &Position, moves: &[BookMove]) -> impl Iterator<Item = Record> {
    let (here, there) = (lock(position), lock(&position.mirrored()));
    moves.iter().filter(|entry| entry.weight > 0).map(move |entry| {
        let mv = if there < here { entry.mv.mirror() } else { entry.mv };
        Record { lock: here.min(there), bits: mv.bits(), weight: entry.weight.min(u16::MAX.into()) as u16 }
    })
}

fn is_on_board(bits: u16) -> bool {
    let mv = Move::from_bits(bits);
    mv.from().on_board() && mv.to().on_board()
}

impl EleEyeBook {
    /// Takes a file's bytes after looking at all of them.
    pub fn read(bytes: &[u8]) -> Result<EleEyeBook, EleEyeError> {
        if bytes.is_empty() {
            return Err(EleEyeError::Empty);
        }
        if !bytes.len().is_multiple_of(RECORD) {
            return Err(EleEyeError::Length(bytes.len()));
        }
        let record = |bytes: &[u8]| Record {
            lock: u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]),
            bits: u16::from_le_bytes([bytes[4], bytes[5]]),
            weight: u16::from_le_bytes([bytes[6], bytes[7]]),
        };
        let records: Vec<Record> = bytes.chunks_exact(RECORD).map(record).collect();
        if let Some(place) = records.iter().position(|record| !is_on_board(record.bits)) {
            return Err(EleEyeError::NoMove(place + 1));
        }
        if let Some(place) = records.windows(2).position(|pair| pair[1].lock < pair[0].lock) {
            return Err(EleEyeError::Order(place + 2));
        }
        Ok(EleEyeBook { records })
    }

    /// A book of these records.
    pub fn of(mut records: Vec<Record>) -> EleEyeBook {
        records.sort();
        records.dedup_by_key(|record| (record.lock, record.bits));
        EleEyeBook { records }
    }

    /// The bytes of the file.
    pub fn write(&self) -> Vec<u8> {
        let bytes = |record: &Record| {
            let mut bytes = record.lock.to_le_bytes().to_vec();
            bytes.extend(record.bits.to_le_bytes());
            bytes.extend(record.weight.to_le_bytes());
            bytes
        };
        self.records.iter().flat_map(bytes).collect()
    }

    /// The records, in order.
    pub fn records(&self) -> &[Record] {
        &self.records
    }

    fn under(&self, lock: u32) -> impl Iterator<Item = &Record> {
        let first = self.records.partition_point(|record| record.lock < lock);
        self.records[first..].iter().take_while(move |record| record.lock == lock)
    }
}

impl Book for EleEyeBook {
    /// The position is looked for as it is, then in the mirror: its users' programs do the same.
    fn raw_moves(&self, position: &Position) -> Result<Vec<BookMove>, ProbeError> {
        let entry = |mv: Move, weight: u16| BookMove {
            mv,
            weight: weight.into(),
            score: None,
            games: Games::default(),
        };
        let straight = self.under(lock(position));
        let mut moves: Vec<BookMove> =
            straight.map(|record| entry(Move::from_bits(record.bits), record.weight)).collect();
        if moves.is_empty() && !Folded::of(position).symmetric {
            let image = self.under(lock(&position.mirrored()));
            moves = image.map(|record| entry(Move::from_bits(record.bits).mirror(), record.weight)).collect();
        }
        Ok(moves)
    }

    fn entries(&self) -> u64 {
        self.records.len() as u64
    }

    fn kind(&self) -> Phrase {
        Phrase("BOOK.DAT")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_those_of_the_format() {
        assert_eq!(TABLE.side, [0x4189_18DE, 0x3A5D_37A3, 0x671E_068A]);
        assert_eq!(TABLE.pieces[0][0], [0x6D92_6E57, 0xA37F_1AC7, 0x97EB_CCF0]);
        let mut position = Position::start();
        assert_eq!(key(&position), [0xE6DB_463E, 0x8F89_9C24, 0x0526_56D5]);
        position.play("b2e2".parse().unwrap()).unwrap();
        assert_eq!(key(&position), [0x1826_0818, 0x6073_86E9, 0x5396_644F]);
        assert_eq!(lock(&position.mirrored()), 0xEB50_5D7D);
    }
}
