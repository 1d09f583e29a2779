//! Writes moves, and names pieces as moves do.
//!
//! What WXF, Chinese and Vietnamese write: the piece (by its file, counted from the mover's right, or by its order among equal pieces
//! on a file), the direction, and a number: steps for straight moves, the target file otherwise.

use super::letters::normalize_chinese;
use std::fmt;
use std::str::FromStr;
use xiangqi::{Color, Move, PieceKind, Position, Square, worded_error, words};

/// A move notation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Notation {
    /// `H2-E2`: squares.
    #[default]
    Iccs,
    /// `h2e2`: squares as in the protocols and xboard.
    Uci,
    /// `C2.5`: letters, the international notation.
    Wxf,
    /// `炮二平五`: the Chinese notation.
    Chinese,
    /// `P2-5`: the Vietnamese notation.
    Vietnamese,
}

impl Notation {
    /// All notations.
    pub const ALL: [Notation; 5] =
        [Notation::Iccs, Notation::Uci, Notation::Wxf, Notation::Chinese, Notation::Vietnamese];

    /// Whether it writes a piece, its file and where it goes, and no squares.
    pub(crate) fn is_relative(self) -> bool {
        matches!(self, Notation::Wxf | Notation::Chinese | Notation::Vietnamese)
    }
}

impl fmt::Display for Notation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Notation::Iccs => "ICCS",
            Notation::Uci => "UCI",
            Notation::Wxf => "WXF",
            Notation::Chinese => "Chinese",
            Notation::Vietnamese => "Vietnamese",
        })
    }
}

/// An unknown notation name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseNotationError(pub String);

worded_error!(ParseNotationError, |error| words!(
    "'{text}' is no notation: expected ICCS, UCI, WXF, Chinese or Vietnamese",
    text = &error.0
));

impl FromStr for Notation {
    type Err = ParseNotationError;

    fn from_str(text: &str) -> Result<Notation, ParseNotationError> {
        Notation::ALL
            .into_iter()
            .find(|notation| notation.to_string().eq_ignore_ascii_case(text))
            .ok_or_else(|| ParseNotationError(text.chars().take(16).collect()))
    }
}

/// Writes a legal move.
pub fn format(position: &Position, mv: Move, notation: Notation) -> String {
    match notation {
        Notation::Iccs => {
            let text = mv.to_string().to_ascii_uppercase();
            format!("{}-{}", &text[..2], &text[2..])
        }
        Notation::Uci => mv.to_string(),
        Notation::Wxf | Notation::Chinese | Notation::Vietnamese => RelativeMove::new(position, mv).text(notation),
    }
}

/// How a notation calls a piece that stands here, as its moves begin: `炮二` or `C2`; `None` if it names squares alone.
pub fn piece_name(position: &Position, square: Square, notation: Notation) -> Option<String> {
    if !notation.is_relative() {
        return None;
    }
    let mut position = position.clone();
    if position.piece_at(square).is_none_or(|piece| piece.color() != position.side()) {
        position.play_null();
    }
    Some(sideways(&position, square).head(notation))
}

/// What a file names, as `马二` does: the pieces of the side to move, as moves begin that name their file.
pub(crate) fn names_by_file(position: &Position, notation: Notation) -> Vec<(PieceKind, String)> {
    let name = |(kind, from): (PieceKind, Square)| {
        let name = sideways(position, from).by_file().head(notation);
        (kind, if notation == Notation::Chinese { normalize_chinese(&name) } else { name })
    };
    position.pieces(position.side()).map(name).collect()
}

/// A move of a piece, legal or not, for what it says of the piece.
fn sideways(position: &Position, from: Square) -> RelativeMove {
    let beside = Square::all().find(|to| to.rank() == from.rank() && *to != from).unwrap_or(from);
    RelativeMove::new(position, Move::new(from, beside))
}

/// Writes the legal moves of a line.
pub fn format_line<'a>(start: &Position, line: impl IntoIterator<Item = &'a Move>, notation: Notation) -> Vec<String> {
    let mut position = start.clone();
    let write_next = |&mv: &Move| {
        let text = format(&position, mv, notation);
        position.play_unchecked(mv);
        text
    };
    line.into_iter().map(write_next).collect()
}

/// How a piece is told from equal ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum PieceSelector {
    /// The one on this file, 1 to 9.
    File(u8),
    /// One of several that share their file with an equal piece.
    Crowd(Crowd),
}

/// A place among the pieces that share their file with an equal one: two, or more (pawns, in real games).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Crowd {
    /// Its place among all of them, from 0: by file from the mover's right, then from the front.
    pub index: usize,
    /// How many they are.
    pub of: usize,
    /// Its place on its own file, from the front.
    pub place: usize,
    /// How many stand on that file.
    pub on_file: usize,
}

/// The direction of a move from the mover's view.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Direction {
    Forward,
    Sideways,
    Back,
}

/// The second half of such a move: direction, and distance or target file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Displacement {
    pub direction: Direction,
    pub number: u8,
}

impl Displacement {
    pub fn new(color: Color, mv: Move, kind: PieceKind) -> Displacement {
        let (from, to) = (mv.from().rank_for(color), mv.to().rank_for(color));
        let direction = match to.cmp(&from) {
            std::cmp::Ordering::Greater => Direction::Forward,
            std::cmp::Ordering::Equal => Direction::Sideways,
            std::cmp::Ordering::Less => Direction::Back,
        };
        let straight = matches!(kind, PieceKind::King | PieceKind::Rook | PieceKind::Cannon | PieceKind::Pawn);
        let steps = straight && direction != Direction::Sideways;
        Displacement { direction, number: if steps { from.abs_diff(to) } else { file_number(mv.to(), color) } }
    }

    /// That of a move in this position.
    pub fn of(position: &Position, mv: Move) -> Displacement {
        Displacement::new(position.side(), mv, moving_kind(position, mv))
    }

    /// The displacement of a normalised word. Without one the word is not a move, and no legal moves need be generated.
    pub fn read(word: &str, notation: Notation) -> Option<Displacement> {
        let mut letters = word.chars().rev();
        let (number, sign) = (letters.next()?, letters.next()?);
        let place = direction_signs(notation).iter().position(|&known| known == sign)?;
        let number = (1..=9).find(|&digit| number == char::from(b'0' + digit) || number == numeral(digit))?;
        let direction = [Direction::Forward, Direction::Sideways, Direction::Back][place];
        (2..=4).contains(&letters.count()).then_some(Displacement { direction, number })
    }

    /// Whether such a piece ever goes like that from this file, if that is known: no pawn goes back, no horse sideways.
    pub fn is_possible(self, kind: PieceKind, file: Option<u8>) -> bool {
        let goes_by = |files: &[u8]| file.is_none_or(|file| files.contains(&file.abs_diff(self.number)));
        match (kind, self.direction) {
            (PieceKind::King, Direction::Sideways) => goes_by(&[1]),
            (PieceKind::Pawn, Direction::Forward) | (PieceKind::King, _) => self.number == 1,
            (PieceKind::Pawn, Direction::Sideways) => goes_by(&[1]),
            (PieceKind::Rook | PieceKind::Cannon, Direction::Sideways) => file != Some(self.number),
            (PieceKind::Rook | PieceKind::Cannon, _) => true,
            (PieceKind::Pawn, Direction::Back) | (_, Direction::Sideways) => false,
            (PieceKind::Advisor, _) => goes_by(&[1]),
            (PieceKind::Bishop, _) => goes_by(&[2]),
            (PieceKind::Horse, _) => goes_by(&[1, 2]),
        }
    }
}

/// The signs for forward, sideways and back.
fn direction_signs(notation: Notation) -> [char; 3] {
    match notation {
        Notation::Wxf => ['+', '.', '-'],
        Notation::Vietnamese => ['.', '-', '/'],
        _ => ['进', '平', '退'],
    }
}

/// A number in Chinese, 0 to 9.
pub(super) fn numeral(number: u8) -> char {
    ['零', '一', '二', '三', '四', '五', '六', '七', '八', '九'][usize::from(number) % 10]
}

pub(super) fn moving_kind(position: &Position, mv: Move) -> PieceKind {
    position.moved_piece(mv).kind()
}

/// The parts of a move in WXF, Chinese and Vietnamese.
pub(crate) struct RelativeMove {
    pub(super) color: Color,
    pub(super) kind: PieceKind,
    pub(super) selector: PieceSelector,
    /// The file of the piece, 1 to 9.
    pub(super) file: u8,
    displacement: Displacement,
}

impl RelativeMove {
    pub fn new(position: &Position, mv: Move) -> RelativeMove {
        let (color, kind) = (position.side(), moving_kind(position, mv));
        RelativeMove {
            color,
            kind,
            selector: select_piece(position, mv.from(), color, kind),
            file: file_number(mv.from(), color),
            displacement: Displacement::new(color, mv, kind),
        }
    }

    /// The same with the piece called by its file, whichever equal ones share it.
    pub fn by_file(self) -> RelativeMove {
        RelativeMove { selector: PieceSelector::File(self.file), ..self }
    }

    /// What the piece is called: `炮二`, `C2`, `+R`.
    pub fn head(&self, notation: Notation) -> String {
        match notation {
            Notation::Wxf => self.wxf_head(),
            Notation::Vietnamese => self.vietnamese_head(),
            _ => self.chinese_head(),
        }
    }

    /// Where it goes: `平五`, `.5`.
    pub fn tail(&self, notation: Notation) -> String {
        let sign = direction_signs(notation)[self.displacement.direction as usize];
        let number = self.displacement.number;
        match notation {
            Notation::Wxf | Notation::Vietnamese => format!("{sign}{number}"),
            _ => format!("{sign}{}", self.chinese_digit(number)),
        }
    }

    pub fn text(&self, notation: Notation) -> String {
        self.head(notation) + &self.tail(notation)
    }

    /// Whether a normalised word means this move.
    pub fn is_written(&self, word: &str, notation: Notation) -> bool {
        match notation {
            Notation::Wxf => self.text(notation) == word,
            Notation::Vietnamese => {
                let tail = self.tail(notation);
                word.strip_suffix(tail.as_str()).is_some_and(|head| self.is_vietnamese_head(head))
            }
            _ => normalize_chinese(&self.text(notation)) == word,
        }
    }

    /// The short forms of a normalised word: without the source file, without the direction, the piece alone.
    pub fn short_forms(&self, notation: Notation) -> [String; 4] {
        let letter = match notation {
            Notation::Wxf => self.kind.wxf_letter().to_string(),
            Notation::Vietnamese => super::letters::letter(self.kind).to_string(),
            _ => normalize_chinese(&self.chinese_letter().to_string()),
        };
        let normal = |text: String| if notation == Notation::Chinese { normalize_chinese(&text) } else { text };
        let (head, tail) = (normal(self.head(notation)), normal(self.tail(notation)));
        let number: String = tail.chars().skip(1).collect();
        [format!("{letter}{tail}"), format!("{letter}{number}"), head, letter]
    }
}

/// 1 to 9 from the mover's right.
pub(super) fn file_number(square: Square, color: Color) -> u8 {
    match color {
        Color::Red => 9 - square.file(),
        Color::Black => square.file() + 1,
    }
}

/// How a piece is distinguished from equal ones.
fn select_piece(position: &Position, square: Square, color: Color, kind: PieceKind) -> PieceSelector {
    let file = PieceSelector::File(file_number(square, color));
    // Advisors and bishops on one file never move in the same direction, so the direction distinguishes them.
    if matches!(kind, PieceKind::Advisor | PieceKind::Bishop | PieceKind::King) {
        return file;
    }
    let like = position.squares(color, kind);
    let crowd = |file: u8| like.iter().filter(|other| other.file() == file).count();
    if crowd(square.file()) < 2 {
        return file;
    }
    // All that share a file with an equal piece, from the mover's right, then from the front.
    let mut crowded: Vec<Square> = like.iter().copied().filter(|other| crowd(other.file()) >= 2).collect();
    crowded.sort_unstable_by_key(|other| (file_number(*other, color), std::cmp::Reverse(other.rank_for(color))));
    let index = crowded.iter().position(|other| *other == square).unwrap_or(0);
    let on_file = crowd(square.file());
    let ahead = like.iter().filter(|other| other.file() == square.file());
    let place = ahead.filter(|other| other.rank_for(color) > square.rank_for(color)).count();
    PieceSelector::Crowd(Crowd { index, of: crowded.len(), place, on_file })
}
