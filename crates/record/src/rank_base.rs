//! The rank base of moves: from 0 to 9, as in most xiangqi programs, or from 1 to 10, as in programs derived from
//! chess.
//!
//! Algebraic moves as written by chess programs: piece letter and target square.
//!
//! xboard counts ranks from 0 and writes pawns without a letter (`Che2`, `gf3`, `Cxe6`); Fairy-Stockfish counts from 1
//! (`Che3`, `Pgf6`, `Rih10`). Which one a text uses shows only over the whole game: the movetext parser tries both.

use std::fmt;
use xiangqi::{IllegalMoveReason, Move, Piece, PieceKind, Position, Square};

/// How ranks are counted, from red's side.
///
/// ```
/// use xiangqi_record::RankBase;
///
/// let mv = RankBase::One.parse_move("h3e3").ok_or("no move")?;
/// assert_eq!(RankBase::Zero.format_move(mv), "h2e2");
/// # Ok::<(), &str>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum RankBase {
    /// `a0` to `i9`, as in UCCI and most xiangqi engines.
    #[default]
    Zero,
    /// `a1` to `i10`, as in engines derived from chess variants.
    One,
}

impl RankBase {
    /// Both, the likelier first.
    pub const ALL: [RankBase; 2] = [RankBase::Zero, RankBase::One];

    /// Its name: the first and the last rank.
    pub const fn name(self) -> &'static str {
        match self {
            RankBase::Zero => "0-9",
            RankBase::One => "1-10",
        }
    }

    /// Parses a name.
    pub fn from_name(name: &str) -> Option<RankBase> {
        RankBase::ALL.into_iter().find(|ranks| ranks.name() == name)
    }

    /// The other one.
    pub const fn other(self) -> RankBase {
        match self {
            RankBase::Zero => RankBase::One,
            RankBase::One => RankBase::Zero,
        }
    }

    /// The number of the lowest rank.
    pub const fn first_rank(self) -> u8 {
        match self {
            RankBase::Zero => 0,
            RankBase::One => 1,
        }
    }

    /// The text with the square that this reason names written with these ranks.
    pub fn reword(self, reason: IllegalMoveReason, text: impl fmt::Display) -> String {
        let text = text.to_string();
        match reason.square() {
            Some(square) => text.replace(&square.to_string(), &self.format_square(square)),
            None => text,
        }
    }

    /// Parses a rank number.
    pub(super) fn parse_rank(self, text: &str) -> Option<u8> {
        let number: u8 = match text.as_bytes() {
            [digit @ b'0'..=b'9'] => digit - b'0',
            b"10" => 10,
            _ => return None,
        };
        number.checked_sub(self.first_rank()).filter(|&rank| rank < Square::RANKS)
    }

    /// Appends a move; letter by letter, since a position command may hold hundreds of moves.
    pub fn push_move(self, text: &mut String, mv: Move) {
        self.push_square(text, mv.from());
        self.push_square(text, mv.to());
    }

    fn push_square(self, text: &mut String, square: Square) {
        text.push(char::from(b'a' + square.file()));
        match square.rank() + self.first_rank() {
            10 => text.push_str("10"),
            rank => text.push(char::from(b'0' + rank)),
        }
    }

    /// Formats a square.
    pub fn format_square(self, square: Square) -> String {
        let mut text = String::with_capacity(3);
        self.push_square(&mut text, square);
        text
    }

    /// Formats a move.
    pub fn format_move(self, mv: Move) -> String {
        let mut text = String::with_capacity(6);
        self.push_move(&mut text, mv);
        text
    }

    /// Parses a move as written by `format_move`, optionally with a hyphen, in either case.
    pub fn parse_move(self, text: &str) -> Option<Move> {
        match self {
            RankBase::Zero => text.parse().ok(),
            RankBase::One => {
                let (from, rest) = square_from_one(text.as_bytes())?;
                let (to, rest) = square_from_one(rest.strip_prefix(b"-").unwrap_or(rest))?;
                rest.is_empty().then(|| Move::new(from, to))
            }
        }
    }
}

fn square_from_one(text: &[u8]) -> Option<(Square, &[u8])> {
    let (file, rest) = text.split_first()?;
    let file = file.to_ascii_lowercase().checked_sub(b'a').filter(|&file| file < 9)?;
    let (rank, rest) = match rest {
        [b'1', b'0', rest @ ..] => (9, rest),
        [digit @ b'1'..=b'9', rest @ ..] => (digit - b'1', rest),
        _ => return None,
    };
    Some((Square::new(file, rank), rest))
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rank_base_round_trips_every_move() {
        let squares = || (0..90).map(|dense| Square::new(dense % 9, dense / 9));
        for ranks in RankBase::ALL {
            assert_eq!(RankBase::from_name(ranks.name()), Some(ranks));
            for (from, to) in squares().flat_map(|from| squares().map(move |to| (from, to))) {
                let mv = Move::new(from, to);
                let text = ranks.format_move(mv);
                assert_eq!(ranks.parse_move(&text), Some(mv), "{text}");
                assert_eq!(ranks.parse_move(&text.to_uppercase()), Some(mv), "{text}");
            }
        }
        assert_eq!(RankBase::One.format_move(RankBase::Zero.parse_move("a9i0").expect("a move")), "a10i1");
        assert_eq!(RankBase::One.parse_move("h3-e3"), RankBase::Zero.parse_move("h2e2"));
    }

    #[test]
    fn rank_base_rejects_texts_that_are_not_moves() {
        for text in ["", "a", "a1", "a1b", "a0b1", "a1b0", "a11b1", "a1b11", "j1a1", "a1b1c", "a1--b1", "炮二平五"]
        {
            assert_eq!(RankBase::One.parse_move(text), None, "{text}");
        }
        for text in ["a10b1", "a1b10"] {
            assert_eq!(RankBase::Zero.parse_move(text), None, "{text}");
        }
    }
}
