//! CBR and CBL, the formats of 象棋桥 for a single game and for a library.

use super::game::{self, GameResult, TreeBuilder, TreeEntry};
use super::movetext::normalize_comment;
use super::output_format;
use super::record_error::{FilePart, Location, ParsedGame, RecordError, RecordErrorKind};
use std::iter;
use std::ops::Range;
use xiangqi::{Color, Move, Piece, PieceKind, Setup, Square};

/// The magic bytes of a game.
pub(crate) const GAME_MAGIC: &[u8; 16] = b"CCBridge Record\0";
/// The common prefix of all files of the program.
pub(crate) const MAGIC: &[u8] = b"CCBridge";
/// The magic bytes of a library.
const LIBRARY_MAGIC: &[u8; 16] = b"CCBridgeLibrary\0";
/// The offset of the board in a game.
const BOARD_OFFSET: usize = 2120;
/// The offset of the moves.
const MOVES_OFFSET: usize = 2214;
/// The supported layout version.
const KNOWN_LAYOUT: u8 = 2;
/// The pieces by number, from 1.
const PIECES: [PieceKind; 7] = {
    use PieceKind::{Advisor, Bishop, Cannon, Horse, King, Pawn, Rook};
    [Rook, Horse, Bishop, Advisor, King, Cannon, Pawn]
};
/// The text fields of a game: offset, size, tag.
const TEXT_FIELDS: [(usize, usize, &str); 20] = [
    (180, 128, "Title"),
    (308, 256, "Category"),
    (564, 64, "Source"),
    (628, 64, "Class"),
    (692, 64, "Event"),
    (756, 64, "Round"),
    (820, 32, "Group"),
    (852, 32, "Table"),
    (884, 64, "Date"),
    (948, 64, "Site"),
    (1012, 64, "TimeRule"),
    (1076, 64, "Red"),
    (1140, 64, "RedTeam"),
    (1204, 64, "RedTime"),
    (1300, 64, "Black"),
    (1364, 64, "BlackTeam"),
    (1428, 64, "BlackTime"),
    (1588, 64, "Recorder"),
    (1652, 64, "Annotator"),
    (1780, 64, "Author"),
];
/// In a library: the offset of the index, the size of an index entry, and the alignment of the games behind it.
const INDEX_OFFSET: usize = 66_624;
const INDEX_ENTRY_SIZE: usize = 276;
const GAME_ALIGNMENT: usize = 4096;

/// Reads the game of a file.
pub fn read(bytes: &[u8]) -> Result<ParsedGame, RecordError> {
    read_game_at(bytes, 0..bytes.len(), 1)
}

/// The games of a library, read one after the other.
pub fn library_games(bytes: &[u8]) -> Box<dyn Iterator<Item = Result<ParsedGame, RecordError>> + '_> {
    let places = match library_places(bytes) {
        Ok(places) => places,
        Err((byte, kind)) => return Box::new(iter::once(Err(RecordError::fatal(1, Location::Byte(byte), kind)))),
    };
    // A game may be longer than one block, but must not reach into the next game.
    let ends: Vec<usize> = places.iter().copied().skip(1).chain([bytes.len()]).collect();
    Box::new(places.into_iter().zip(ends).zip(1..).map(|((from, to), number)| read_game_at(bytes, from..to, number)))
}

/// The offsets of the games of a library.
fn library_places(bytes: &[u8]) -> Result<Vec<usize>, (usize, RecordErrorKind)> {
    if !bytes.starts_with(LIBRARY_MAGIC) {
        return Err((0, RecordErrorKind::OldLibrary));
    }
    let Some(slots) = read_u32(bytes, 60) else {
        return Err((bytes.len().min(60), RecordErrorKind::UnexpectedEnd(FilePart::LibraryHead)));
    };
    let first = (slots as usize).checked_mul(INDEX_ENTRY_SIZE).and_then(|length| length.checked_add(INDEX_OFFSET));
    let Some(first) = first.filter(|&first| first <= bytes.len()) else {
        return Err((60, RecordErrorKind::LibraryIndex { games: slots, bytes: bytes.len() }));
    };
    let blocks = (first..bytes.len()).step_by(GAME_ALIGNMENT);
    Ok(blocks.filter(|&at| bytes[at..].starts_with(GAME_MAGIC)).collect())
}

/// Reads a little-endian u32.
fn read_u32(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

/// Reads UTF-16; the bytes behind a NUL are undefined.
fn read_text(bytes: &[u8]) -> String {
    let units = bytes.as_chunks::<2>().0.iter().map(|&pair| u16::from_le_bytes(pair));
    let text = char::decode_utf16(units.take_while(|&unit| unit != 0));
    text.map(|letter| letter.unwrap_or(char::REPLACEMENT_CHARACTER)).collect::<String>().trim().to_string()
}

/// Row by row from the top.
fn square(index: u8) -> Option<Square> {
    (index < 90).then(|| Square::new(index % 9, 9 - index / 9))
}

/// Reads the game in this range of the file.
fn read_game_at(file: &[u8], place: Range<usize>, game: usize) -> Result<ParsedGame, RecordError> {
    let base = place.start;
    let bytes = &file[place];
    let fatal = |byte: usize, kind| RecordError::fatal(game, Location::Byte(base + byte), kind);
    let Some(head) = bytes.get(..MOVES_OFFSET).filter(|head| head.starts_with(GAME_MAGIC)) else {
        return Err(fatal(bytes.len(), RecordErrorKind::UnexpectedEnd(FilePart::GameHead)));
    };
    if head[19] != KNOWN_LAYOUT {
        return Err(fatal(19, RecordErrorKind::GameKind(head[19])));
    }
    let mut setup = Setup::empty();
    for (index, &code) in head[BOARD_OFFSET..BOARD_OFFSET + 90].iter().enumerate() {
        let kind = PIECES.get(usize::from(code & 15).wrapping_sub(1));
        let piece = match (code >> 4, kind) {
            (0, None) => continue,
            (1, Some(&kind)) => Piece::new(Color::Red, kind),
            (2, Some(&kind)) => Piece::new(Color::Black, kind),
            _ => return Err(fatal(BOARD_OFFSET + index, RecordErrorKind::PieceCode(code))),
        };
        if let Some(square) = square(index as u8) {
            setup.place(piece, square);
        }
    }
    let header_side = if read_u32(head, 2112) == Some(2) { Color::Black } else { Color::Red };
    let first = game::first_move(MOVES_OFFSET, |at| read_entry(bytes, at));
    let start = output_format::start(setup, first, header_side).map_err(|kind| fatal(BOARD_OFFSET, kind))?;
    let mut builder = TreeBuilder::new(&start, game);
    builder.read_entries(MOVES_OFFSET, |at| Location::Byte(base + at), |at| read_entry(bytes, at));
    let mut parsed = builder.finish();
    let result = read_u32(head, 2076).and_then(|result| GameResult::ALL.get(result as usize).copied());
    parsed.game.result = result.unwrap_or_default();
    for (at, room, tag) in TEXT_FIELDS {
        let value = read_text(&head[at..at + room]);
        if !value.is_empty() {
            parsed.game.tags.push((tag.to_string(), value));
        }
    }
    Ok(parsed)
}

/// Reads an entry of the move list; also returns the offset of the next one. Flags: 1 = end of the line, 2 = an
/// alternative follows later, 4 = a comment follows.
fn read_entry(bytes: &[u8], at: usize) -> Result<(TreeEntry, usize), RecordErrorKind> {
    let cut = || RecordErrorKind::UnexpectedEnd(FilePart::Move);
    let [flags, _, from, to] = *bytes.get(at..).and_then(|rest| rest.first_chunk()).ok_or_else(cut)?;
    let (mut comment, mut next) = (String::new(), at + 4);
    if flags & 4 != 0 {
        let length = read_u32(bytes, at + 4).ok_or_else(cut)? as usize;
        let begin = at + 8;
        let text = begin.checked_add(length).and_then(|end| bytes.get(begin..end));
        let text = text.ok_or(RecordErrorKind::CommentLength(length))?;
        comment = normalize_comment(&read_text(text)).into_owned();
        next = begin + length;
    }
    let mv = square(from).zip(square(to)).map(|(from, to)| Move::new(from, to));
    Ok((TreeEntry { mv, comment, has_child: flags & 1 == 0, has_sibling: flags & 2 != 0 }, next))
}
