//! Moves by their squares, and by the letter of the piece and its square, as programs for chess write them.
//!
//! xboard counts ranks from 0 and writes pawns without a letter (`Che2`, `gf3`, `Cxe6`); Fairy-Stockfish and its sites
//! count from 1 (`Che3`, `Pgf6`, `Rih10`). Which of the two a text means is for the reader of the whole game to find
//! out: he tries both.

use crate::board::Position;
use crate::types::{Move, Piece, PieceKind, Square};

/// From where a text counts the ranks of squares.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Ranks {
    /// 0 to 9, as the family does.
    #[default]
    FromZero,
    /// 1 to 10, as chess does.
    FromOne,
}

impl Ranks {
    /// Both, the likelier first.
    pub const ALL: [Ranks; 2] = [Ranks::FromZero, Ranks::FromOne];

    fn rank(self, text: &str) -> Option<u8> {
        let number: u8 = (text.len() <= 2 && !text.starts_with('+')).then(|| text.parse().ok())??;
        match self {
            Ranks::FromZero => (text.len() == 1).then_some(number),
            Ranks::FromOne => number.checked_sub(1).filter(|&rank| rank < Square::RANKS),
        }
    }
}

/// The square of a file's letter and a rank.
fn square(text: &str, ranks: Ranks) -> Option<Square> {
    let file = file(text.chars().next()?.to_ascii_lowercase())?;
    Some(Square::new(file, ranks.rank(&text[1..])?))
}

fn file(letter: char) -> Option<u8> {
    ('a'..='i').contains(&letter).then(|| letter as u8 - b'a')
}

/// Where the second square begins in `h2e2`, `H2-E2`, `h10g8`.
fn second_square(text: &str) -> Option<usize> {
    text.char_indices().skip(2).find(|(_, letter)| letter.is_ascii_alphabetic()).map(|(index, _)| index)
}

/// Reads `h2e2`, `H2-E2`, `h10g8`; legal or not.
pub fn read_squares(text: &str, ranks: Ranks) -> Option<Move> {
    if !text.is_ascii() {
        return None;
    }
    let middle = second_square(text)?;
    let from = text[..middle].trim_end_matches('-');
    (from.len() + 1 >= middle)
        .then(|| Some(Move::new(square(from, ranks)?, square(&text[middle..], ranks)?)))?
}

/// What such a move says.
struct Phrase {
    kind: PieceKind,
    /// Pawns without a letter go straight on unless their file is named.
    straight: bool,
    file: Option<u8>,
    rank: Option<u8>,
    to: Square,
}

impl Phrase {
    fn read(text: &str, ranks: Ranks) -> Option<Phrase> {
        let text = text.trim_end_matches(['+', '#']);
        let first = text.chars().next().filter(|_| text.is_ascii())?;
        let (kind, rest) = match first {
            'a'..='i' => (PieceKind::Pawn, text),
            // Some call the king a general.
            'G' => (PieceKind::King, &text[1..]),
            'A'..='Z' => (Piece::from_letter(first)?.kind()?, &text[1..]),
            _ => return None,
        };
        let to = rest.rfind(|letter: char| letter.is_ascii_lowercase() && letter != 'x')?;
        let (origin, to) = (rest[..to].trim_end_matches(['x', '-']), square(&rest[to..], ranks)?);
        let letters = origin.chars().next().and_then(file);
        let rank = &origin[usize::from(letters.is_some())..];
        let rank = if rank.is_empty() { None } else { Some(ranks.rank(rank)?) };
        Some(Phrase { kind, straight: kind == PieceKind::Pawn && letters.is_none(), file: letters, rank, to })
    }

    fn fits(&self, position: &Position, mv: Move) -> bool {
        mv.to() == self.to
            && position.piece_at(mv.from()).kind() == Some(self.kind)
            && self.file.is_none_or(|file| mv.from().file() == file)
            && self.rank.is_none_or(|rank| mv.from().rank() == rank)
    }
}

/// Reads `Che2`, `c4`, `gxf3`, `Rih10+`: the one legal move that fits.
pub fn read_piece(position: &Position, text: &str, ranks: Ranks) -> Option<Move> {
    let phrase = Phrase::read(text, ranks)?;
    let list = position.legal_moves();
    let fitting: Vec<Move> = list.moves().filter(|&mv| phrase.fits(position, mv)).collect();
    let straight = |mv: &&Move| mv.from().file() == mv.to().file();
    match fitting[..] {
        [mv] => Some(mv),
        _ if phrase.straight => fitting.iter().find(straight).copied(),
        _ => None,
    }
}
