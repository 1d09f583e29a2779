//! The WXF notation, `C2.5`: written, and read as other programs write it.

use super::format::Notation;
use super::format::{Crowd, Displacement, PieceSelector, RelativeMove, file_number};
use xiangqi::{Move, PieceKind, Position, Square};

impl RelativeMove {
    pub(super) fn wxf_head(&self) -> String {
        let letter = self.kind.wxf_letter();
        match self.selector {
            PieceSelector::File(file) => format!("{letter}{file}"),
            PieceSelector::Crowd(Crowd { index, of: 2, .. }) => format!("{}{letter}", ['+', '-'][index % 2]),
            PieceSelector::Crowd(Crowd { index, .. }) => format!("{}{letter}", (b'a' + index as u8) as char),
        }
    }
}

/// Whether a word is a full move in this notation that its piece may make somewhere.
pub(super) fn is_possible_wxf(text: &str) -> bool {
    let word = normalize_wxf(text);
    let Some(displacement) = Displacement::read(&word, Notation::Wxf) else { return false };
    let [first, second, ..] = word.chars().collect::<Vec<_>>()[..] else { return false };
    let kind_of = |letter: char| PieceKind::ALL.into_iter().find(|kind| kind.wxf_letter() == letter);
    let file = second.to_digit(10).filter(|&file| file > 0).map(|file| file as u8);
    let is_place = matches!(first, '+' | '-' | 'a'..='e');
    let (kind, file) =
        if is_place { (kind_of(second), None) } else { (kind_of(first).filter(|_| file.is_some()), file) };
    word.len() == 4 && kind.is_some_and(|kind| displacement.is_possible(kind, file))
}

/// `25=4`: the second pawn from the front on the fifth file, the WXF form for three or more pawns.
pub(super) fn read_ordinal(position: &Position, wanted: &str, mut moves: impl Iterator<Item = Move>) -> Option<Move> {
    let [order @ '1'..='5', file @ '1'..='9', rest @ ..] = &wanted.chars().collect::<Vec<_>>()[..] else {
        return None;
    };
    let color = position.side();
    let on_file = |square: &Square| char::from(b'0' + file_number(*square, color)) == *file;
    let mut pawns: Vec<Square> = position.squares(color, PieceKind::Pawn).iter().copied().filter(on_file).collect();
    pawns.sort_unstable_by_key(|square| std::cmp::Reverse(square.rank_for(color)));
    let from = *pawns.get(*order as usize - '1' as usize)?;
    let plain: String = ['P', *file].iter().chain(rest).collect();
    let says =
        |mv: &Move| mv.from() == from && RelativeMove::new(position, *mv).by_file().is_written(&plain, Notation::Wxf);
    moves.find(says)
}

/// Normalises the WXF of other programs.
pub(super) fn normalize_wxf(text: &str) -> String {
    let piece = |letter: char| wxf_sign(letter.to_ascii_uppercase());
    let letters: Vec<char> = text.chars().map(|letter| if letter == '=' { '.' } else { letter }).collect();
    let [first, second, direction, number] = letters[..] else { return letters.iter().collect() };
    let (first, second) = match (first, second) {
        (place @ ('+' | '-' | 'a'..='e'), other) if other.is_ascii_alphabetic() => (place, piece(other)),
        // `C+.5` and `Pa+1` put the order behind the letter.
        (other, place @ ('+' | '-' | 'a'..='e')) => (place, piece(other)),
        (other, file) => (piece(other), file),
    };
    [first, second, direction, number].iter().collect()
}

/// Normalises a WXF sign.
pub(crate) fn wxf_sign(sign: char) -> char {
    match sign {
        'N' => 'H',
        'B' => 'E',
        '=' => '.',
        other => other,
    }
}
