//! What a typed text is: its notation, and the word without numbers and full stops around it.

use super::chinese::normalize_chinese;
use super::format::Notation;
use super::wxf::wxf_sign;

/// Strips a move number and a trailing full stop.
pub(crate) fn strip_move_number(text: &str) -> &str {
    const DOTS: [char; 6] = ['.', '．', '。', '、', '…', ' '];
    let behind = text.trim_start_matches(|letter: char| letter.is_ascii_digit());
    // A digit alone is part of a move: `25=4` is a pawn move.
    let is_numbered = behind.len() < text.len() && behind.starts_with(DOTS);
    let text = if is_numbered { behind.trim_start_matches(DOTS) } else { text };
    text.trim().trim_end_matches(['.', '．', '。', '，', ',', '；', ';', '！', '!', '？', '?'])
}

/// Detects the notation of a text and normalises it for comparison.
pub(crate) fn detect_notation(text: &str) -> (Notation, String) {
    let is_square = matches!(text.as_bytes(), [file, rank] if (b'a'..=b'i').contains(file) && rank.is_ascii_digit());
    if is_square {
        (Notation::Uci, text.to_string())
    } else if text.is_ascii() {
        (Notation::Wxf, text.chars().map(|sign| wxf_sign(sign.to_ascii_uppercase())).collect())
    } else {
        (Notation::Chinese, normalize_chinese(text))
    }
}
