//! Reads moves.

use super::chinese::normalize_chinese;
use super::relative_move::{Displacement, PieceSelector, RelativeMove, file_number};
use super::wxf::{normalize_wxf, read_ordinal};
use crate::RankBase;
use crate::algebraic::read_algebraic;
use crate::encoding::to_halfwidth;
use crate::explanation::{Explanation, explain};
use crate::movetext::is_numeral;
use thiserror::Error;
use xiangqi::{Move, Position};

/// No notation has longer words, in bytes.
const MAX_LENGTH: usize = 40;

/// A text that is not a legal move in the position.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("'{text}' is no legal move in this position{}", why.as_ref().map(|why| format!(": {why}")).unwrap_or_default())]
pub struct NotationError {
    /// The text.
    pub text: String,
    /// Why the move that it means is not legal, where it means one.
    pub why: Option<Explanation>,
}

/// Reads a move in any notation, with the variants of other programs: `h2e2`, `C2=5`, `N8+7`, `C+.5`, `Che2`,
/// traditional characters, full-width letters and digits.
pub fn parse(position: &Position, text: &str) -> Result<Move, NotationError> {
    parse_with_rank_base(position, text, RankBase::Zero)
}

/// The same with a given rank base.
pub fn parse_with_rank_base(position: &Position, text: &str, ranks: RankBase) -> Result<Move, NotationError> {
    find_move(position, text, ranks).ok_or_else(|| error_of(position, text, ranks))
}

/// What is wrong with a text that is no move. It takes many times as long as to find that out.
pub(crate) fn error_of(position: &Position, text: &str, ranks: RankBase) -> NotationError {
    let shown = |letter: char| if letter.is_control() { '?' } else { letter };
    // Squares are explained as they are written, which in the other rank base is not how the board names them.
    let explains = text.len() <= MAX_LENGTH && (ranks == RankBase::Zero || ranks.parse_move(text).is_none());
    let why = explains.then(|| explain(position, text)).flatten();
    NotationError { text: text.chars().take(16).map(shown).collect(), why }
}

/// The move that a text means.
pub(crate) fn find_move(position: &Position, text: &str, ranks: RankBase) -> Option<Move> {
    if text.len() > MAX_LENGTH || !text.chars().any(|letter| letter.is_ascii_digit() || is_numeral(letter)) {
        return None;
    }
    let narrow: String = text.chars().map(to_halfwidth).collect();
    let text = if narrow.is_ascii() { narrow.as_str() } else { text };
    let by_squares = ranks.parse_move(text).filter(|&mv| position.is_pseudo_legal(mv) && position.is_legal(mv));
    if let Some(mv) = by_squares.or_else(|| read_algebraic(position, text, ranks)) {
        return Some(mv);
    }
    let wanted = if text.is_ascii() { normalize_wxf(text) } else { normalize_chinese(text) };
    let step = Displacement::read(&wanted)?;
    let list = position.legal_moves();
    let going = || list.iter().copied().filter(|&mv| Displacement::of(position, mv) == step);
    let written = |mv: &Move, loose: bool| {
        let mut phrase = RelativeMove::new(position, *mv);
        if loose {
            phrase.selector = PieceSelector::File(file_number(mv.from(), phrase.color));
        }
        if text.is_ascii() { phrase.wxf() == wanted } else { normalize_chinese(&phrase.chinese()) == wanted }
    };
    if let Some(mv) = going().find(|mv| written(mv, false)) {
        return Some(mv);
    }
    // Some programs write the file of a piece even if another one shares it, provided that only one of them can make
    // the move.
    let mut loose = going().filter(|mv| written(mv, true));
    match (loose.next(), loose.next()) {
        (Some(mv), None) => Some(mv),
        _ => read_ordinal(position, &wanted, going()),
    }
}
