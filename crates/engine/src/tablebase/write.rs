//! Writing table files: parallel compression of the blocks. `file` describes the indexing.

use super::file::{EXTENSION, HEADER_BYTES, MAGIC, TableFormat, VERSION, wdl_code};
use super::material::Material;
use super::parallel;
use super::table::{Cell, DRAW, EndgameTable, ILLEGAL, TableStats};
use miniz_oxide::deflate::compress_to_vec;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use xiangqi::Color;

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
