//! Algebraic moves as written by chess programs: piece letter and target square.
//!
//! xboard counts ranks from 0 and writes pawns without a letter (`Che2`, `gf3`, `Cxe6`); Fairy-Stockfish counts from 1
//! (`Che3`, `Pgf6`, `Rih10`). Which one a text uses shows only over the whole game: the movetext parser tries both.

use super::rank_base::RankBase;
use xiangqi::{Move, Piece, PieceKind, Position, Square};

/// The square of a file letter and a rank.
fn square(text: &str, ranks: RankBase) -> Option<Square> {
    let file = file(text.chars().next()?.to_ascii_lowercase())?;
    Some(Square::new(file, ranks.parse_rank(&text[1..])?))
}

fn file(letter: char) -> Option<u8> {
    ('a'..='i').contains(&letter).then(|| letter as u8 - b'a')
}

/// A parsed move.
struct AlgebraicMove {
    kind: PieceKind,
    /// A pawn without a letter goes straight ahead unless its file is named.
    pawn_forward: bool,
    file: Option<u8>,
    rank: Option<u8>,
    to: Square,
}

impl AlgebraicMove {
    fn parse(text: &str, ranks: RankBase) -> Option<AlgebraicMove> {
        let text = text.trim_end_matches(['+', '#']);
        let first = text.chars().next().filter(|_| text.is_ascii())?;
        let (kind, rest) = match first {
            'a'..='i' => (PieceKind::Pawn, text),
            // Some programs call the king a general.
            'G' => (PieceKind::King, &text[1..]),
            'A'..='Z' => (Piece::from_letter(first)?.kind(), &text[1..]),
            _ => return None,
        };
        let to = rest.rfind(|letter: char| letter.is_ascii_lowercase() && letter != 'x')?;
        let (origin, to) = (rest[..to].trim_end_matches(['x', '-']), square(&rest[to..], ranks)?);
        let letters = origin.chars().next().and_then(file);
        let rank = &origin[usize::from(letters.is_some())..];
        let rank = if rank.is_empty() { None } else { Some(ranks.parse_rank(rank)?) };
        Some(AlgebraicMove {
            kind,
            pawn_forward: kind == PieceKind::Pawn && letters.is_none(),
            file: letters,
            rank,
            to,
        })
    }

    fn matches(&self, position: &Position, mv: Move) -> bool {
        mv.to() == self.to
            && position.piece_at(mv.from()).map(Piece::kind) == Some(self.kind)
            && self.file.is_none_or(|file| mv.from().file() == file)
            && self.rank.is_none_or(|rank| mv.from().rank() == rank)
    }
}

/// Reads `Che2`, `c4`, `gxf3`, `Rih10+`: the only legal move that matches.
pub fn read_algebraic(position: &Position, text: &str, ranks: RankBase) -> Option<Move> {
    let pattern = AlgebraicMove::parse(text, ranks)?;
    let list = position.legal_moves();
    let fitting: Vec<Move> = list.iter().copied().filter(|&mv| pattern.matches(position, mv)).collect();
    let straight = |mv: &&Move| mv.from().file() == mv.to().file();
    match fitting[..] {
        [mv] => Some(mv),
        _ if pattern.pawn_forward => fitting.iter().find(straight).copied(),
        _ => None,
    }
}
