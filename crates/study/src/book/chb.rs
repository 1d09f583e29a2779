//! Chuhe's own book format. The bytes on disk and in the program are the same and are searched in place.
//!
//! ```text
//! CHUHEBOK   version u16   flags u16 (bit 0: games)   positions u32   moves u32   key of the start position u64
//! note       length u16, then UTF-8 text: origin of the book
//! keys       u64 per position, ascending: the smaller of its key and its mirror image's key
//! ends       u32 per position: index after its last move
//! moves      u16 move (from, to << 8), u16 weight, i16 score (-32768: none)
//! games      only with bit 0: u32 won, u32 drawn, u32 lost per move
//! CRC-32     of everything before
//! ```
//!
//! All numbers are little-endian. The keys are Zobrist keys of the board; the key of the start position shows whether
//! the program still uses the same ones.

use super::moves::{Book, BookEntry, BookMove, GameCounts, MemoryBook, MirrorKey, ProbeError, unfold_moves};
use chuhe_support::language::{Phrase, phrase, tr};
use std::borrow::Cow;
use thiserror::Error;
use xiangqi::zobrist::Key;
use xiangqi::{Move, Position};

pub const MAGIC: &[u8; 8] = b"CHUHEBOK";
const VERSION: u16 = 1;
const FLAG_GAMES: u16 = 1;
/// Bytes before the note.
const HEADER_SIZE: usize = 30;
const MOVE_SIZE: usize = 6;
const GAMES_SIZE: usize = 12;
const NO_SCORE: i16 = i16::MIN;
/// The maximum length of a note.
const MAX_NOTE_LENGTH: usize = 1000;

/// The embedded book, made by `chuhe book make` (see `docs/book.md`).
static EMBEDDED_BYTES: &[u8] = include_bytes!("own.chb");

/// An error in a file.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ChuheBookError {
    /// Not a book of this format.
    #[error("{}", tr!("is no book of Chuhe"))]
    NotABook,
    /// Unknown format version.
    #[error("{}", tr!("is of version {version} of the format, this program knows {known}", version = _0, known = VERSION))]
    Version(u16),
    /// The Zobrist keys differ from those of this program.
    #[error("{}", tr!("was made by a program that numbers positions in another way"))]
    Keys,
    /// The length does not match the header.
    #[error("{}", tr!("is damaged: {found} bytes instead of {expected}", found, expected))]
    Length {
        found: usize,
        /// The length according to the header.
        expected: usize,
    },
    /// Wrong checksum.
    #[error("{}", tr!("is damaged: its checksum is wrong"))]
    Checksum,
    /// Inconsistent contents.
    #[error("{}", tr!("is damaged: {what}", what = _0))]
    Order(Phrase),
}

/// A book in Chuhe's format.
#[derive(Clone, Debug)]
pub struct ChuheBook {
    bytes: Cow<'static, [u8]>,
    note: String,
    positions: usize,
    moves: usize,
    has_games: bool,
    /// The offset of the keys.
    keys_offset: usize,
}

fn u16_at(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([bytes[at], bytes[at + 1]])
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    bytes[at..at + 4].iter().rev().fold(0, |number, &byte| number << 8 | u32::from(byte))
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    bytes[at..at + 8].iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte))
}

impl ChuheBook {
    /// The embedded book.
    pub fn embedded() -> ChuheBook {
        ChuheBook::read(Cow::Borrowed(EMBEDDED_BYTES)).expect("the embedded book is whole, a test sees to it")
    }

    /// Validates the bytes of a file.
    pub fn read(bytes: Cow<'static, [u8]>) -> Result<ChuheBook, ChuheBookError> {
        if bytes.len() < MAGIC.len() || bytes[..MAGIC.len()] != *MAGIC {
            return Err(ChuheBookError::NotABook);
        }
        let length = |expected| ChuheBookError::Length { found: bytes.len(), expected };
        if bytes.len() < HEADER_SIZE + 4 {
            return Err(length(HEADER_SIZE + 4));
        }
        let version = u16_at(&bytes, 8);
        if version != VERSION {
            return Err(ChuheBookError::Version(version));
        }
        let has_games = u16_at(&bytes, 10) & FLAG_GAMES != 0;
        let (positions, moves) = (u32_at(&bytes, 12) as usize, u32_at(&bytes, 16) as usize);
        let noted = usize::from(u16_at(&bytes, 28));
        let each_move = MOVE_SIZE + if has_games { GAMES_SIZE } else { 0 };
        let expected = HEADER_SIZE
            .checked_add(noted + 4)
            .and_then(|sum| sum.checked_add(positions.checked_mul(12)?))
            .and_then(|sum| sum.checked_add(moves.checked_mul(each_move)?))
            .unwrap_or(usize::MAX);
        if bytes.len() != expected {
            return Err(length(expected));
        }
        let (content, sum) = bytes.split_at(expected - 4);
        if crc32fast::hash(content).to_le_bytes() != sum {
            return Err(ChuheBookError::Checksum);
        }
        if u64_at(&bytes, 20) != Position::start().key() {
            return Err(ChuheBookError::Keys);
        }
        let note = String::from_utf8_lossy(&bytes[HEADER_SIZE..HEADER_SIZE + noted]).into_owned();
        let book = ChuheBook { note, positions, moves, has_games, keys_offset: HEADER_SIZE + noted, bytes };
        book.check_order()?;
        Ok(book)
    }

    fn check_order(&self) -> Result<(), ChuheBookError> {
        let mut before = (0, 0);
        for index in 0..self.positions {
            let now = (self.key(index), self.end(index));
            if index > 0 && now.0 <= before.0 {
                return Err(ChuheBookError::Order(phrase!("its positions are not in order")));
            }
            if now.1 <= before.1 || now.1 > self.moves {
                return Err(ChuheBookError::Order(phrase!("a position without moves")));
            }
            before = now;
        }
        if (0..self.moves).any(|index| self.entry(index).0.is_none()) {
            return Err(ChuheBookError::Order(phrase!("a move that leaves the board")));
        }
        if before.1 == self.moves { Ok(()) } else { Err(ChuheBookError::Order(phrase!("moves without a position"))) }
    }

    fn key(&self, index: usize) -> Key {
        u64_at(&self.bytes, self.keys_offset + 8 * index)
    }

    fn end(&self, index: usize) -> usize {
        u32_at(&self.bytes, self.keys_offset + 8 * self.positions + 4 * index) as usize
    }

    fn entry(&self, index: usize) -> (Option<Move>, BookEntry) {
        let moves = self.keys_offset + 12 * self.positions;
        let at = moves + MOVE_SIZE * index;
        let score = u16_at(&self.bytes, at + 4) as i16;
        let games = if self.has_games {
            let at = moves + MOVE_SIZE * self.moves + GAMES_SIZE * index;
            let number = |which: usize| u32_at(&self.bytes, at + 4 * which);
            GameCounts { won: number(0), drawn: number(1), lost: number(2) }
        } else {
            GameCounts::default()
        };
        let entry =
            BookEntry { weight: u16_at(&self.bytes, at + 2), score: (score != NO_SCORE).then_some(score), games };
        (Move::from_bits(u16_at(&self.bytes, at)), entry)
    }

    fn position_moves(&self, index: usize) -> impl Iterator<Item = (Move, BookEntry)> {
        let begin = if index == 0 { 0 } else { self.end(index - 1) };
        (begin..self.end(index)).map(|index| self.entry(index)).filter_map(|(mv, entry)| Some((mv?, entry)))
    }

    /// The note: origin of the book.
    pub fn note(&self) -> &str {
        &self.note
    }

    /// The number of positions.
    pub fn positions(&self) -> usize {
        self.positions
    }

    /// The size in bytes.
    pub fn size(&self) -> usize {
        self.bytes.len()
    }
}

impl Book for ChuheBook {
    fn raw_moves(&self, position: &Position) -> Result<Vec<BookMove>, ProbeError> {
        let folded = MirrorKey::of(position);
        let (mut low, mut high) = (0, self.positions);
        while low < high {
            let middle = (low + high) / 2;
            if self.key(middle) < folded.key { low = middle + 1 } else { high = middle }
        }
        if low == self.positions || self.key(low) != folded.key {
            return Ok(Vec::new());
        }
        Ok(unfold_moves(folded, self.position_moves(low)))
    }

    fn entries(&self) -> u64 {
        self.moves as u64
    }

    fn kind(&self) -> Phrase {
        phrase!("book of Chuhe")
    }
}

/// Writes a book with a note. Positions without moves are left out.
pub fn write(pages: &MemoryBook, note: &str) -> Vec<u8> {
    let filled: Vec<_> = pages.positions.iter().filter(|(_, moves)| !moves.is_empty()).collect();
    let entries = || filled.iter().flat_map(|(_, moves)| moves.iter());
    let has_games = entries().any(|(_, entry)| entry.games.count() > 0);
    let note: String = note.chars().filter(|letter| !letter.is_control()).take(MAX_NOTE_LENGTH / 4).collect();
    let mut bytes = MAGIC.to_vec();
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend((if has_games { FLAG_GAMES } else { 0 }).to_le_bytes());
    bytes.extend((filled.len() as u32).to_le_bytes());
    bytes.extend((entries().count() as u32).to_le_bytes());
    bytes.extend(Position::start().key().to_le_bytes());
    bytes.extend((note.len() as u16).to_le_bytes());
    bytes.extend(note.as_bytes());
    filled.iter().for_each(|(key, _)| bytes.extend(key.to_le_bytes()));
    let mut end = 0;
    for (_, moves) in &filled {
        end += moves.len() as u32;
        bytes.extend(end.to_le_bytes());
    }
    for (mv, entry) in entries() {
        bytes.extend(mv.bits().to_le_bytes());
        bytes.extend(entry.weight.to_le_bytes());
        bytes.extend(entry.score.unwrap_or(NO_SCORE).to_le_bytes());
    }
    if has_games {
        for (_, BookEntry { games, .. }) in entries() {
            [games.won, games.drawn, games.lost].iter().for_each(|number| bytes.extend(number.to_le_bytes()));
        }
    }
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    bytes
}
