//! The WXF notation, `C2.5`: written, and read as other programs write it.

use super::relative_move::{Direction, PieceSelector, RelativeMove, file_number};
use xiangqi::{Move, PieceKind, Position, Square};

impl RelativeMove {
    pub fn wxf(&self) -> String {
        let letter = self.kind.wxf_letter();
        let direction = match self.displacement.direction {
            Direction::Forward => '+',
            Direction::Sideways => '.',
            Direction::Back => '-',
        };
        let number = self.displacement.number;
        match self.selector {
            PieceSelector::File(file) => format!("{letter}{file}{direction}{number}"),
            PieceSelector::Front => format!("+{letter}{direction}{number}"),
            PieceSelector::Rear => format!("-{letter}{direction}{number}"),
            PieceSelector::Nth { index, .. } => {
                format!("{}{letter}{direction}{number}", (b'a' + index as u8) as char)
            }
        }
    }
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
    let says = |mv: &Move| {
        let mut phrase = RelativeMove::new(position, *mv);
        phrase.selector = PieceSelector::File(file_number(mv.from(), phrase.color));
        mv.from() == from && phrase.wxf() == plain
    };
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
