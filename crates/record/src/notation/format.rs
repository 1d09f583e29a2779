//! Writes moves, and names pieces as moves do.
//!
//! What WXF, Chinese and Vietnamese write: the piece (by its file, counted from the mover's right, or by its order among equal pieces
//! on a file), the direction, and a number: steps for straight moves, the target file otherwise.

use crate::encoding::to_halfwidth;
use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;
use xiangqi::{Color, Move, Piece, PieceKind, Position, Square, worded_error, words};

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
enum PieceSelector {
    /// The one on this file, 1 to 9.
    File(u8),
    /// One of several that share their file with an equal piece.
    Crowd(Crowd),
}

/// A place among the pieces that share their file with an equal one: two, or more (pawns, in real games).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Crowd {
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
fn numeral(number: u8) -> char {
    ['零', '一', '二', '三', '四', '五', '六', '七', '八', '九'][usize::from(number) % 10]
}

fn moving_kind(position: &Position, mv: Move) -> PieceKind {
    position.moved_piece(mv).kind()
}

/// The parts of a move in WXF, Chinese and Vietnamese.
pub(crate) struct RelativeMove {
    color: Color,
    kind: PieceKind,
    selector: PieceSelector,
    /// The file of the piece, 1 to 9.
    file: u8,
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

    fn chinese_head(&self) -> String {
        let piece = self.chinese_letter();
        match self.selector {
            PieceSelector::File(file) => format!("{piece}{}", self.chinese_digit(file)),
            PieceSelector::Crowd(Crowd { index, of: 2, .. }) => format!("{}{piece}", ['前', '后'][index % 2]),
            PieceSelector::Crowd(Crowd { index, of: 3, .. }) => format!("{}{piece}", ['前', '中', '后'][index % 3]),
            PieceSelector::Crowd(Crowd { index, .. }) => format!("{}{piece}", numeral(index as u8 + 1)),
        }
    }

    fn chinese_letter(&self) -> char {
        Piece::new(self.color, self.kind).character()
    }

    fn chinese_digit(&self, number: u8) -> char {
        match self.color {
            Color::Red => numeral(number),
            Color::Black => char::from_u32('０' as u32 + u32::from(number)).unwrap_or('？'),
        }
    }

    fn wxf_head(&self) -> String {
        let letter = self.kind.wxf_letter();
        match self.selector {
            PieceSelector::File(file) => format!("{letter}{file}"),
            PieceSelector::Crowd(Crowd { index, of: 2, .. }) => format!("{}{letter}", ['+', '-'][index % 2]),
            PieceSelector::Crowd(Crowd { index, .. }) => format!("{}{letter}", (b'a' + index as u8) as char),
        }
    }

    fn vietnamese_head(&self) -> String {
        let letter = letter(self.kind);
        let Crowd { of, place, on_file, .. } = match self.selector {
            PieceSelector::File(file) => return format!("{letter}{file}"),
            PieceSelector::Crowd(crowd) => crowd,
        };
        let head = match (place, on_file) {
            (place, 4..) => format!("{}{letter}", place + 1),
            (0, _) => format!("{letter}t"),
            (1, 3) => format!("{letter}g"),
            _ => format!("{letter}s"),
        };
        if of == on_file { head } else { format!("{head}{}", self.file) }
    }

    /// Whether this head of a normalised word calls the piece: as it is written, with its file even where the place on it
    /// is enough, and the first and the last of many pawns as of two.
    fn is_vietnamese_head(&self, head: &str) -> bool {
        let written = self.vietnamese_head();
        if head == written {
            return true;
        }
        let PieceSelector::Crowd(Crowd { of, place, on_file, .. }) = self.selector else { return false };
        let letter = letter(self.kind);
        let end = [(0, "t"), (on_file - 1, "s")].into_iter().find(|(end, _)| *end == place);
        let names = [Some(format!("{}{letter}", place + 1)), end.map(|(_, mark)| format!("{letter}{mark}"))];
        let mut names = names.into_iter().flatten();
        let with_file = |name: &str| head.strip_prefix(name).is_some_and(|rest| rest == self.file.to_string());
        of == on_file && with_file(&written) || names.any(|name| with_file(&name) || of == on_file && head == name)
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
            Notation::Vietnamese => letter(self.kind).to_string(),
            _ => normalize_chinese(&self.chinese_letter().to_string()),
        };
        let normal = |text: String| if notation == Notation::Chinese { normalize_chinese(&text) } else { text };
        let (head, tail) = (normal(self.head(notation)), normal(self.tail(notation)));
        let number: String = tail.chars().skip(1).collect();
        [format!("{letter}{tail}"), format!("{letter}{number}"), head, letter]
    }
}

/// 1 to 9 from the mover's right.
fn file_number(square: Square, color: Color) -> u8 {
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

/// The text in letters of half width, if all of it can be written in them.
pub(super) fn narrow(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    let narrow: String = text.chars().map(to_halfwidth).collect();
    if narrow.is_ascii() { Cow::Owned(narrow) } else { Cow::Borrowed(text) }
}

/// Normalises the Chinese notation of other programs to one character per meaning.
pub(crate) fn normalize_chinese(text: &str) -> String {
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

// The Vietnamese notation, `P2-5`: written, and read as players type it.
//
// The letters are those of Tướng, Sĩ, Tượng, Xe, Pháo, Mã and Binh; files are counted from the mover's right. `.` is
// forward (tấn), `-` sideways (bình), `/` back (thoái). Of two pieces on a file `t` is the front one (trước) and `s` the
// rear one (sau), `g` the middle one of three pawns (giữa); of four or five the number stands before the letter. Where
// two files have several pawns each, the file follows: `Bt7.1`.

/// No word has more bytes: six signs, in full width.
pub(super) const MAX_BYTES: usize = 18;

/// The letters of a piece.
fn letter(kind: PieceKind) -> &'static str {
    match kind {
        PieceKind::King => "Tg",
        PieceKind::Advisor => "S",
        PieceKind::Bishop => "T",
        PieceKind::Rook => "X",
        PieceKind::Cannon => "P",
        PieceKind::Horse => "M",
        PieceKind::Pawn => "B",
    }
}

/// A word in the signs of this notation, in full or in short.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct VietnameseWord {
    /// Normalised.
    pub text: String,
    /// A pawn is called `C`, by the word chốt, which is a cannon in WXF.
    pub has_chot: bool,
    /// A sign is that of another notation or a slip: `P2=5`, `M8+7`, `M8,7`.
    pub is_loose: bool,
    /// The signs cannot be those of WXF.
    pub is_unmistakable: bool,
    kind: PieceKind,
    /// The file of a word that has a direction.
    file: Option<u8>,
    /// The word says which piece it is.
    is_full: bool,
}

impl VietnameseWord {
    /// Reads a word, in either width.
    pub fn read(text: &str) -> Option<VietnameseWord> {
        if text.len() > MAX_BYTES {
            return None;
        }
        let text = narrow(text);
        let is_digit = |byte: &u8| (b'1'..=b'9').contains(byte);
        let mut rest = text.as_bytes();
        let number = rest.first().copied().filter(|byte| is_digit(byte));
        rest = &rest[usize::from(number.is_some())..];
        let first = rest.first()?.to_ascii_uppercase();
        let is_king = first == b'T' && rest.get(1).is_some_and(|next| next.eq_ignore_ascii_case(&b'g'));
        rest = &rest[1 + usize::from(is_king)..];
        let has_chot = first == b'C';
        let sign = char::from(if has_chot { b'B' } else { first });
        let kind = PieceKind::ALL.into_iter().find(|&kind| match is_king {
            true => kind == PieceKind::King,
            false => kind != PieceKind::King && letter(kind).starts_with(sign),
        })?;
        let mark = rest.first().map(u8::to_ascii_lowercase).filter(|mark| b"tgs".contains(mark));
        rest = &rest[usize::from(mark.is_some())..];
        let mut normal: String = number.map(char::from).into_iter().collect();
        normal += letter(kind);
        normal.extend(mark.map(char::from));
        let is_full_tail = |tail: &[u8]| matches!(tail, [sign, number] if !is_digit(sign) && is_digit(number));
        let (file, tail) = match rest {
            [file, tail @ ..] if is_digit(file) && (tail.is_empty() || is_full_tail(tail)) => (Some(*file), tail),
            tail if tail.is_empty() || is_full_tail(tail) => (None, tail),
            _ => return None,
        };
        normal.extend(file.map(char::from));
        let mut is_loose = false;
        for &sign in tail {
            normal.push(match sign {
                b'.' | b'/' | b'-' | b'1'..=b'9' => char::from(sign),
                b',' | b'+' | b'=' => {
                    is_loose = true;
                    if sign == b'=' { '-' } else { '.' }
                }
                _ => return None,
            });
        }
        let is_named = file.is_some() || mark.is_some() || number.is_some();
        Some(VietnameseWord {
            has_chot,
            is_loose,
            is_unmistakable: !b"PBC".contains(&first) || mark.is_some() || number.is_some() || tail.contains(&b'/'),
            kind,
            file: file.filter(|_| !tail.is_empty()).map(|file| file - b'0'),
            is_full: is_named && !tail.is_empty(),
            text: normal,
        })
    }

    /// Whether it is a full move that its piece may make somewhere.
    pub fn is_possible(&self) -> bool {
        let displacement = Displacement::read(&self.text, Notation::Vietnamese).filter(|_| self.is_full);
        displacement.is_some_and(|displacement| displacement.is_possible(self.kind, self.file))
    }
}
