//! Move notations: ICCS (`H2-E2`), WXF (`C2.5`), Chinese (`炮二平五`) and the algebraic notation of chess programs.
//!
//! WXF and Chinese encode the same data: the piece (by its file, counted from the mover's right, or by its order among
//! equal pieces on a file), the direction, and a number: steps for straight moves, the target file otherwise. The
//! reader writes every legal move and takes the one that matches, so everything that can be written can be read.
//!
//! ```
//! use xiangqi::Position;
//! use xiangqi_record::notation::{self, Notation};
//!
//! let position = Position::start();
//! let mv = notation::parse(&position, "炮二平五")?;
//! assert_eq!(Notation::ALL.map(|way| notation::format(&position, mv, way)), ["H2-E2", "h2e2", "C2.5", "炮二平五"]);
//! # Ok::<(), notation::NotationError>(())
//! ```

use super::RankBase;
use super::algebraic::read_algebraic;
use super::encoding::to_halfwidth;
use super::intended_move::{self, Explanation};
use std::fmt;
use std::str::FromStr;
use thiserror::Error;
use xiangqi::{Color, Move, PieceKind, Position, Square};

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
}

impl Notation {
    /// All notations.
    pub const ALL: [Notation; 4] = [Notation::Iccs, Notation::Uci, Notation::Wxf, Notation::Chinese];
}

impl fmt::Display for Notation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Notation::Iccs => "ICCS",
            Notation::Uci => "UCI",
            Notation::Wxf => "WXF",
            Notation::Chinese => "Chinese",
        })
    }
}

/// An unknown notation name.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("'{0}' is no notation: expected ICCS, UCI, WXF or Chinese")]
pub struct ParseNotationError(pub String);

impl FromStr for Notation {
    type Err = ParseNotationError;

    fn from_str(text: &str) -> Result<Notation, ParseNotationError> {
        Notation::ALL
            .into_iter()
            .find(|notation| notation.to_string().eq_ignore_ascii_case(text))
            .ok_or_else(|| ParseNotationError(text.chars().take(16).collect()))
    }
}

/// A text that is not a legal move in the position.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("'{text}' is no legal move in this position{}", why.as_ref().map(|why| format!(": {why}")).unwrap_or_default())]
pub struct NotationError {
    /// The text.
    pub text: String,
    /// Why the move that it means is not legal, where it means one.
    pub why: Option<Explanation>,
}

/// Writes a legal move.
pub fn format(position: &Position, mv: Move, notation: Notation) -> String {
    match notation {
        Notation::Iccs => {
            let text = mv.to_string().to_ascii_uppercase();
            format!("{}-{}", &text[..2], &text[2..])
        }
        Notation::Uci => mv.to_string(),
        Notation::Wxf => RelativeMove::new(position, mv).wxf(),
        Notation::Chinese => RelativeMove::new(position, mv).chinese(),
    }
}

/// How a notation calls a piece that stands here, as its moves begin: `炮二` or `C2`; `None` if it names squares alone.
pub fn piece_name(position: &Position, square: Square, notation: Notation) -> Option<String> {
    if !matches!(notation, Notation::Wxf | Notation::Chinese) {
        return None;
    }
    let mut position = position.clone();
    if position.piece_at(square).is_none_or(|piece| piece.color() != position.side()) {
        position.play_null();
    }
    let beside = Square::all().find(|to| to.rank() == square.rank() && *to != square).unwrap_or(square);
    Some(format(&position, Move::new(square, beside), notation).chars().take(2).collect())
}

/// What a file names, as `马二` does: the pieces of the side to move, as moves begin that name their file.
pub(super) fn names_by_file(position: &Position, notation: Notation) -> Vec<(PieceKind, String)> {
    let name = |(kind, from): (PieceKind, Square)| {
        let beside = Square::all().find(|to| to.rank() == from.rank() && *to != from).unwrap_or(from);
        let mut phrase = RelativeMove::new(position, Move::new(from, beside));
        phrase.selector = PieceSelector::File(file_number(from, phrase.color));
        let text = if notation == Notation::Wxf { phrase.wxf() } else { normalize_chinese(&phrase.chinese()) };
        (kind, text.chars().take(2).collect())
    };
    position.pieces(position.side()).map(name).collect()
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

/// Reads a move in any notation, with the variants of other programs: `h2e2`, `C2=5`, `N8+7`, `C+.5`, `Che2`,
/// traditional characters, full-width letters and digits.
pub fn parse(position: &Position, text: &str) -> Result<Move, NotationError> {
    parse_with_rank_base(position, text, RankBase::Zero)
}

/// The same with a given rank base.
pub fn parse_with_rank_base(position: &Position, text: &str, ranks: RankBase) -> Result<Move, NotationError> {
    let shown = |letter: char| if letter.is_control() { '?' } else { letter };
    let excerpt = || text.chars().take(16).map(shown).collect();
    // No notation has longer words.
    if text.len() > 40 {
        return Err(NotationError { text: excerpt(), why: None });
    }
    // Squares are explained as they are written, which in the other rank base is not how the board names them.
    let explains = ranks == RankBase::Zero || ranks.parse_move(text).is_none();
    let fail =
        || NotationError { text: excerpt(), why: explains.then(|| intended_move::explain(position, text)).flatten() };
    let narrow: String = text.chars().map(to_halfwidth).collect();
    let text = if narrow.is_ascii() { narrow.as_str() } else { text };
    let by_squares = ranks.parse_move(text).filter(|&mv| position.is_pseudo_legal(mv) && position.is_legal(mv));
    if let Some(mv) = by_squares.or_else(|| read_algebraic(position, text, ranks)) {
        return Ok(mv);
    }
    let wanted = if text.is_ascii() { normalize_wxf(text) } else { normalize_chinese(text) };
    let Some(step) = Displacement::read(&wanted) else { return Err(fail()) };
    let list = position.legal_moves();
    let going = || {
        list.iter().copied().filter(|mv| Displacement::new(position.side(), *mv, moving_kind(position, *mv)) == step)
    };
    let written = |mv: &Move, loose: bool| {
        let mut phrase = RelativeMove::new(position, *mv);
        if loose {
            phrase.selector = PieceSelector::File(file_number(mv.from(), phrase.color));
        }
        if text.is_ascii() { phrase.wxf() == wanted } else { normalize_chinese(&phrase.chinese()) == wanted }
    };
    if let Some(mv) = going().find(|mv| written(mv, false)) {
        return Ok(mv);
    }
    // Some programs write the file of a piece even if another one shares it, provided that only one of them can make
    // the move.
    let mut loose = going().filter(|mv| written(mv, true));
    match (loose.next(), loose.next()) {
        (Some(mv), None) => Ok(mv),
        _ => read_ordinal(position, &wanted, going()).ok_or_else(fail),
    }
}

/// `25=4`: the second pawn from the front on the fifth file, the WXF form for three or more pawns.
fn read_ordinal(position: &Position, wanted: &str, mut moves: impl Iterator<Item = Move>) -> Option<Move> {
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

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum PieceSelector {
    /// The one on this file, 1 to 9.
    File(u8),
    /// The front one of two.
    Front,
    /// The rear one of two.
    Rear,
    /// One of three or more (pawns, in real games), index from 0: by file from the mover's right, then from the front.
    Nth { index: usize, of: usize },
}

/// The direction of a move from the mover's view.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Direction {
    Forward,
    Sideways,
    Back,
}

/// The second half of a move in WXF and Chinese: direction, and distance or target file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Displacement {
    direction: Direction,
    number: u8,
}

impl Displacement {
    fn new(color: Color, mv: Move, kind: PieceKind) -> Displacement {
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

    /// The displacement of a normalised word. Without one the word is not a move, and no legal moves need be generated.
    fn read(word: &str) -> Option<Displacement> {
        let mut letters = word.chars().skip(2);
        let direction = match letters.next()? {
            '+' | '进' => Direction::Forward,
            '.' | '平' => Direction::Sideways,
            '-' | '退' => Direction::Back,
            _ => return None,
        };
        let sign = letters.next()?;
        let number = (1..=9).find(|&number| sign == char::from(b'0' + number) || sign == numeral(number))?;
        letters.next().is_none().then_some(Displacement { direction, number })
    }
}

fn moving_kind(position: &Position, mv: Move) -> PieceKind {
    position.moved_piece(mv).kind()
}

/// The parts of a move in WXF and Chinese.
struct RelativeMove {
    color: Color,
    kind: PieceKind,
    selector: PieceSelector,
    displacement: Displacement,
}

impl RelativeMove {
    fn new(position: &Position, mv: Move) -> RelativeMove {
        let (color, kind) = (position.side(), moving_kind(position, mv));
        RelativeMove {
            color,
            kind,
            selector: select_piece(position, mv.from(), color, kind),
            displacement: Displacement::new(color, mv, kind),
        }
    }

    fn wxf(&self) -> String {
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

    fn chinese(&self) -> String {
        let piece = xiangqi::Piece::new(self.color, self.kind).character();
        let direction = match self.displacement.direction {
            Direction::Forward => '进',
            Direction::Sideways => '平',
            Direction::Back => '退',
        };
        let digit = |number: u8| match self.color {
            Color::Red => numeral(number),
            Color::Black => char::from_u32('０' as u32 + u32::from(number)).unwrap_or('？'),
        };
        let number = digit(self.displacement.number);
        match self.selector {
            PieceSelector::File(file) => format!("{piece}{}{direction}{number}", digit(file)),
            PieceSelector::Front => format!("前{piece}{direction}{number}"),
            PieceSelector::Rear => format!("后{piece}{direction}{number}"),
            PieceSelector::Nth { index, of: 3 } => {
                format!("{}{piece}{direction}{number}", ['前', '中', '后'][index % 3])
            }
            PieceSelector::Nth { index, .. } => {
                format!("{}{piece}{direction}{number}", numeral(index as u8 + 1))
            }
        }
    }
}

/// 1 to 9 from the mover's right.
fn file_number(square: Square, color: Color) -> u8 {
    match color {
        Color::Red => 9 - square.file(),
        Color::Black => square.file() + 1,
    }
}

fn numeral(number: u8) -> char {
    ['零', '一', '二', '三', '四', '五', '六', '七', '八', '九'][usize::from(number) % 10]
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
    match (crowded.len(), index) {
        (2, 0) => PieceSelector::Front,
        (2, _) => PieceSelector::Rear,
        (of, index) => {
            // Three on one file are front, middle and rear; spread over several files they are numbered.
            let one_file = crowded.iter().all(|other| other.file() == square.file());
            PieceSelector::Nth { index, of: if one_file { of } else { 0 } }
        }
    }
}

/// Normalises the WXF of other programs.
fn normalize_wxf(text: &str) -> String {
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
pub(super) fn wxf_sign(sign: char) -> char {
    match sign {
        'N' => 'H',
        'B' => 'E',
        '=' => '.',
        other => other,
    }
}

/// Normalises the Chinese notation of other programs to one character per meaning.
pub(super) fn normalize_chinese(text: &str) -> String {
    text.chars()
        .map(|letter| match letter {
            '帥' | '将' | '將' => '帅',
            '士' => '仕',
            '象' => '相',
            '馬' | '傌' => '马',
            '車' | '俥' => '车',
            '砲' | '包' => '炮',
            '卒' => '兵',
            '進' => '进',
            '後' => '后',
            '１'..='９' => numeral((letter as u32 - '０' as u32) as u8),
            '1'..='9' => numeral(letter as u8 - b'0'),
            _ => letter,
        })
        .collect()
}
