//! Writes XQF of version 10, without keys.

use super::{HEADER, SQUARE_BASE, TEXTS};
use crate::record::encoding::Encoding;
use crate::record::game::{Game, GameResult, NodeId};
use crate::record::grid::{CrowdError, slots};
use chuhe_engine::types::{Color, Square};

/// What stands for a piece that is not on the board.
const ABSENT: u8 = 0xFF;

/// The game as a file. Longer texts than the header has room for are cut.
pub fn write(game: &Game) -> Result<Vec<u8>, CrowdError> {
    let mut bytes = vec![0; HEADER];
    bytes[..3].copy_from_slice(b"XQ\x0A");
    for (index, square) in slots(game.start())?.into_iter().enumerate() {
        bytes[16 + index] = square.map_or(ABSENT, number);
    }
    bytes[50] = u8::from(game.start().side() == Color::Black);
    bytes[51] = GameResult::ALL.iter().position(|&result| result == game.result).unwrap_or(0) as u8;
    // A whole game, or the end of one.
    bytes[64] = if game.start().fen() == chuhe_engine::board::START_FEN { 0 } else { 3 };
    for (at, room, tag) in TEXTS {
        let text = fitting(game.tag(tag).unwrap_or_default(), room - 1);
        bytes[at] = text.len() as u8;
        bytes[at + 1..at + 1 + text.len()].copy_from_slice(&text);
    }
    // Depth first; a move is told before its alternatives, and all that follows it as well.
    let mut pending = vec![(NodeId::ROOT, 0)];
    while let Some((id, index)) = pending.pop() {
        let node = &game[id];
        let next = game[node.parent()].children().get(index + 1).filter(|_| id != NodeId::ROOT);
        let alternative = next.is_some();
        pending.extend(next.map(|&next| (next, index + 1)));
        pending.extend(node.children().first().map(|&first| (first, 0)));
        let follows = !node.children().is_empty();
        bytes.extend(head(game, id, follows, alternative));
        // A NUL would end it for whoever reads it.
        let comment = node.marked_comment().replace('\0', "").replace('\n', "\r\n");
        let comment = Encoding::Gbk.encode(&comment);
        bytes.extend((comment.len() as u32).to_le_bytes());
        bytes.extend(comment.iter());
    }
    Ok(bytes)
}

/// The tags for which the header has too little room.
pub fn cut_tags(game: &Game) -> Vec<&'static str> {
    let is_cut = |tag: &str, room: usize| {
        let text = game.tag(tag).unwrap_or_default();
        fitting(text, usize::MAX).len() > room - 1
    };
    TEXTS.iter().filter(|&&(_, room, tag)| is_cut(tag, room)).map(|&(_, _, tag)| tag).collect()
}

/// The first four bytes of a record.
fn head(game: &Game, id: NodeId, follows: bool, alternative: bool) -> [u8; 4] {
    let tag = if follows { 0xF0 } else { 0 } | if alternative { 0x0F } else { 0 };
    if id == NodeId::ROOT {
        return [SQUARE_BASE.0, SQUARE_BASE.1, tag, 0xFF];
    }
    let mv = game[id].mv();
    [number(mv.from()) + SQUARE_BASE.0, number(mv.to()) + SQUARE_BASE.1, tag, 0]
}

/// `file · 10 + rank`.
fn number(square: Square) -> u8 {
    square.file() * 10 + square.rank()
}

/// A text in GBK, cut behind the last character for which there is room.
fn fitting(text: &str, room: usize) -> Vec<u8> {
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
