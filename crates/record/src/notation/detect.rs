//! What a typed text is: its notation, and the word without numbers and full stops around it.

use super::chinese::normalize_chinese;
use super::format::Notation;
use super::letters::{Letters, readings};
use crate::encoding::to_halfwidth;
use std::borrow::Cow;

/// Strips a move number and a trailing full stop.
pub(crate) fn strip_move_number(text: &str) -> &str {
    const DOTS: [char; 6] = ['.', '．', '。', '、', '…', ' '];
    let behind = text.trim_start_matches(|letter: char| letter.is_ascii_digit());
    // A digit alone is part of a move: `25=4` is a pawn move.
    let is_numbered = behind.len() < text.len() && behind.starts_with(DOTS);
    let text = if is_numbered { behind.trim_start_matches(DOTS) } else { text };
    text.trim().trim_end_matches(['.', '．', '。', '，', ',', '；', ';', '！', '!', '？', '?'])
}

/// The text in letters of half width, if all of it can be written in them.
pub(super) fn narrow(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    let narrow: String = text.chars().map(to_halfwidth).collect();
    if narrow.is_ascii() { Cow::Owned(narrow) } else { Cow::Borrowed(text) }
}

/// The notations that a text may be in, the likeliest first, each with the text normalised for comparison.
pub(crate) fn detect_notations(text: &str, letters: Letters) -> Vec<(Notation, String)> {
    let text = &*narrow(text);
    let is_square = matches!(text.as_bytes(), [file, rank] if (b'a'..=b'i').contains(file) && rank.is_ascii_digit());
    if is_square {
        vec![(Notation::Uci, text.to_string())]
    } else if text.is_ascii() {
        readings(text, letters)
    } else {
        vec![(Notation::Chinese, normalize_chinese(text))]
    }
}
