//! Reads XQF of versions 10 to 18.

use super::keys::Keys;
use super::{HEADER, SQUARE_BASE, TEXTS};
use crate::record::encoding::decode_gbk;
use crate::record::fault::{Fault, Flaw, Place, Reading};
use crate::record::game::GameResult;
use crate::record::grid::Grid;
use crate::record::grower::{self, Entry, Grower};
use crate::record::movetext::tidy;
use chuhe_engine::language::{Phrase, phrase, tr};
use chuhe_engine::types::{Color, Move, Square};

/// Reads the game of a file.
pub fn read(bytes: &[u8]) -> Result<Reading, Fault> {
    let fault = |byte: usize, flaw| Fault { game: 1, place: Place::Byte(byte), flaw, breaks_off: true };
    let Some(header) = bytes.first_chunk::<HEADER>().filter(|header| header.starts_with(b"XQ")) else {
        let short = bytes.starts_with(b"XQ");
        let (place, expected) =
            if short { (bytes.len(), phrase!("a header of 1024 bytes")) } else { (0, Phrase("XQ")) };
        let found = if short { tr!("{count} bytes", count = bytes.len()) } else { tr!("something else") };
        return Err(fault(place, Flaw::Expected { expected, found }));
    };
    let version = header[2];
    if version > 18 {
        let found = version.to_string();
        return Err(fault(2, Flaw::Expected { expected: phrase!("a version from 10 to 18"), found }));
    }
    let file = File { bytes, version, keys: Keys::of(header.first_chunk().unwrap_or(&[0; 16]), version) };
    let grid = file.grid(header);
    let side = file.side(&grid, header[50]);
    let start = grid.position(side).map_err(|source| fault(16, source.into()))?;
    let mut grower = Grower::new(&start, 1);
    grower.grow(HEADER, Place::Byte, |at| file.entry(at));
    let mut reading = grower.end();
    let game = &mut reading.game;
    game.result = GameResult::ALL.get(usize::from(header[51])).copied().unwrap_or_default();
    for (at, room, tag) in TEXTS {
        let length = usize::from(header[at]).min(room - 1);
        let text = decode_gbk(&header[at + 1..at + 1 + length]);
        if !text.is_empty() {
            game.tags.push((tag.to_string(), text));
        }
    }
    Ok(reading)
}

/// A file and what is needed to read on in it.
struct File<'a> {
    bytes: &'a [u8],
    version: u8,
    keys: Keys,
}

/// `file · 10 + rank`.
fn square(number: u8) -> Option<Square> {
    (number < 90).then(|| Square::new(number / 10, number % 10))
}

impl File<'_> {
    /// The board of the header.
    fn grid(&self, header: &[u8; HEADER]) -> Grid {
        let mut slots = [0; 32];
        for (index, &raw) in header[16..48].iter().enumerate() {
            let turn = if self.version >= 12 { 1 + usize::from(self.keys.piece) } else { 0 };
            slots[(index + turn) % 32] = raw;
        }
        Grid::of_slots(slots.map(|raw| square(raw.wrapping_sub(self.keys.piece))))
    }

    /// Who moves first: whose piece the first move moves. The header says it too, but not always rightly.
    fn side(&self, grid: &Grid, told: u8) -> Color {
        let first = grower::first(HEADER, |at| self.entry(at));
        let mover = first.and_then(|mv| grid.side_on(mv.from()));
        mover.unwrap_or(if told == 1 { Color::Black } else { Color::Red })
    }

    /// This many bytes from here on, deciphered.
    fn plain<const N: usize>(&self, at: usize) -> Option<[u8; N]> {
        let bytes = self.bytes.get(at..at.checked_add(N)?)?;
        Some(std::array::from_fn(|index| self.keys.plain(bytes[index], at + index)))
    }

    /// An entry of the list of moves, and where the next one stands.
    fn entry(&self, at: usize) -> Result<(Entry, usize), Flaw> {
        let cut = || Flaw::CutOff(phrase!("a move"));
        let [from, to, tag, _] = self.plain(at).ok_or_else(cut)?;
        let (follows, alternative, commented) = match self.version {
            ..=10 => (tag & 0xF0 != 0, tag & 0x0F != 0, true),
            _ => (tag & 0x80 != 0, tag & 0x40 != 0, tag & 0x20 != 0),
        };
        let from = square(from.wrapping_sub(SQUARE_BASE.0).wrapping_sub(self.keys.from));
        let to = square(to.wrapping_sub(SQUARE_BASE.1).wrapping_sub(self.keys.to));
        let mv = from.zip(to).map(|(from, to)| Move::new(from, to));
        let (mut comment, mut next) = (String::new(), at + 4);
        if commented {
            let length = u32::from_le_bytes(self.plain(at + 4).ok_or_else(cut)?);
            let length = length.wrapping_sub(self.keys.length) as usize;
            let text = at + 8;
            let bytes = text.checked_add(length).and_then(|end| self.bytes.get(text..end));
            let bytes = bytes.ok_or(Flaw::Expected {
                expected: phrase!("a comment that ends within the file"),
                found: tr!("one of {length} bytes", length),
            })?;
            let plain: Vec<u8> =
                bytes.iter().enumerate().map(|(index, &byte)| self.keys.plain(byte, text + index)).collect();
            comment = tidy(&decode_gbk(&plain));
            next = text + length;
        }
        Ok((Entry { mv, comment, follows, alternative }, next))
    }
}
