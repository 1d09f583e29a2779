//! Words of letters and digits are WXF or Vietnamese. `M8.7` can only be one of them, but `C7.1` is a cannon that goes
//! sideways in WXF, and in Vietnamese a pawn (chốt) that goes forward. So that none is taken for the other, the words of a
//! game are read in the same notation, which is the one that its words show, or the one in which all of them are legal.
//!
//! What a typed text is: its notation, and the word without numbers and full stops around it.

use super::format::{Crowd, Displacement, Notation, PieceSelector, RelativeMove, file_number, numeral};
use crate::encoding::to_halfwidth;
use crate::move_words::without_number;
use std::borrow::Cow;
use xiangqi::{Color, Move, Piece, PieceKind, Position, Square};

/// How words of letters and digits are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Letters {
    /// As WXF.
    Wxf,
    /// As Vietnamese.
    Vietnamese,
    /// As either; a word that is legal in both and means two moves is refused.
    Any,
}

impl Letters {
    /// Those of a notation that was chosen, for a single word: one that cannot be of it is read as of the other.
    pub fn of_word(text: &str, chosen: Option<Notation>) -> Letters {
        match (chosen, VietnameseWord::read(text)) {
            (Some(Notation::Wxf), Some(word)) if word.is_unmistakable => Letters::Vietnamese,
            (Some(Notation::Wxf), _) => Letters::Wxf,
            (Some(Notation::Vietnamese), Some(_)) => Letters::Vietnamese,
            (Some(Notation::Vietnamese), None) => Letters::Wxf,
            _ => Letters::Any,
        }
    }
}

/// The notations that an ASCII word may be in, each with the normalised word; not those in which it names no piece.
pub(super) fn readings(text: &str, letters: Letters) -> Vec<(Notation, String)> {
    let wxf =
        || (Notation::Wxf, text.chars().map(|sign| super::letters::wxf_sign(sign.to_ascii_uppercase())).collect());
    let word = VietnameseWord::read(text).filter(|_| letters != Letters::Wxf);
    let Some(word) = word else { return vec![wxf()] };
    let vietnamese = (Notation::Vietnamese, word.text.clone());
    let only_vietnamese = word.is_unmistakable || word.is_possible() && !is_possible_wxf(text);
    match letters {
        Letters::Vietnamese => vec![vietnamese],
        _ if word.has_chot => vec![wxf()],
        _ if only_vietnamese => vec![vietnamese],
        _ => vec![wxf(), vietnamese],
    }
}

/// What the words of a game show of its notation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct LetterEvidence {
    /// A word can only be WXF.
    wxf: bool,
    /// A word can only be Vietnamese.
    vietnamese: bool,
    /// A word can only be Vietnamese, but has a sign of WXF.
    loosely: bool,
    /// A word may be either.
    shared: bool,
    /// A pawn may be called `C`.
    chot: bool,
}

impl LetterEvidence {
    /// That of these words.
    pub fn of<'a>(words: impl IntoIterator<Item = &'a str>) -> LetterEvidence {
        let mut evidence = LetterEvidence::default();
        words.into_iter().for_each(|word| evidence.add(word));
        evidence
    }

    /// Adds a word, with or without a number and marks.
    pub fn add(&mut self, word: &str) {
        let bare = without_number(word).trim_end_matches(['!', '?', '#']);
        let mut signs = bare.chars().rev().map(to_halfwidth);
        let ends_as_one = signs.next().is_some_and(|sign| sign.is_ascii_digit())
            && signs.next().is_some_and(|sign| "+-./=,".contains(sign));
        if !ends_as_one || bare.len() > MAX_BYTES {
            return;
        }
        let text = narrow(bare);
        let word = VietnameseWord::read(&text).filter(VietnameseWord::is_possible);
        if word.is_none() && self.wxf {
            return;
        }
        let is_wxf = is_possible_wxf(&text);
        match word {
            None => self.wxf |= is_wxf,
            Some(word) if is_wxf => {
                (self.wxf, self.shared) = (self.wxf || word.is_loose, self.shared || !word.is_loose);
                self.chot |= word.has_chot;
            }
            Some(word) if word.has_chot => self.chot = true,
            Some(word) if word.is_loose && !word.is_unmistakable => self.loosely = true,
            Some(_) => self.vietnamese = true,
        }
    }

    /// Reads a game in the notation of its words. Where they do not tell, in the one in which more of it is good; where
    /// that does not tell either and the moves differ, a word that means two moves is refused.
    pub fn read<T, Q: Ord>(
        self,
        read: impl Fn(Letters) -> T,
        quality: impl Fn(&T) -> Q,
        is_same: impl Fn(&T, &T) -> bool,
    ) -> T {
        match (self.wxf, self.vietnamese || self.loosely, self.shared) {
            (true, false, _) | (false, false, false) => return read(Letters::Wxf),
            (true, true, _) if !self.vietnamese => return read(Letters::Wxf),
            (false, true, _) => return read(Letters::Vietnamese),
            (true, true, _) | (false, false, true) => {}
        }
        let [wxf, vietnamese] = [read(Letters::Wxf), read(Letters::Vietnamese)];
        match quality(&wxf).cmp(&quality(&vietnamese)) {
            // Pawns are called `C` only where another word shows the notation.
            std::cmp::Ordering::Less if self.vietnamese || !self.chot => vietnamese,
            std::cmp::Ordering::Equal if !is_same(&wxf, &vietnamese) => read(Letters::Any),
            _ => wxf,
        }
    }
}

/// Strips a move number and a trailing full stop.
pub(crate) fn strip_move_number(text: &str) -> &str {
    const DOTS: [char; 6] = ['.', '．', '。', '、', '…', ' '];
    let behind = text.trim_start_matches(|letter: char| letter.is_ascii_digit());
    // A digit alone is part of a move: `25=4` is a pawn move.
    let is_numbered = behind.len() < text.len() && behind.starts_with(DOTS);
    let text = if is_numbered { behind.trim_start_matches(DOTS) } else { text };
    text.trim().trim_end_matches(['.', '．', '。', '，', ',', '；', ';', '！', '!', '？', '?'])
}

/// The text in letters of half width, if all of it can be written in them.
pub(super) fn narrow(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    let narrow: String = text.chars().map(to_halfwidth).collect();
    if narrow.is_ascii() { Cow::Owned(narrow) } else { Cow::Borrowed(text) }
}

/// The notations that a text may be in, the likeliest first, each with the text normalised for comparison.
pub(crate) fn detect_notations(text: &str, letters: Letters) -> Vec<(Notation, String)> {
    let text = &*narrow(text);
    let is_square = matches!(text.as_bytes(), [file, rank] if (b'a'..=b'i').contains(file) && rank.is_ascii_digit());
    if is_square {
        vec![(Notation::Uci, text.to_string())]
    } else if text.is_ascii() {
        readings(text, letters)
    } else {
        vec![(Notation::Chinese, normalize_chinese(text))]
    }
}

// The Chinese notation, `炮二平五`: written, and read in the characters of any program.

impl RelativeMove {
    pub(super) fn chinese_head(&self) -> String {
        let piece = self.chinese_letter();
        match self.selector {
            PieceSelector::File(file) => format!("{piece}{}", self.chinese_digit(file)),
            PieceSelector::Crowd(Crowd { index, of: 2, .. }) => format!("{}{piece}", ['前', '后'][index % 2]),
            PieceSelector::Crowd(Crowd { index, of: 3, .. }) => format!("{}{piece}", ['前', '中', '后'][index % 3]),
            PieceSelector::Crowd(Crowd { index, .. }) => format!("{}{piece}", numeral(index as u8 + 1)),
        }
    }

    pub(super) fn chinese_letter(&self) -> char {
        Piece::new(self.color, self.kind).character()
    }

    pub(super) fn chinese_digit(&self, number: u8) -> char {
        match self.color {
            Color::Red => numeral(number),
            Color::Black => char::from_u32('０' as u32 + u32::from(number)).unwrap_or('？'),
        }
    }
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

// The WXF notation, `C2.5`: written, and read as other programs write it.

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

// The Vietnamese notation, `P2-5`: written, and read as players type it.
//
// The letters are those of Tướng, Sĩ, Tượng, Xe, Pháo, Mã and Binh; files are counted from the mover's right. `.` is
// forward (tấn), `-` sideways (bình), `/` back (thoái). Of two pieces on a file `t` is the front one (trước) and `s` the
// rear one (sau), `g` the middle one of three pawns (giữa); of four or five the number stands before the letter. Where
// two files have several pawns each, the file follows: `Bt7.1`.

/// No word has more bytes: six signs, in full width.
pub(super) const MAX_BYTES: usize = 18;

/// The letters of a piece.
pub(super) fn letter(kind: PieceKind) -> &'static str {
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

impl RelativeMove {
    pub(super) fn vietnamese_head(&self) -> String {
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
    pub(super) fn is_vietnamese_head(&self, head: &str) -> bool {
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
