//! Writes a segment of the index: a file that never changes afterwards.
//!
//! ```text
//! positions  in ascending order of their keys, in buckets of some hundred by the first bits of the key
//! games      20 bytes a game: number of the file, number in it, date and result, numbers of both names
//! names      u32 per name: where it ends; then the texts
//! buckets    u64 per bucket: where its positions begin; and where the last one ends
//! footer     see `SegmentFooter`
//! ```
//!
//! A position is the difference of its key to the one before, then either 0, a move and a game, or twice the number of moves
//! (one more if a game is in the lists of two moves) and for each move its number of games, from [`LONG_LIST`] on their
//! results and the length of the list in bytes, and the list: numbers of games, each less the one before.

use super::answer::Tally;
use super::bytes::{ByteReader, write_varint};
use super::game_table::{GameRow, GameTable, ROW_SIZE};
use super::posting::KEY_BITS;
use chuhe_support::files::AtomicFile;
use std::io;
use std::path::Path;
use xiangqi::Position;

const MAGIC: &[u8; 8] = b"CHUHEXPL";
const VERSION: u32 = 1;
pub const FOOTER_SIZE: usize = 72;
/// A list of so many games has its results before it.
pub const LONG_LIST: usize = 16;
/// The number of positions in a bucket is about this.
const BUCKET_POSITIONS: usize = 128;
/// A file is written in pieces of this size.
const WRITE_SIZE: usize = 1 << 20;

/// The numbers at the end of a segment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SegmentFooter {
    pub games: u32,
    pub names: u32,
    pub bucket_bits: u32,
    /// Where the parts begin, and where the last one ends.
    pub rows: u64,
    pub texts: u64,
    pub buckets: u64,
    pub end: u64,
}

impl SegmentFooter {
    fn to_bytes(self) -> [u8; FOOTER_SIZE] {
        let mut bytes = Vec::with_capacity(FOOTER_SIZE);
        bytes.extend_from_slice(MAGIC);
        for number in [VERSION, self.games, self.names, self.bucket_bits] {
            bytes.extend_from_slice(&number.to_le_bytes());
        }
        for number in [Position::start().key(), self.rows, self.texts, self.buckets, self.end] {
            bytes.extend_from_slice(&number.to_le_bytes());
        }
        bytes.extend_from_slice(&crc32fast::hash(&bytes).to_le_bytes());
        bytes.resize(FOOTER_SIZE, 0);
        bytes.try_into().expect("the footer has its size")
    }

    /// Reads a footer; `None` if it is not one of this version, or damaged.
    pub fn read(bytes: &[u8]) -> Option<SegmentFooter> {
        let sum = crc32fast::hash(bytes.get(..64)?);
        let mut bytes = ByteReader(bytes.get(..FOOTER_SIZE)?);
        let (magic, version) = (bytes.take(8)?, bytes.u32()?);
        let [games, names, bucket_bits] = [bytes.u32()?, bytes.u32()?, bytes.u32()?];
        let [start, rows, texts, buckets, end] = [bytes.u64()?, bytes.u64()?, bytes.u64()?, bytes.u64()?, bytes.u64()?];
        let is_sound = magic == MAGIC
            && version == VERSION
            && start == Position::start().key()
            && bytes.u32()? == sum
            && bucket_bits <= 24
            && rows.checked_add(u64::from(games) * ROW_SIZE as u64) == Some(texts)
            && texts.checked_add(4 * u64::from(names)).is_some_and(|least| least <= buckets)
            && buckets.checked_add(8 * ((1 << bucket_bits) + 1)) == Some(end);
        is_sound.then_some(SegmentFooter { games, names, bucket_bits, rows, texts, buckets, end })
    }
}

/// A position of a segment: its key, and for each move the games, in ascending order.
#[derive(Default)]
pub struct PositionEntry {
    pub key: u64,
    /// The moves in ascending order, and where the games of each end.
    moves: Vec<(u16, usize)>,
    games: Vec<u32>,
}

impl PositionEntry {
    pub fn clear(&mut self, key: u64) {
        self.key = key;
        self.moves.clear();
        self.games.clear();
    }

    /// Adds a game; moves and games come in ascending order.
    pub fn add(&mut self, mv: u16, game: u32) {
        self.games.push(game);
        match self.moves.last_mut() {
            Some((last, end)) if *last == mv => *end += 1,
            _ => self.moves.push((mv, self.games.len())),
        }
    }

    /// The moves with their games.
    pub fn lists(&self) -> impl Iterator<Item = (u16, &[u32])> {
        let begin = |index: usize| if index == 0 { 0 } else { self.moves[index - 1].1 };
        self.moves.iter().enumerate().map(move |(index, &(mv, end))| (mv, &self.games[begin(index)..end]))
    }

    /// Whether a game is in two lists: the position came twice in it.
    fn has_repetition(&self) -> bool {
        if self.moves.len() < 2 {
            return false;
        }
        let mut games = self.games.clone();
        games.sort_unstable();
        games.windows(2).any(|pair| pair[0] == pair[1])
    }

    fn write(&self, rows: &[GameRow], out: &mut Vec<u8>) {
        if let ([(mv, _)], [game]) = (&*self.moves, &*self.games) {
            out.push(0);
            out.extend_from_slice(&mv.to_le_bytes());
            write_varint(out, u64::from(*game));
            return;
        }
        write_varint(out, (self.moves.len() as u64) << 1 | u64::from(self.has_repetition()));
        for (mv, games) in self.lists() {
            out.extend_from_slice(&mv.to_le_bytes());
            write_varint(out, games.len() as u64);
            let mut list = Vec::with_capacity(2 * games.len());
            let mut before = 0;
            for &game in games {
                write_varint(&mut list, u64::from(game - before));
                before = game;
            }
            if games.len() >= LONG_LIST {
                let mut tally = Tally::default();
                for row in games.iter().filter_map(|&game| rows.get(game as usize)) {
                    tally.add(row.result(), row.date());
                }
                for number in [tally.red, tally.draws, tally.black, u64::from(tally.last.to_bits()), list.len() as u64]
                {
                    write_varint(out, number);
                }
            }
            out.append(&mut list);
        }
    }
}

/// Positions in ascending order of their keys.
pub trait PositionSource {
    /// Puts the next position into the entry; false at the end.
    fn next(&mut self, entry: &mut PositionEntry) -> io::Result<bool>;
}

/// A file that is written in large pieces.
struct Output {
    file: AtomicFile,
    buffer: Vec<u8>,
    written: u64,
}

impl Output {
    fn place(&self) -> u64 {
        self.written + self.buffer.len() as u64
    }

    fn flush_at(&mut self, size: usize) -> io::Result<()> {
        if self.buffer.len() >= size {
            self.file.write(&self.buffer)?;
            self.written += self.buffer.len() as u64;
            self.buffer.clear();
        }
        Ok(())
    }
}

/// Writes a segment, whole or not at all. `postings` is how many there are at most.
pub fn write_segment(
    path: &Path,
    table: &GameTable,
    postings: usize,
    positions: &mut dyn PositionSource,
) -> io::Result<()> {
    let bucket_bits = (postings / BUCKET_POSITIONS).max(1).ilog2().min(24);
    let mut out = Output { file: AtomicFile::create(path)?, buffer: Vec::new(), written: 0 };
    let mut buckets: Vec<u64> = Vec::with_capacity((1 << bucket_bits) + 1);
    let (mut entry, mut before) = (PositionEntry::default(), 0);
    while positions.next(&mut entry)? {
        let bucket = entry.key >> (KEY_BITS - bucket_bits);
        while buckets.len() as u64 <= bucket {
            buckets.push(out.place());
            before = bucket << (KEY_BITS - bucket_bits);
        }
        write_varint(&mut out.buffer, entry.key - before);
        before = entry.key;
        entry.write(&table.rows, &mut out.buffer);
        out.flush_at(WRITE_SIZE)?;
    }
    buckets.resize((1 << bucket_bits) + 1, out.place());
    let rows = out.place();
    for row in &table.rows {
        out.buffer.extend_from_slice(&row.to_bytes());
        out.flush_at(WRITE_SIZE)?;
    }
    let texts = out.place();
    let mut end = 0u32;
    for name in &table.names {
        end += name.len() as u32;
        out.buffer.extend_from_slice(&end.to_le_bytes());
    }
    table.names.iter().for_each(|name| out.buffer.extend_from_slice(name.as_bytes()));
    let place = out.place();
    buckets.iter().for_each(|place| out.buffer.extend_from_slice(&place.to_le_bytes()));
    let footer = SegmentFooter {
        games: table.rows.len() as u32,
        names: table.names.len() as u32,
        bucket_bits,
        rows,
        texts,
        buckets: place,
        end: out.place(),
    };
    out.buffer.extend_from_slice(&footer.to_bytes());
    out.flush_at(0)?;
    out.file.finish()
}
