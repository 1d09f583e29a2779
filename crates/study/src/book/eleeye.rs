//! ElephantEye's `BOOK_COMMENT.DAT`, also used by XQWizard.
//!
//! No header: records of eight bytes (lock u32, move u16, weight u16, little-endian), sorted by lock. A lock is one
//! third of a key generated with RC4; the other two thirds are not stored, so locks collide with probability 2⁻³². A
//! position is stored under the smaller of its own lock and its mirror image's.

use super::moves::{Book, BookMove, GameCounts, MirrorKey, ProbeError};
use chuhe_support::language::{Phrase, tr};
use std::sync::LazyLock;
use thiserror::Error;
use xiangqi::{Color, Move, PieceKind, Position};

/// The size of a record in bytes.
const RECORD_SIZE: usize = 8;

/// Why bytes are not a book of this format.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum EleEyeError {
    #[error("{}", tr!("is empty"))]
    Empty,
    /// The length is not a multiple of eight.
    #[error("{}", tr!("is no BOOK.DAT, or cut off: {count} bytes are no whole number of records of eight", count = _0))]
    Length(usize),
    /// The locks are not in order.
    #[error("{}", tr!("is no BOOK.DAT: its record {number} is not in order", number = _0))]
    Order(usize),
    /// A record holds squares that are not on the board.
    #[error("{}", tr!("is no BOOK.DAT: its record {number} holds no move", number = _0))]
    NoMove(usize),
}

/// A record: one move of a position.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct EleEyeRecord {
    pub lock: u32,
    /// From and to squares as in `Move`.
    pub bits: u16,
    /// The relative frequency of the move.
    pub weight: u16,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EleEyeBook {
    records: Vec<EleEyeRecord>,
}

/// Three 32-bit numbers for every piece on every square of the 16×16 board.
struct KeyTable {
    side: [u32; 3],
    pieces: [[[u32; 3]; 256]; 14],
}

static KEY_TABLE: LazyLock<Box<KeyTable>> = LazyLock::new(|| {
    let mut cipher = Rc4::new(&[0; 4]);
    let mut three = || [cipher.word(), cipher.word(), cipher.word()];
    let mut table = Box::new(KeyTable { side: three(), pieces: [[[0; 3]; 256]; 14] });
    table.pieces.iter_mut().flatten().for_each(|key| *key = three());
    table
});

/// The stream cipher RC4, used as a pseudo-random number generator.
struct Rc4 {
    state: [u8; 256],
    x: u8,
    y: u8,
}

impl Rc4 {
    fn new(key: &[u8]) -> Rc4 {
        let mut state: [u8; 256] = std::array::from_fn(|index| index as u8);
        let mut y = 0u8;
        for x in 0..256 {
            y = y.wrapping_add(state[x]).wrapping_add(key[x % key.len()]);
            state.swap(x, usize::from(y));
        }
        Rc4 { state, x: 0, y: 0 }
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

/// The index of a piece: king, advisor, bishop, horse, rook, cannon, pawn of red, then of black.
fn piece_row(color: Color, kind: PieceKind) -> usize {
    kind as usize + if color == Color::Black { 7 } else { 0 }
}

/// The three words of a position's key; books use the last one.
pub fn key(position: &Position) -> [u32; 3] {
    let table = &**KEY_TABLE;
    let start = if position.side() == Color::Black { table.side } else { [0; 3] };
    Color::ALL.into_iter().fold(start, |key, color| {
        position.pieces(color).fold(key, |key, (kind, square)| {
            let word = &table.pieces[piece_row(color, kind)][square.index()];
            std::array::from_fn(|third| key[third] ^ word[third])
        })
    })
}

fn lock(position: &Position) -> u32 {
    key(position)[2]
}

/// The records of a position. Moves of weight 0 are left out: the format cannot express "known, but not to be played".
pub fn position_records(position: &Position, moves: &[BookMove]) -> impl Iterator<Item = EleEyeRecord> {
    let (here, there) = (lock(position), lock(&position.mirrored()));
    moves.iter().filter(|entry| entry.weight > 0).map(move |entry| {
        let mv = if there < here { entry.mv.mirror() } else { entry.mv };
        EleEyeRecord { lock: here.min(there), bits: mv.bits(), weight: entry.weight.min(u16::MAX.into()) as u16 }
    })
}

fn is_on_board(bits: u16) -> bool {
    Move::from_bits(bits).is_some()
}

impl EleEyeBook {
    /// Validates the bytes of a file.
    pub fn read(bytes: &[u8]) -> Result<EleEyeBook, EleEyeError> {
        if bytes.is_empty() {
            return Err(EleEyeError::Empty);
        }
        if !bytes.len().is_multiple_of(RECORD_SIZE) {
            return Err(EleEyeError::Length(bytes.len()));
        }
        let record = |bytes: &[u8]| EleEyeRecord {
            lock: u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]),
            bits: u16::from_le_bytes([bytes[4], bytes[5]]),
            weight: u16::from_le_bytes([bytes[6], bytes[7]]),
        };
        let records: Vec<EleEyeRecord> = bytes.chunks_exact(RECORD_SIZE).map(record).collect();
        if let Some(place) = records.iter().position(|record| !is_on_board(record.bits)) {
            return Err(EleEyeError::NoMove(place + 1));
        }
        if let Some(place) = records.windows(2).position(|pair| pair[1].lock < pair[0].lock) {
            return Err(EleEyeError::Order(place + 2));
        }
        Ok(EleEyeBook { records })
    }

    /// A book with these records.
    pub fn from_records(mut records: Vec<EleEyeRecord>) -> EleEyeBook {
        records.sort_unstable();
        records.dedup_by_key(|record| (record.lock, record.bits));
        EleEyeBook { records }
    }

    /// The bytes of the file.
    pub fn write(&self) -> Vec<u8> {
        let bytes = |record: &EleEyeRecord| {
            let mut bytes = record.lock.to_le_bytes().to_vec();
            bytes.extend(record.bits.to_le_bytes());
            bytes.extend(record.weight.to_le_bytes());
            bytes
        };
        self.records.iter().flat_map(bytes).collect()
    }

    /// The records, sorted.
    pub fn records(&self) -> &[EleEyeRecord] {
        &self.records
    }

    fn records_with_lock(&self, lock: u32) -> impl Iterator<Item = &EleEyeRecord> {
        let first = self.records.partition_point(|record| record.lock < lock);
        self.records[first..].iter().take_while(move |record| record.lock == lock)
    }
}

impl Book for EleEyeBook {
    /// Probes the position itself, then its mirror image, as other programs do.
    fn raw_moves(&self, position: &Position) -> Result<Vec<BookMove>, ProbeError> {
        let entry =
            |mv: Move, weight: u16| BookMove { mv, weight: weight.into(), score: None, games: GameCounts::default() };
        let straight = self.records_with_lock(lock(position));
        let mut moves: Vec<BookMove> =
            straight.filter_map(|record| Some(entry(Move::from_bits(record.bits)?, record.weight))).collect();
        if moves.is_empty() && !MirrorKey::of(position).symmetric {
            let image = self.records_with_lock(lock(&position.mirrored()));
            moves =
                image.filter_map(|record| Some(entry(Move::from_bits(record.bits)?.mirror(), record.weight))).collect();
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
    fn eleeye_keys_match_the_format() {
        assert_eq!(KEY_TABLE.side, [0x4189_18DE, 0x3A5D_37A3, 0x671E_068A]);
        assert_eq!(KEY_TABLE.pieces[0][0], [0x6D92_6E57, 0xA37F_1AC7, 0x97EB_CCF0]);
        let mut position = Position::start();
        assert_eq!(key(&position), [0xE6DB_463E, 0x8F89_9C24, 0x0526_56D5]);
        position.play("b2e2".parse().unwrap()).unwrap();
        assert_eq!(key(&position), [0x1826_0818, 0x6073_86E9, 0x5396_644F]);
        assert_eq!(lock(&position.mirrored()), 0xEB50_5D7D);
    }
}
