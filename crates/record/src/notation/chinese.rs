//! The Chinese notation, `炮二平五`: written, and read in the characters of any program.

use super::format::{Crowd, PieceSelector, RelativeMove, numeral};
use xiangqi::{Color, Piece};

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
