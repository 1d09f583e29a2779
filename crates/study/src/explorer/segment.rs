//! Reads a segment of the index. Damaged files give errors.

use super::answer::Tally;
use super::bytes::ByteReader;
use super::game_facts::GameDate;
use super::game_table::{GameRow, GameTable, ROW_SIZE};
use super::posting::KEY_BITS;
use super::segment_writer::{FOOTER_SIZE, LONG_LIST, PositionEntry, PositionSource, SegmentFooter};
use chuhe_support::files::open_regular;
use chuhe_support::language::tr;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::Path;

/// The bytes of rows that are read at once.
const ROWS_AT_ONCE: usize = 1 << 14;

/// The error of a file whose numbers do not fit together.
pub fn damaged() -> io::Error {
    io::Error::new(
        io::ErrorKind::InvalidData,
        tr!("is damaged, or of another version of the program: make the index anew"),
    )
}

/// A list of games as the file has it.
pub struct GameList {
    pub mv: u16,
    /// The results of a long list.
    pub tally: Option<Tally>,
    /// The numbers of the games, encoded.
    bytes: std::ops::Range<usize>,
}

/// A position that was found.
pub struct FoundPosition {
    pub lists: Vec<GameList>,
    /// A game is in two lists.
    pub has_repetition: bool,
    bytes: Vec<u8>,
}

impl FoundPosition {
    /// The games of a list, in ascending order.
    pub fn games(&self, list: &GameList) -> impl Iterator<Item = u32> {
        decode_list(&self.bytes[list.bytes.clone()])
    }
}

fn decode_list(bytes: &[u8]) -> impl Iterator<Item = u32> {
    let (mut bytes, mut game) = (ByteReader(bytes), 0u32);
    std::iter::from_fn(move || {
        game = game.checked_add(bytes.small()?)?;
        Some(game)
    })
}

/// The moves of a position, whose key has been read.
struct RawPosition {
    lists: Vec<GameList>,
    has_repetition: bool,
}

/// Reads the lists of a position from `whole` at its reader's place.
fn read_lists(whole: &[u8], bytes: &mut ByteReader<'_>, position: &mut RawPosition) -> Option<()> {
    let place = |bytes: &ByteReader<'_>| whole.len() - bytes.0.len();
    position.lists.clear();
    let head = bytes.varint()?;
    position.has_repetition = head & 1 == 1;
    if head == 0 {
        let (mv, begin) = (bytes.u16()?, place(bytes));
        bytes.varint()?;
        position.lists.push(GameList { mv, tally: None, bytes: begin..place(bytes) });
        return Some(());
    }
    for _ in 0..head >> 1 {
        let (mv, count) = (bytes.u16()?, bytes.small()? as usize);
        let tally = if count >= LONG_LIST {
            let [red, draws, black] = [bytes.varint()?, bytes.varint()?, bytes.varint()?];
            Some(Tally { games: count as u64, red, draws, black, last: GameDate::from_bits(bytes.small()?) })
        } else {
            None
        };
        let begin = match tally {
            Some(_) => {
                let length = bytes.small()? as usize;
                let begin = place(bytes);
                bytes.take(length)?;
                begin
            }
            None => {
                let begin = place(bytes);
                for _ in 0..count {
                    bytes.varint()?;
                }
                begin
            }
        };
        position.lists.push(GameList { mv, tally, bytes: begin..place(bytes) });
    }
    Some(())
}

/// A segment that is open for reading.
pub struct Segment {
    file: File,
    footer: SegmentFooter,
}

impl Segment {
    pub fn open(path: &Path) -> io::Result<Segment> {
        let mut file = open_regular(path)?;
        let length = file.metadata()?.len();
        let place = length.checked_sub(FOOTER_SIZE as u64).ok_or_else(damaged)?;
        let mut bytes = [0; FOOTER_SIZE];
        file.seek(SeekFrom::Start(place))?;
        file.read_exact(&mut bytes)?;
        let footer = SegmentFooter::read(&bytes).filter(|footer| footer.end == place).ok_or_else(damaged)?;
        Ok(Segment { file, footer })
    }

    fn read(&mut self, begin: u64, end: u64) -> io::Result<Vec<u8>> {
        if begin > end || end > self.footer.end {
            return Err(damaged());
        }
        let mut bytes = vec![0; (end - begin) as usize];
        self.file.seek(SeekFrom::Start(begin))?;
        self.file.read_exact(&mut bytes)?;
        Ok(bytes)
    }

    /// The position with this key.
    pub fn find(&mut self, key: u64) -> io::Result<Option<FoundPosition>> {
        let shift = KEY_BITS - self.footer.bucket_bits;
        let bucket = key >> shift;
        let place = self.footer.buckets + 8 * bucket;
        let places = self.read(place, place + 16)?;
        let mut places = ByteReader(&places);
        let (begin, end) = places.u64().zip(places.u64()).ok_or_else(damaged)?;
        let whole = self.read(begin, end)?;
        let mut bytes = ByteReader(&whole);
        let mut at = bucket << shift;
        let mut position = RawPosition { lists: Vec::new(), has_repetition: false };
        while !bytes.is_empty() && at <= key {
            at = at.saturating_add(bytes.varint().ok_or_else(damaged)?);
            read_lists(&whole, &mut bytes, &mut position).ok_or_else(damaged)?;
            if at == key {
                let RawPosition { lists, has_repetition } = position;
                return Ok(Some(FoundPosition { lists, has_repetition, bytes: whole }));
            }
        }
        Ok(None)
    }

    /// All names, by their numbers.
    pub fn names(&mut self) -> io::Result<Vec<String>> {
        let bytes = self.read(self.footer.texts, self.footer.buckets)?;
        let (ends, texts) = bytes.split_at_checked(4 * self.footer.names as usize).ok_or_else(damaged)?;
        let mut begin = 0;
        let mut names = Vec::with_capacity(self.footer.names as usize);
        let mut ends = ByteReader(ends);
        while let Some(end) = ends.u32() {
            let text = texts.get(begin..end as usize).ok_or_else(damaged)?;
            names.push(String::from_utf8_lossy(text).into_owned());
            begin = end as usize;
        }
        Ok(names)
    }

    /// One name.
    pub fn name(&mut self, number: u32) -> io::Result<String> {
        let ends = self.footer.texts;
        let texts = ends + 4 * u64::from(self.footer.names);
        if number >= self.footer.names {
            return Err(damaged());
        }
        let first = number.saturating_sub(1);
        let bytes = self.read(ends + 4 * u64::from(first), ends + 4 * (u64::from(number) + 1))?;
        let mut bytes = ByteReader(&bytes);
        let begin = if number == 0 { Some(0) } else { bytes.u32() };
        let (begin, end) = begin.zip(bytes.u32()).ok_or_else(damaged)?;
        let text = self.read(texts + u64::from(begin), texts + u64::from(end))?;
        Ok(String::from_utf8_lossy(&text).into_owned())
    }

    /// Reads rows of ascending numbers.
    pub fn rows(&mut self) -> RowReader<'_> {
        RowReader { segment: self, first: 0, bytes: Vec::new() }
    }

    /// All rows and names.
    pub fn table(&mut self) -> io::Result<GameTable> {
        let bytes = self.read(self.footer.rows, self.footer.texts)?;
        let rows = bytes.chunks_exact(ROW_SIZE).filter_map(GameRow::from_bytes).collect();
        Ok(GameTable { rows, names: self.names()? })
    }

    /// All positions, in the order of the file.
    pub fn positions(mut self) -> io::Result<SegmentPositions> {
        let buckets = self.read(self.footer.buckets, self.footer.end)?;
        self.file.seek(SeekFrom::Start(0))?;
        let mut places = Vec::with_capacity(buckets.len() / 8);
        let mut bytes = ByteReader(&buckets);
        while let Some(place) = bytes.u64() {
            places.push(place);
        }
        if places.first() != Some(&0) || !places.is_sorted() || places.last() != Some(&self.footer.rows) {
            return Err(damaged());
        }
        Ok(SegmentPositions {
            source: BufReader::with_capacity(1 << 18, self.file),
            shift: KEY_BITS - self.footer.bucket_bits,
            games: self.footer.games,
            places,
            bucket: 0,
            bytes: Vec::new(),
            at: 0,
            key: 0,
        })
    }
}

/// Reads rows of a segment, several at once.
pub struct RowReader<'a> {
    segment: &'a mut Segment,
    /// The number of the first row of `bytes`.
    first: u32,
    bytes: Vec<u8>,
}

impl RowReader<'_> {
    pub fn row(&mut self, game: u32) -> io::Result<GameRow> {
        let index = |first: u32| game.checked_sub(first).map(|index| index as usize * ROW_SIZE);
        if index(self.first).is_none_or(|index| index >= self.bytes.len()) {
            let footer = self.segment.footer;
            let begin = footer.rows + u64::from(game) * ROW_SIZE as u64;
            let size = ROWS_AT_ONCE / ROW_SIZE * ROW_SIZE;
            self.bytes = self.segment.read(begin, footer.texts.min(begin + size as u64))?;
            self.first = game;
        }
        let bytes = index(self.first).and_then(|index| self.bytes.get(index..index + ROW_SIZE));
        bytes.and_then(GameRow::from_bytes).ok_or_else(damaged)
    }
}

/// The positions of a segment, one after the other.
pub struct SegmentPositions {
    source: BufReader<File>,
    shift: u32,
    games: u32,
    places: Vec<u64>,
    /// The bucket that is read next.
    bucket: usize,
    bytes: Vec<u8>,
    at: usize,
    key: u64,
}

impl SegmentPositions {
    fn read_entry(&mut self, entry: &mut PositionEntry) -> Option<()> {
        let mut bytes = ByteReader(self.bytes.get(self.at..)?);
        self.key = self.key.checked_add(bytes.varint()?)?;
        entry.clear(self.key);
        let mut position = RawPosition { lists: Vec::new(), has_repetition: false };
        read_lists(&self.bytes, &mut bytes, &mut position)?;
        for list in &position.lists {
            let games = decode_list(&self.bytes[list.bytes.clone()]).filter(|game| *game < self.games);
            games.for_each(|game| entry.add(list.mv, game));
        }
        self.at = self.bytes.len() - bytes.0.len();
        Some(())
    }
}

impl PositionSource for SegmentPositions {
    fn next(&mut self, entry: &mut PositionEntry) -> io::Result<bool> {
        while self.at == self.bytes.len() {
            let (Some(&begin), Some(&end)) = (self.places.get(self.bucket), self.places.get(self.bucket + 1)) else {
                return Ok(false);
            };
            self.bytes.resize((end - begin) as usize, 0);
            self.source.read_exact(&mut self.bytes)?;
            self.at = 0;
            self.key = (self.bucket as u64) << self.shift;
            self.bucket += 1;
        }
        self.read_entry(entry).ok_or_else(damaged)?;
        Ok(true)
    }
}
