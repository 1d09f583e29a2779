//! Move notations: ICCS (`H2-E2`), WXF (`C2.5`), Chinese (`炮二平五`), Vietnamese (`P2-5`) and the algebraic notation of
//! chess programs.
//!
//! WXF, Chinese and Vietnamese encode the same data (`RelativeMove`). The reader writes every legal move and takes the one
//! that matches, so everything that can be written can be read.
//!
//! ```
//! use xiangqi::Position;
//! use xiangqi_record::notation::{self, Notation};
//!
//! let position = Position::start();
//! let mv = notation::parse(&position, "炮二平五")?;
//! assert_eq!(Notation::ALL.map(|way| notation::format(&position, mv, way)), ["H2-E2", "h2e2", "C2.5", "炮二平五", "P2-5"]);
//! # Ok::<(), notation::NotationError>(())
//! ```
//!
//! A word of letters may be legal in WXF and in Vietnamese and mean two moves. Alone it is refused, unless its notation is
//! given ([`ReadOptions`]); in a game all words are read in one of these two notations.

pub(crate) mod explanation;
pub(crate) mod format;
mod wxf_or_vietnamese;

pub use format::{Notation, ParseNotationError, format, format_line, piece_name};
pub(crate) use format::{RelativeMove, VietnameseWord};
pub(crate) use wxf_or_vietnamese::{LetterEvidence, Letters, detect_notations};

use crate::move_words::is_numeral;
use crate::rank_base::{RankBase, read_algebraic};
use explanation::{Explanation, explain};
use format::{Displacement, narrow, normalize_chinese, normalize_wxf, read_ordinal};
use xiangqi::{Move, Position, worded_error, words};

/// No notation has longer words, in bytes.
const MAX_LENGTH: usize = 40;

/// A text that is not a legal move in the position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotationError {
    /// The text.
    pub text: String,
    /// Why the move that it means is not legal, where it means one.
    pub why: Option<Explanation>,
}

worded_error!(NotationError, |error| {
    let text = &error.text;
    match &error.why {
        None => words!("'{text}' is no legal move in this position", text),
        Some(why @ Explanation::TwoNotations { .. }) => words!("'{text}' {why}", text, why),
        Some(why) => words!("'{text}' is no legal move in this position: {why}", text, why),
    }
});

/// What is known of a text before it is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ReadOptions {
    /// How ranks are counted.
    pub ranks: RankBase,
    /// The notation that was chosen. It decides between WXF and Vietnamese where a word may be either; other words are read
    /// in any notation. Only where Vietnamese was chosen is `C` a pawn (chốt).
    pub notation: Option<Notation>,
}

impl From<RankBase> for ReadOptions {
    fn from(ranks: RankBase) -> ReadOptions {
        ReadOptions { ranks, notation: None }
    }
}

impl From<Option<Notation>> for ReadOptions {
    fn from(notation: Option<Notation>) -> ReadOptions {
        ReadOptions { ranks: RankBase::Zero, notation }
    }
}

/// Reads a move in any notation, with the variants of other programs: `h2e2`, `C2=5`, `N8+7`, `C+.5`, `Che2`,
/// traditional characters, full-width letters and digits.
pub fn parse(position: &Position, text: &str) -> Result<Move, NotationError> {
    parse_with(position, text, ReadOptions::default())
}

/// The same with what is known of the text.
pub fn parse_with(position: &Position, text: &str, options: impl Into<ReadOptions>) -> Result<Move, NotationError> {
    let ReadOptions { ranks, notation } = options.into();
    parse_word(position, text, ranks, Letters::of_word(text, notation))
}

/// The same of a word of a game.
pub(crate) fn parse_word(
    position: &Position,
    text: &str,
    ranks: RankBase,
    letters: Letters,
) -> Result<Move, NotationError> {
    find_move(position, text, ranks, letters).ok_or_else(|| error_of(position, text, ranks, letters))
}

/// What is wrong with a text that is no move. It takes many times as long as to find that out.
pub(crate) fn error_of(position: &Position, text: &str, ranks: RankBase, letters: Letters) -> NotationError {
    let shown = |letter: char| if letter.is_control() { '?' } else { letter };
    // Squares are explained as they are written, which in the other rank base is not how the board names them.
    let explains = text.len() <= MAX_LENGTH && (ranks == RankBase::Zero || ranks.parse_move(text).is_none());
    let two = || match read_letters(position, &narrow(text), letters) {
        Err([wxf, vietnamese]) => Some(Explanation::TwoNotations { wxf, vietnamese }),
        Ok(_) => None,
    };
    let other = || {
        let (letters, word, game) = match letters {
            Letters::Wxf => (Letters::Vietnamese, Notation::Vietnamese, Notation::Wxf),
            Letters::Vietnamese => (Letters::Wxf, Notation::Wxf, Notation::Vietnamese),
            Letters::Any => return None,
        };
        let mv = read_letters(position, &narrow(text), letters).ok().flatten();
        mv.map(|_| Explanation::OtherNotation { word, game })
    };
    let why = explains.then(|| two().or_else(|| explain(position, text, letters)).or_else(other)).flatten();
    NotationError { text: text.chars().take(16).map(shown).collect(), why }
}

/// The move that a text means.
pub(crate) fn find_move(position: &Position, text: &str, ranks: RankBase, letters: Letters) -> Option<Move> {
    if text.len() > MAX_LENGTH || !text.chars().any(|letter| letter.is_ascii_digit() || is_numeral(letter)) {
        return None;
    }
    let text = &*narrow(text);
    let by_squares = ranks.parse_move(text).filter(|&mv| position.is_pseudo_legal(mv) && position.is_legal(mv));
    if let Some(mv) = by_squares.or_else(|| read_algebraic(position, text, ranks)) {
        return Some(mv);
    }
    if text.is_ascii() {
        read_letters(position, text, letters).ok().flatten()
    } else {
        read_relative(position, &normalize_chinese(text), Notation::Chinese)
    }
}

/// The move of a word in WXF or Vietnamese; an error has the move in each of them, if it means two.
fn read_letters(position: &Position, text: &str, letters: Letters) -> Result<Option<Move>, [Move; 2]> {
    let wxf = || read_relative(position, &normalize_wxf(text), Notation::Wxf);
    let word = if letters == Letters::Wxf { None } else { VietnameseWord::read(text) };
    let vietnamese = |word: &VietnameseWord| read_relative(position, &word.text, Notation::Vietnamese);
    match (letters, word) {
        (Letters::Wxf, _) => Ok(wxf()),
        (Letters::Vietnamese, word) => Ok(word.as_ref().and_then(vietnamese)),
        (Letters::Any, None) => Ok(wxf()),
        (Letters::Any, Some(word)) => match (wxf(), vietnamese(&word)) {
            (Some(mv), Some(other)) if mv != other && !word.is_loose => Err([mv, other]),
            (None, other) if !word.has_chot => Ok(other),
            (mv, _) => Ok(mv),
        },
    }
}

/// The move of a normalised word that writes a piece and where it goes.
fn read_relative(position: &Position, wanted: &str, notation: Notation) -> Option<Move> {
    let step = Displacement::read(wanted, notation)?;
    let list = position.legal_moves();
    let going = || list.iter().copied().filter(|&mv| Displacement::of(position, mv) == step);
    let write = |mv: &Move| RelativeMove::new(position, *mv);
    if let Some(mv) = going().find(|mv| write(mv).is_written(wanted, notation)) {
        return Some(mv);
    }
    // Some programs write the file of a piece even if another one shares it, provided that only one of them can make
    // the move.
    let mut loose = going().filter(|mv| write(mv).by_file().is_written(wanted, notation));
    match (loose.next(), loose.next()) {
        (Some(mv), None) => Some(mv),
        _ if notation == Notation::Wxf => read_ordinal(position, wanted, going()),
        _ => None,
    }
}
