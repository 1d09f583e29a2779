//! XQF, the format of XQStudio: a header of 1024 bytes followed by a tree of moves.
//!
//! Versions 10 to 18 are read; those above 10 encrypt squares and moves. Version 10, without encryption, is written,
//! since every program reads it.
//!
//! ```
//! use xiangqi_record::{pgn, xqf};
//!
//! let game = pgn::read("1. C2.5 {central} H8+7 *").remove(0)?;
//! let bytes = xqf::write(&game)?;
//! assert_eq!(xqf::read(&bytes)?.game.main_line().count(), 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::encoding::{Encoding, decode_gbk};
use crate::game::{self, Game, GameResult, NodeId, TreeBuilder, TreeEntry};
use crate::movetext::normalize_comment;
use crate::output_format::{self, PieceCountError};
use crate::record_error::{FilePart, Location, ParsedGame, RecordError, RecordErrorKind};
use xiangqi::{Color, Move, Setup, Square};

/// The text that is masked to form the key stream.
const KEYSTREAM_TEXT: &[u8; 32] = b"[(C) Copyright Mr. Dong Shiwei.]";

/// The keys of a file. All arithmetic is modulo 256, except for comment lengths.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct CipherKeys {
    /// Added to the squares of pieces.
    piece: u8,
    /// Added to the source square of a move.
    from: u8,
    /// Added to the target square of a move.
    to: u8,
    /// Added to the length of a comment.
    length: u32,
    /// Added to the bytes behind the header, cyclically.
    stream: [u8; 32],
}

impl CipherKeys {
    /// Derives the keys from the first 16 bytes of a header.
    fn from_header(header: &[u8; 16], version: u8) -> CipherKeys {
        if version <= 10 {
            return CipherKeys::default();
        }
        let mix = |key: u8| key.wrapping_mul(key).wrapping_mul(54).wrapping_add(221);
        let piece = mix(header[13]).wrapping_mul(header[13]);
        let from = mix(header[14]).wrapping_mul(piece);
        let to = mix(header[15]).wrapping_mul(from);
        let length = (u32::from(header[12]) * 256 + u32::from(header[13])) % 32000 + 767;
        let mask = |index: usize| (header[12 + index] & header[3]) | header[8 + index];
        let stream = std::array::from_fn(|index| mask(index % 4) & KEYSTREAM_TEXT[index]);
        CipherKeys { piece, from, to, length, stream }
    }

    /// Decrypts the byte at this file offset.
    fn decrypt(&self, byte: u8, place: usize) -> u8 {
        byte.wrapping_sub(self.stream[place % 32])
    }
}

/// The length of the header.
const HEADER_SIZE: usize = 1024;
/// Added to the source and target squares of moves.
const SQUARE_BASE: (u8, u8) = (0x18, 0x20);

/// The text fields of the header: offset, size including the length byte, tag.
const TEXT_FIELDS: [(usize, usize, &str); 12] = [
    (80, 64, "Title"),
    (144, 64, "Subtitle"),
    (208, 64, "Event"),
    (272, 16, "Date"),
    (288, 16, "Site"),
    (304, 16, "Red"),
    (320, 16, "Black"),
    (336, 64, "TimeRule"),
    (400, 16, "RedTime"),
    (416, 16, "BlackTime"),
    (464, 16, "Annotator"),
    (480, 16, "Author"),
];

/// Reads the game of a file.
pub fn read(bytes: &[u8]) -> Result<ParsedGame, RecordError> {
    let fatal = |byte: usize, kind| RecordError::fatal(1, Location::Byte(byte), kind);
    let Some(header) = bytes.first_chunk::<HEADER_SIZE>().filter(|header| header.starts_with(b"XQ")) else {
        let short = bytes.starts_with(b"XQ");
        return Err(match short {
            true => fatal(bytes.len(), RecordErrorKind::XqfHeader(bytes.len())),
            false => fatal(0, RecordErrorKind::XqfMagic),
        });
    };
    let version = header[2];
    if version > 18 {
        return Err(fatal(2, RecordErrorKind::XqfVersion(version)));
    }
    let file =
        XqfFile { bytes, version, keys: CipherKeys::from_header(header.first_chunk().unwrap_or(&[0; 16]), version) };
    let first = game::first_move(HEADER_SIZE, |at| file.read_entry(at));
    let side = if header[50] == 1 { Color::Black } else { Color::Red };
    let start = output_format::start(file.read_board(header), first, side).map_err(|kind| fatal(16, kind))?;
    let mut builder = TreeBuilder::new(&start, 1);
    builder.read_entries(HEADER_SIZE, Location::Byte, |at| file.read_entry(at));
    let mut parsed = builder.finish();
    let game = &mut parsed.game;
    game.result = GameResult::ALL.get(usize::from(header[51])).copied().unwrap_or_default();
    for (at, room, tag) in TEXT_FIELDS {
        let length = usize::from(header[at]).min(room - 1);
        let text = decode_gbk(&header[at + 1..at + 1 + length]);
        if !text.is_empty() {
            game.tags.push((tag.to_string(), text));
        }
    }
    Ok(parsed)
}

/// A file and its decryption state.
struct XqfFile<'a> {
    bytes: &'a [u8],
    version: u8,
    keys: CipherKeys,
}

/// `file · 10 + rank`.
fn square(number: u8) -> Option<Square> {
    (number < 90).then(|| Square::new(number / 10, number % 10))
}

impl XqfFile<'_> {
    /// Reads the board of the header.
    fn read_board(&self, header: &[u8; HEADER_SIZE]) -> Setup {
        let mut slots = [0; 32];
        for (index, &raw) in header[16..48].iter().enumerate() {
            let turn = if self.version >= 12 { 1 + usize::from(self.keys.piece) } else { 0 };
            slots[(index + turn) % 32] = raw;
        }
        output_format::read(slots.map(|raw| square(raw.wrapping_sub(self.keys.piece))))
    }

    /// Decrypts N bytes at an offset.
    fn decrypt<const N: usize>(&self, at: usize) -> Option<[u8; N]> {
        let bytes = self.bytes.get(at..at.checked_add(N)?)?;
        Some(std::array::from_fn(|index| self.keys.decrypt(bytes[index], at + index)))
    }

    /// Reads an entry of the move list; also returns the offset of the next one.
    fn read_entry(&self, at: usize) -> Result<(TreeEntry, usize), RecordErrorKind> {
        let cut = || RecordErrorKind::UnexpectedEnd(FilePart::Move);
        let [from, to, tag, _] = self.decrypt(at).ok_or_else(cut)?;
        let (follows, alternative, commented) = match self.version {
            ..=10 => (tag & 0xF0 != 0, tag & 0x0F != 0, true),
            _ => (tag & 0x80 != 0, tag & 0x40 != 0, tag & 0x20 != 0),
        };
        let from = square(from.wrapping_sub(SQUARE_BASE.0).wrapping_sub(self.keys.from));
        let to = square(to.wrapping_sub(SQUARE_BASE.1).wrapping_sub(self.keys.to));
        let mv = from.zip(to).map(|(from, to)| Move::new(from, to));
        let (mut comment, mut next) = (String::new(), at + 4);
        if commented {
            let length = u32::from_le_bytes(self.decrypt(at + 4).ok_or_else(cut)?);
            let length = length.wrapping_sub(self.keys.length) as usize;
            let text = at + 8;
            let bytes = text.checked_add(length).and_then(|end| self.bytes.get(text..end));
            let bytes = bytes.ok_or(RecordErrorKind::CommentLength(length))?;
            let plain: Vec<u8> =
                bytes.iter().enumerate().map(|(index, &byte)| self.keys.decrypt(byte, text + index)).collect();
            comment = normalize_comment(&decode_gbk(&plain)).into_owned();
            next = text + length;
        }
        Ok((TreeEntry { mv, comment, has_child: follows, has_sibling: alternative }, next))
    }
}

/// Marks a piece that is not on the board.
const NO_SQUARE: u8 = 0xFF;

/// Writes a game. Texts that are too long for the header are truncated.
pub fn write(game: &Game) -> Result<Vec<u8>, PieceCountError> {
    let mut bytes = vec![0; HEADER_SIZE];
    bytes[..3].copy_from_slice(b"XQ\x0A");
    for (index, square) in output_format::write(game.start())?.into_iter().enumerate() {
        bytes[16 + index] = square.map_or(NO_SQUARE, square_number);
    }
    bytes[50] = u8::from(game.start().side() == Color::Black);
    bytes[51] = GameResult::ALL.iter().position(|&result| result == game.result).unwrap_or(0) as u8;
    // Type of game: full game or endgame.
    bytes[64] = if game.start().fen() == xiangqi::fen::START_FEN { 0 } else { 3 };
    for (at, room, tag) in TEXT_FIELDS {
        let text = encode_truncated(game.tag(tag).unwrap_or_default(), room - 1);
        bytes[at] = text.len() as u8;
        bytes[at + 1..at + 1 + text.len()].copy_from_slice(&text);
    }
    // Depth first: a move and all its descendants come before its alternatives.
    let mut pending = vec![(NodeId::ROOT, 0)];
    while let Some((id, index)) = pending.pop() {
        let node = &game[id];
        let next = game[node.parent()].children().get(index + 1).filter(|_| id != NodeId::ROOT);
        let alternative = next.is_some();
        pending.extend(next.map(|&next| (next, index + 1)));
        pending.extend(node.children().first().map(|&first| (first, 0)));
        let follows = !node.children().is_empty();
        bytes.extend(node_header(game, id, follows, alternative));
        // A NUL would end the comment for some readers.
        let comment = node.marked_comment().replace('\0', "").replace('\n', "\r\n");
        let comment = Encoding::Gbk.encode(&comment);
        bytes.extend((comment.len() as u32).to_le_bytes());
        bytes.extend(comment.iter());
    }
    Ok(bytes)
}

/// Whether the header has a field for a tag.
pub(crate) fn has_field(name: &str) -> bool {
    TEXT_FIELDS.iter().any(|(_, _, tag)| tag.eq_ignore_ascii_case(name))
}

/// The tags that are too long for the header.
pub(crate) fn truncated_tags(game: &Game) -> Vec<&'static str> {
    let is_cut = |tag: &str, room: usize| {
        let text = game.tag(tag).unwrap_or_default();
        encode_truncated(text, usize::MAX).len() > room - 1
    };
    TEXT_FIELDS.iter().filter(|&&(_, room, tag)| is_cut(tag, room)).map(|&(_, _, tag)| tag).collect()
}

/// The first four bytes of an entry.
fn node_header(game: &Game, id: NodeId, follows: bool, alternative: bool) -> [u8; 4] {
    let tag = if follows { 0xF0 } else { 0 } | if alternative { 0x0F } else { 0 };
    let Some(mv) = game[id].mv() else { return [SQUARE_BASE.0, SQUARE_BASE.1, tag, 0xFF] };
    [square_number(mv.from()) + SQUARE_BASE.0, square_number(mv.to()) + SQUARE_BASE.1, tag, 0]
}

/// `file · 10 + rank`.
fn square_number(square: Square) -> u8 {
    square.file() * 10 + square.rank()
}

/// Encodes a text in GBK, truncated after the last character that fits.
fn encode_truncated(text: &str, room: usize) -> Vec<u8> {
    let mut fitting = Vec::new();
    let blank = |letter: char| if letter.is_whitespace() { ' ' } else { letter };
    for letter in text.chars().map(blank).filter(|letter| !letter.is_control()) {
        let letter = letter.to_string();
        let bytes = Encoding::Gbk.encode(&letter);
        if fitting.len() + bytes.len() > room {
            break;
        }
        fitting.extend(bytes.iter());
    }
    fitting
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hex(text: &str) -> Vec<u8> {
        text.split(' ').map(|byte| u8::from_str_radix(byte, 16).expect("a byte")).collect()
    }

    #[test]
    fn keys_of_known_headers_are_derived() {
        for (header, piece, from, to, length) in [
            ("58 51 12 fe 00 00 00 00 66 f9 7d 24 2d 75 66 f8", 63, 203, 191, 12404),
            ("58 51 12 af 00 00 00 00 9d 12 49 08 a9 a2 40 75", 138, 34, 38, 12193),
            ("58 51 12 be 00 00 00 00 e8 d8 bc 84 a5 9c e7 d8", 44, 196, 52, 11163),
        ] {
            let header: [u8; 16] = hex(header).try_into().expect("sixteen bytes");
            let keys = CipherKeys::from_header(&header, 18);
            assert_eq!((keys.piece, keys.from, keys.to, keys.length), (piece, from, to, length));
            assert_eq!(CipherKeys::from_header(&header, 10), CipherKeys::default());
        }
        let header = hex("58 51 12 fe 00 00 00 00 66 f9 7d 24 2d 75 66 f8").try_into().expect("sixteen bytes");
        let stream = "4a 28 43 28 20 41 6f 70 68 70 69 64 68 74 20 4c 62 2c 20 44 6e 6c 67 20 42 68 69 74 64 69 2e 5c";
        let keys = CipherKeys::from_header(&header, 18);
        assert_eq!(keys.stream.to_vec(), hex(stream));
        let cipher = hex("a2 79 00 05 4c 73 6f 70");
        let plain: Vec<u8> = cipher.iter().enumerate().map(|(at, &byte)| keys.decrypt(byte, 1024 + at)).collect();
        assert_eq!(plain, hex("58 51 bd dd 2c 32 00 00"));
    }
}
