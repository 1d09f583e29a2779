//! Words of a game's text: their numbers, and whether they look like moves, without regard to the position.

use super::notation::format::VietnameseWord;

/// The piece characters in both scripts.
const PIECE_CHARACTERS: &str = "帅帥将將仕士相象马馬傌车車俥炮砲包兵卒";

/// Whether this is a digit used in moves.
pub fn is_numeral(letter: char) -> bool {
    "一二三四五六七八九".contains(letter) || matches!(letter, '1'..='9' | '１'..='９')
}

/// Whether a word looks like a move, without regard to the position.
pub fn looks_like_move(word: &str) -> bool {
    // Eight letters have 32 bytes at most.
    if !(2..=32).contains(&word.len()) {
        return false;
    }
    let letters = word.chars().count();
    let digits = word.chars().filter(char::is_ascii_digit).count();
    let has_sign = |signs: &str| word.chars().skip(1).any(|letter| signs.contains(letter));
    // `炮二`: a move that was cut off.
    let begins_one = word.starts_with(|letter| PIECE_CHARACTERS.contains(letter))
        && letters <= 3
        && word.chars().nth(1).is_some_and(is_numeral);
    // `Xt/1`: its sign is in dates and fractions, too.
    VietnameseWord::read(word).is_some_and(|word| word.is_possible())
        || (2..=8).contains(&letters)
            && (has_sign("进進退平") || digits > 0 && has_sign(".=+-") || digits == 2 && word.len() <= 5 || begins_one)
}

/// The parts of a word in free text: some programs separate moves by commas or vertical bars. A comma within a move is one
/// of the Vietnamese notation, `M8,7`.
pub fn split_prose(word: &str) -> impl Iterator<Item = &str> {
    const SEPARATORS: [char; 4] = [',', '，', '|', '、'];
    let is_move =
        word.contains(',') && VietnameseWord::read(without_number(word)).is_some_and(|word| word.is_possible());
    let mut rest = Some(word);
    std::iter::from_fn(move || match rest?.split_once(SEPARATORS).filter(|_| !is_move) {
        Some((part, behind)) => {
            rest = Some(behind);
            Some(part)
        }
        None => rest.take(),
    })
}

/// A word without its leading move number, `1.` or `1...`.
pub fn without_number(word: &str) -> &str {
    let rest = word.trim_start_matches(|letter: char| matches!(letter, '0'..='9' | '０'..='９'));
    if rest.len() == word.len() {
        word
    } else {
        match rest.trim_start_matches(['.', '。', '、', '…', '．', ':', '：']) {
            // A number without a full stop is not a move number: `1-0` was handled as a result before.
            after if after.len() == rest.len() && !rest.is_empty() => word,
            after => after,
        }
    }
}

/// A typed word without its number and the full stop behind it.
pub fn strip_move_number(text: &str) -> &str {
    const DOTS: [char; 6] = ['.', '．', '。', '、', '…', ' '];
    let behind = text.trim_start_matches(|letter: char| letter.is_ascii_digit());
    // A digit alone is part of a move: `25=4` is a pawn move.
    let is_numbered = behind.len() < text.len() && behind.starts_with(DOTS);
    let text = if is_numbered { behind.trim_start_matches(DOTS) } else { text };
    text.trim().trim_end_matches(['.', '．', '。', '，', ',', '；', ';', '！', '!', '？', '?'])
}
