//! Move notations: ICCS (`H2-E2`), WXF (`C2.5`), Chinese (`炮二平五`) and the algebraic notation of chess programs.
//!
//! WXF and Chinese encode the same data (`relative_move`). The reader writes every legal move and takes the one that
//! matches, so everything that can be written can be read.
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

mod chinese;
mod relative_move;
mod wxf;

use super::RankBase;
use super::algebraic::read_algebraic;
use super::encoding::to_halfwidth;
use super::intended_move::{self, Explanation};
use relative_move::{Displacement, PieceSelector, RelativeMove, file_number, moving_kind};
use std::fmt;
use std::str::FromStr;
use thiserror::Error;
use wxf::{normalize_wxf, read_ordinal};
use xiangqi::{Move, PieceKind, Position, Square};

pub(crate) use chinese::normalize_chinese;
pub(crate) use wxf::wxf_sign;

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
