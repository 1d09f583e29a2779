//! The words of a line. Lines are bytes, in which only the white space between words is assumed.

use chuhe_support::language::excerpt;
use std::borrow::Cow;
use xiangqi_record::legacy_text::LegacyEncoding;

/// The words of a line. White space is ASCII, which never occurs inside a UTF-8 or GBK character.
pub fn split_words(line: &[u8]) -> Vec<&[u8]> {
    line.split(|byte| is_blank(*byte)).filter(|word| !word.is_empty()).collect()
}

fn is_blank(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte == 0
}

/// A word as text; invalid UTF-8 is replaced.
pub fn word_text(word: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(word)
}

/// Whether a line is text in GBK that is not UTF-8.
pub fn is_gbk_only(line: &[u8]) -> bool {
    std::str::from_utf8(line).is_err() && !LegacyEncoding::Gb18030.decode(line).contains(char::REPLACEMENT_CHARACTER)
}

/// A line as text, in the encoding of the host.
pub fn line_text(line: &[u8], is_gbk: bool) -> Cow<'_, str> {
    if is_gbk { Cow::Owned(LegacyEncoding::Gb18030.decode(line)) } else { word_text(line) }
}

/// Several words as one text, joined by single blanks.
pub fn join_words(words: &[&[u8]]) -> String {
    words.iter().map(|word| word_text(word)).collect::<Vec<_>>().join(" ")
}

/// The rest of a line after this number of words, verbatim but for the white space around it.
pub fn after_words(line: &[u8], count: usize) -> &[u8] {
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

/// A word in lower case, for matching commands and option names.
pub fn lowercase(word: &[u8]) -> String {
    word_text(word).to_lowercase()
}

/// The beginning of a word for a message, without characters that control a terminal.
pub fn shortened(word: &str) -> String {
    const LONGEST: usize = 40;
    let mut clipped = excerpt(word, LONGEST);
    if word.chars().nth(LONGEST).is_some() {
        clipped.push_str("...");
    }
    clipped
}
