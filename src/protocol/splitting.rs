//! A line as hosts send it: bytes, of which only the white space between words is taken for granted.

use chuhe_engine::board::Position;
use chuhe_engine::types::Move;
use chuhe_toolkit::record::Ranks;
use std::borrow::Cow;
use std::path::PathBuf;

/// The words of a line. White space is ASCII, which never occurs inside a character of UTF-8 or GBK.
pub fn split(line: &[u8]) -> Vec<&[u8]> {
    line.split(|byte| is_blank(*byte)).filter(|word| !word.is_empty()).collect()
}

fn is_blank(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte == 0
}

/// A word as text; what is no UTF-8 is replaced.
pub fn text(word: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(word)
}

/// Several words as one text, joined by single blanks.
pub fn join(words: &[&[u8]]) -> String {
    words.iter().map(|word| text(word)).collect::<Vec<_>>().join(" ")
}

/// What stands in a line behind so many words, as it stands there, without the white space around it.
pub fn behind(line: &[u8], count: usize) -> &[u8] {
    let mut rest = line;
    for skipped in 0..=count {
        let blanks = rest.iter().take_while(|byte| is_blank(**byte)).count();
        rest = &rest[blanks..];
        if skipped < count {
            let letters = rest.iter().take_while(|byte| !is_blank(**byte)).count();
            rest = &rest[letters..];
        }
    }
    let blanks = rest.iter().rev().take_while(|byte| is_blank(**byte)).count();
    &rest[..rest.len() - blanks]
}

/// Words in lower case, as commands and option names are matched.
pub fn lower(word: &[u8]) -> String {
    text(word).to_lowercase()
}

/// Enough of a word to recognise it in a message, without anything that could disturb a terminal.
pub fn clip(word: &str) -> String {
    const LONGEST: usize = 40;
    let mut clipped: String =
        word.chars().take(LONGEST).map(|letter| if letter.is_control() { '?' } else { letter }).collect();
    if word.chars().nth(LONGEST).is_some() {
        clipped.push_str("...");
    }
    clipped
}

/// Sorts words into the moves that are legal here and those that are none, clipped.
pub fn legal_moves(words: &[String], position: &Position, ranks: Ranks) -> (Vec<Move>, Vec<String>) {
    let legal = position.legal_moves();
    let (mut moves, mut others) = (Vec::new(), Vec::new());
    for word in words {
        match ranks.read(word) {
            Some(mv) if legal.has(mv) => moves.push(mv),
            _ => others.push(clip(word)),
        }
    }
    (moves, others)
}

/// File names pass through byte by byte where the system lets them: a Chinese host may write GBK.
#[cfg(unix)]
pub fn path(value: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt;
    PathBuf::from(std::ffi::OsStr::from_bytes(value))
}

/// File names are text on this system.
#[cfg(not(unix))]
pub fn path(value: &[u8]) -> PathBuf {
    PathBuf::from(text(value).into_owned())
}
