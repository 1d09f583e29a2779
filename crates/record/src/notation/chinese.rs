//! The Chinese notation, `炮二平五`: written, and read in the characters of any program.

use super::relative_move::{Direction, PieceSelector, RelativeMove, numeral};
use xiangqi::Color;

impl RelativeMove {
    pub fn chinese(&self) -> String {
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
