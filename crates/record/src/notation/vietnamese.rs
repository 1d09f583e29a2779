//! The Vietnamese notation, `P2-5`: written, and read as players type it.
//!
//! The letters are those of Tướng, Sĩ, Tượng, Xe, Pháo, Mã and Binh; files are counted from the mover's right. `.` is
//! forward (tấn), `-` sideways (bình), `/` back (thoái). Of two pieces on a file `t` is the front one (trước) and `s` the
//! rear one (sau), `g` the middle one of three pawns (giữa); of four or five the number stands before the letter. Where
//! two files have several pawns each, the file follows: `Bt7.1`.

use super::format::Notation;
use super::format::{Crowd, Displacement, PieceSelector, RelativeMove};
use super::letters::narrow;
use xiangqi::PieceKind;

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
