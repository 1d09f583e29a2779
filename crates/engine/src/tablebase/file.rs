//! Table files, one for each material: `KNPKAABB.ctb`.
//!
//! A file begins with a header that describes it, protected by a checksum; then follow the blocks, each compressed
//! separately (deflate) and with a checksum in the header. All numbers are little-endian. Files are written atomically,
//! and nothing read from a file is trusted.
//!
//! | offset | bytes | what |
//! | --- | --- | --- |
//! | 0 | 8 | `CHUHETAB` |
//! | 8 | 2 | version of the format, 1 |
//! | 10 | 1 | 1: a byte for each position; 2: two bits for each, draw, win, loss, doubtful |
//! | 11 | 1 | 1 if some draws are doubtful |
//! | 12 | 32 | name of the material, padded with zeros |
//! | 44 | 16 | version of the builder, padded with zeros |
//! | 60 | 8 | positions for each side to move |
//! | 68 | 4 | positions in a block |
//! | 72 | 104 | for each side to move: won, drawn, lost, doubtful; plies and number of the longest win and loss |
//! | 176 | 8 each | for each block, those of the first side first: its length and its CRC-32 |
//! | then | 4 | CRC-32 of everything before |
//!
//! Writing table files: parallel compression of the blocks. `file` describes the indexing.

use super::indexing::PositionIndexing;
use super::material::Material;
use super::parallel;
use super::table::{Cell, DRAW, EndgameTable, ILLEGAL, TableStats, is_loss, is_win};
use crate::read_file::{ReadError, open_regular};
use miniz_oxide::deflate::compress_to_vec;
use miniz_oxide::inflate::decompress_to_vec_with_limit;
use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use xiangqi::{Color, worded, worded_error, words};

/// The file name extension of tables.
pub const EXTENSION: &str = "ctb";
/// The magic number of table files.
pub const MAGIC: &[u8; 8] = b"CHUHETAB";
pub(super) const VERSION: u16 = 1;
/// The offset of the list of blocks.
pub(super) const HEADER_BYTES: usize = 176;
/// The maximum number of positions in a block.
const MAX_BLOCK_BYTES: u32 = 1 << 20;

/// The content of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TableFormat {
    /// DTM: one byte per position with the winner and the distance to mate.
    Dtm,
    /// WDL: two bits per position with the winner.
    Wdl,
}

impl TableFormat {
    /// The number of positions in a block.
    pub(super) const fn block(self) -> usize {
        match self {
            TableFormat::Dtm => 1 << 15,
            TableFormat::Wdl => 1 << 18,
        }
    }

    /// The size in bytes of this many positions.
    pub(super) const fn bytes(self, cells: usize) -> usize {
        match self {
            TableFormat::Dtm => cells,
            TableFormat::Wdl => cells.div_ceil(4),
        }
    }
}

/// The reason why a file is not used.
#[derive(Debug)]
#[non_exhaustive]
pub enum TableFileError {
    /// The file cannot be read.
    Read(ReadError),
    /// The magic number is missing.
    BadMagic,
    /// An unknown version of the format.
    Version {
        /// The version of the file.
        found: u16,
        /// The version that can be read.
        known: u16,
    },
    /// The file was truncated or extended.
    Length {
        /// The expected length.
        expected: u64,
        /// The actual length.
        found: u64,
    },
    /// This part of the header is invalid.
    Header(HeaderPart),
    /// This block is damaged.
    Block(usize),
    /// The content is of another material than the file name.
    OtherMaterial(Material),
}

worded_error!(
    TableFileError,
    |error| match error {
        TableFileError::Read(error) => words!("cannot be read: {error}", error),
        TableFileError::BadMagic => words!("is no table of Chuhe"),
        TableFileError::Version { found, known } => {
            words!("has version {found} of the format, not {known}", found, known)
        }
        TableFileError::Length { expected, found } => {
            words!("is {found} bytes long, not {expected}: it was cut off or added to", found, expected)
        }
        TableFileError::Header(part) => words!("has a damaged header ({part})", part),
        TableFileError::Block(number) => words!("is damaged in block {number}", number),
        TableFileError::OtherMaterial(material) => words!("holds {material}", material = material.to_string()),
    },
    Read(ReadError)
);

impl From<io::Error> for TableFileError {
    fn from(error: io::Error) -> TableFileError {
        ReadError::from(error).into()
    }
}

/// A part of the header of a table file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HeaderPart {
    /// It is shorter than its fields.
    Length,
    /// The number of positions in a block.
    BlockSize,
    /// The checksum.
    Checksum,
    /// The format of the values.
    Format,
    /// The name of the material.
    Material,
    /// The number of positions.
    PositionCount,
    /// The length of a block.
    BlockLength,
}

worded!(HeaderPart, |part| match part {
    HeaderPart::Length => words!("too short"),
    HeaderPart::BlockSize => words!("size of blocks"),
    HeaderPart::Checksum => words!("checksum"),
    HeaderPart::Format => words!("content"),
    HeaderPart::Material => words!("name"),
    HeaderPart::PositionCount => words!("number of positions"),
    HeaderPart::BlockLength => words!("length of a block"),
});

/// The source of a table's bytes.
enum TableSource {
    File(File),
    Memory(&'static [u8]),
}

impl TableSource {
    fn len(&self) -> io::Result<u64> {
        match self {
            TableSource::File(file) => Ok(file.metadata()?.len()),
            TableSource::Memory(bytes) => Ok(bytes.len() as u64),
        }
    }

    fn read(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        match self {
            TableSource::File(file) => read_exact_at(file, buffer, offset),
            TableSource::Memory(bytes) => {
                let end = || io::Error::from(io::ErrorKind::UnexpectedEof);
                let mut rest = bytes.get(offset as usize..).ok_or_else(end)?;
                rest.read_exact(buffer)
            }
        }
    }

    /// The first part of the header, of a file of this length.
    fn fixed_header(&self, length: u64) -> Result<[u8; HEADER_BYTES], TableFileError> {
        let mut fixed = [0; HEADER_BYTES];
        if length >= HEADER_BYTES as u64 {
            self.read(0, &mut fixed)?;
            return Ok(fixed);
        }
        let mut start = [0; 8];
        let ours = length >= 8 && self.read(0, &mut start).is_ok() && &start == MAGIC;
        let short = TableFileError::Length { expected: HEADER_BYTES as u64, found: length };
        Err(if ours { short } else { TableFileError::BadMagic })
    }
}

#[cfg(unix)]
fn read_exact_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, buffer, offset)
}

#[cfg(windows)]
fn read_exact_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<()> {
    let mut done = 0;
    while done < buffer.len() {
        match std::os::windows::fs::FileExt::seek_read(file, &mut buffer[done..], offset + done as u64)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            read => done += read,
        }
    }
    Ok(())
}

/// There are no files.
#[cfg(not(any(unix, windows)))]
fn read_exact_at(_: &File, _: &mut [u8], _: u64) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// A table file with a valid header.
pub struct TableFile {
    /// The indexing of its positions.
    pub indexing: PositionIndexing,
    /// The format of its values.
    pub format: TableFormat,
    /// Whether some draws are doubtful.
    pub doubtful: bool,
    /// The version of the program that built it.
    pub builder_version: String,
    /// The counts with the first and the second side to move.
    pub counts: [TableStats; 2],
    /// The size of the file.
    pub bytes: u64,
    /// The positions in a block.
    block: usize,
    blocks: Vec<Block>,
    source: TableSource,
}

/// The offset, length and checksum of a block.
#[derive(Clone, Copy)]
struct Block {
    offset: u64,
    length: u32,
    sum: u32,
}

/// Reads header fields from the front of a slice.
struct HeaderReader<'a>(&'a [u8]);

impl HeaderReader<'_> {
    fn read_bytes<const N: usize>(&mut self) -> Result<[u8; N], TableFileError> {
        let (head, rest) = self.0.split_first_chunk::<N>().ok_or(TableFileError::Header(HeaderPart::Length))?;
        self.0 = rest;
        Ok(*head)
    }

    fn u16(&mut self) -> Result<u16, TableFileError> {
        Ok(u16::from_le_bytes(self.read_bytes()?))
    }

    fn u32(&mut self) -> Result<u32, TableFileError> {
        Ok(u32::from_le_bytes(self.read_bytes()?))
    }

    fn u64(&mut self) -> Result<u64, TableFileError> {
        Ok(u64::from_le_bytes(self.read_bytes()?))
    }

    /// Reads a text padded with zeros.
    fn text<const N: usize>(&mut self) -> Result<String, TableFileError> {
        let bytes = self.read_bytes::<N>()?;
        Ok(String::from_utf8_lossy(&bytes).trim_end_matches('\0').to_string())
    }

    fn longest(&mut self) -> Result<Option<(u16, u64)>, TableFileError> {
        let (plies, number) = (self.u16()?, self.u64()?);
        Ok((plies != u16::MAX).then_some((plies, number)))
    }

    fn count(&mut self) -> Result<TableStats, TableFileError> {
        Ok(TableStats {
            won: self.u64()?,
            drawn: self.u64()?,
            lost: self.u64()?,
            doubtful: self.u64()?,
            longest_win: self.longest()?,
            longest_loss: self.longest()?,
        })
    }
}

/// The material in the header of a table in memory.
pub(super) fn material_of(bytes: &[u8]) -> Option<Material> {
    let name = bytes.get(12..44)?;
    String::from_utf8_lossy(name).trim_end_matches('\0').parse().ok()
}

impl fmt::Debug for TableFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TableFile")
            .field("material", &self.indexing.material)
            .field("format", &self.format)
            .field("bytes", &self.bytes)
            .finish_non_exhaustive()
    }
}

impl TableFile {
    /// Opens a file and checks its header.
    pub fn open(path: &Path) -> Result<TableFile, TableFileError> {
        TableFile::read(TableSource::File(open_regular(path)?))
    }

    /// Opens a table embedded in the program.
    pub fn from_static(bytes: &'static [u8]) -> Result<TableFile, TableFileError> {
        TableFile::read(TableSource::Memory(bytes))
    }

    fn read(source: TableSource) -> Result<TableFile, TableFileError> {
        let found = source.len()?;
        let fixed = source.fixed_header(found)?;
        let mut reader = HeaderReader(&fixed);
        if &reader.read_bytes::<8>()? != MAGIC {
            return Err(TableFileError::BadMagic);
        }
        let version = reader.u16()?;
        if version != VERSION {
            return Err(TableFileError::Version { found: version, known: VERSION });
        }
        let [format, doubtful] = reader.read_bytes::<2>()?;
        let name = reader.text::<32>()?;
        let builder = reader.text::<16>()?;
        let cells = reader.u64()?;
        let block = reader.u32()?;
        let counts = [reader.count()?, reader.count()?];
        if block == 0 || block > MAX_BLOCK_BYTES {
            return Err(TableFileError::Header(HeaderPart::BlockSize));
        }
        let count = cells.div_ceil(block.into()).saturating_mul(2);
        let header = count.saturating_mul(8).saturating_add(HEADER_BYTES as u64 + 4);
        if header > found {
            return Err(TableFileError::Length { expected: header, found });
        }
        let mut list = vec![0; header as usize - HEADER_BYTES];
        source.read(HEADER_BYTES as u64, &mut list)?;
        let (list, sum) = list.split_at(list.len() - 4);
        let mut hasher = crc32fast::Hasher::new();
        hasher.update(&fixed);
        hasher.update(list);
        if hasher.finalize().to_le_bytes() != sum {
            return Err(TableFileError::Header(HeaderPart::Checksum));
        }
        // The checksum matches; check the values, which may come from another version.
        let format = match format {
            1 => TableFormat::Dtm,
            2 => TableFormat::Wdl,
            _ => return Err(TableFileError::Header(HeaderPart::Format)),
        };
        let material: Material = name.parse().map_err(|_| TableFileError::Header(HeaderPart::Material))?;
        let indexing = PositionIndexing::new(material);
        if indexing.size() as u64 != cells {
            return Err(TableFileError::Header(HeaderPart::PositionCount));
        }
        let (blocks, expected) = block_list(list, header)?;
        if expected != found {
            return Err(TableFileError::Length { expected, found });
        }
        Ok(TableFile {
            indexing,
            format,
            doubtful: doubtful != 0,
            builder_version: builder,
            counts,
            bytes: found,
            block: block as usize,
            blocks,
            source,
        })
    }

    /// The material of the table.
    pub fn material(&self) -> Material {
        self.indexing.material
    }

    /// The number of blocks of both sides together.
    pub fn blocks(&self) -> usize {
        self.blocks.len()
    }

    /// The block of a position, and the position's place in it.
    #[inline]
    pub fn locate(&self, mover: Color, number: usize) -> (usize, usize) {
        (mover.index() * (self.blocks.len() / 2) + number / self.block, number % self.block)
    }

    /// The side to move and the positions of a block.
    pub fn range(&self, block: usize) -> (Color, std::ops::Range<usize>) {
        let half = self.blocks.len() / 2;
        let (mover, first) = if block < half { (Color::Red, block) } else { (Color::Black, block - half) };
        let start = first * self.block;
        (mover, start..(start + self.block).min(self.indexing.size()))
    }

    /// Reads and decompresses a block.
    pub fn read_block(&self, block: usize) -> Result<Vec<u8>, TableFileError> {
        let damaged = || TableFileError::Block(block);
        let &Block { offset, length, sum } = self.blocks.get(block).ok_or_else(damaged)?;
        let mut packed = vec![0; length as usize];
        self.source.read(offset, &mut packed)?;
        if crc32fast::hash(&packed) != sum {
            return Err(damaged());
        }
        let expected = self.format.bytes(self.range(block).1.len());
        let bytes = decompress_to_vec_with_limit(&packed, expected).map_err(|_| damaged())?;
        if bytes.len() == expected { Ok(bytes) } else { Err(damaged()) }
    }

    /// The value of a position in a decompressed block: a cell byte for DTM, a two-bit code for WDL.
    #[inline]
    pub fn cell(&self, bytes: &[u8], place: usize) -> Cell {
        match self.format {
            TableFormat::Dtm => bytes[place],
            TableFormat::Wdl => bytes[place / 4] >> (2 * (place % 4)) & 3,
        }
    }
}

/// Parses the list of blocks; also returns the end of the last one.
fn block_list(list: &[u8], mut offset: u64) -> Result<(Vec<Block>, u64), TableFileError> {
    let mut reader = HeaderReader(list);
    let mut blocks = Vec::with_capacity(list.len() / 8);
    while !reader.0.is_empty() {
        let (length, sum) = (reader.u32()?, reader.u32()?);
        // Deflate does not expand data by more than this.
        if length > 2 * MAX_BLOCK_BYTES {
            return Err(TableFileError::Header(HeaderPart::BlockLength));
        }
        blocks.push(Block { offset, length, sum });
        offset += u64::from(length);
    }
    Ok((blocks, offset))
}

/// The two-bit code of a cell.
pub(super) fn wdl_code(cell: Cell) -> u8 {
    match cell {
        DRAW | ILLEGAL => 0,
        cell if is_win(cell) => 1,
        cell if is_loss(cell) => 2,
        _ => 3,
    }
}

/// The compression level, 0 to 10.
const DEFLATE_LEVEL: u8 = 8;

/// The path of a table file in a folder.
pub fn table_path(folder: &Path, material: Material) -> PathBuf {
    folder.join(format!("{material}.{EXTENSION}"))
}

/// Serializes a table.
pub fn encode_table(table: &EndgameTable, format: TableFormat, counts: &[TableStats; 2], threads: usize) -> Vec<u8> {
    let size = table.indexing.size();
    let (block, half) = (format.block(), size.div_ceil(format.block()));
    let blocks = parallel::map_parts(threads, half * 2, |index| {
        let (mover, first) = if index < half { (Color::Red, index) } else { (Color::Black, index - half) };
        let range = first * block..((first + 1) * block).min(size);
        compress_to_vec(&raw_block(table, format, mover, range), DEFLATE_LEVEL)
    });
    let mut bytes = Vec::with_capacity(HEADER_BYTES + 4 + blocks.iter().map(|block| block.len() + 8).sum::<usize>());
    bytes.extend(MAGIC);
    bytes.extend(VERSION.to_le_bytes());
    bytes.push(if format == TableFormat::Dtm { 1 } else { 2 });
    bytes.push(u8::from(table.doubtful));
    bytes.extend(padded::<32>(&table.indexing.material.to_string()));
    bytes.extend(padded::<16>(env!("CARGO_PKG_VERSION")));
    bytes.extend((size as u64).to_le_bytes());
    bytes.extend((block as u32).to_le_bytes());
    for count in counts {
        for number in [count.won, count.drawn, count.lost, count.doubtful] {
            bytes.extend(number.to_le_bytes());
        }
        for longest in [count.longest_win, count.longest_loss] {
            let (plies, number) = longest.unwrap_or((u16::MAX, 0));
            bytes.extend(plies.to_le_bytes());
            bytes.extend(number.to_le_bytes());
        }
    }
    for block in &blocks {
        bytes.extend((block.len() as u32).to_le_bytes());
        bytes.extend(crc32fast::hash(block).to_le_bytes());
    }
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    blocks.iter().for_each(|block| bytes.extend(block));
    bytes
}

fn padded<const N: usize>(text: &str) -> [u8; N] {
    let mut field = [0; N];
    for (byte, letter) in field.iter_mut().zip(text.bytes()) {
        *byte = letter;
    }
    field
}

/// The cells of a block; illegal positions repeat the previous cell, which compresses best.
fn raw_block(table: &EndgameTable, format: TableFormat, mover: Color, range: std::ops::Range<usize>) -> Vec<u8> {
    let mut last: Cell = DRAW;
    let cells = table.cells(mover, range).iter().map(|cell| {
        let cell = cell.load(Ordering::Relaxed);
        last = if cell == ILLEGAL { last } else { cell };
        last
    });
    match format {
        TableFormat::Dtm => cells.collect(),
        TableFormat::Wdl => {
            let codes: Vec<u8> = cells.map(wdl_code).collect();
            codes
                .chunks(4)
                .map(|four| four.iter().enumerate().fold(0, |byte, (i, code)| byte | code << (2 * i)))
                .collect()
        }
    }
}
