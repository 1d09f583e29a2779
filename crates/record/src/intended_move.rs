//! Moves as people type them; what is no legal move is explained: the move that was meant, and why it is not legal.
//!
//! ```
//! let error = xiangqi_record::intended_move::parse(&xiangqi::Position::start(), "车一进五").unwrap_err();
//! assert_eq!(error.to_string(), "'车一进五' is not possible: 兵一 stands in between");
//! ```

use super::move_words::strip_move_number;
pub use super::notation::explanation::Explanation;
use super::notation::explanation::explain;
use super::notation::{Letters, Notation, NotationError, VietnameseWord, detect_notations};
use super::short_notation::{self, ShortMoveError};
use xiangqi::{Move, Position, worded_error, words};

/// So many letters are quoted of a text.
const MAX_QUOTED: usize = 16;

/// Whether a text looks like a move in any notation, legal or not.
pub fn looks_like_move(text: &str) -> bool {
    let text = strip_move_number(text);
    if text.parse::<Move>().is_ok() {
        return true;
    }
    if VietnameseWord::read(text).is_some_and(|word| word.text.contains(|sign: char| sign.is_ascii_digit())) {
        return true;
    }
    detect_notations(text, Letters::Wxf).iter().any(|(notation, normal)| has_signs_of_move(*notation, normal))
}

fn has_signs_of_move(notation: Notation, normal: &str) -> bool {
    let signs: Vec<char> = normal.chars().collect();
    match notation {
        Notation::Chinese => {
            let named = signs.iter().any(|sign| "帅仕相马车炮兵".contains(*sign));
            signs.len() <= 5 && (named || signs.iter().any(|sign| "进退平".contains(*sign)))
        }
        Notation::Wxf => {
            let known = |sign: &char| "KAEHRCP+-.=123456789".contains(*sign);
            (2..=5).contains(&signs.len()) && signs.iter().all(known) && signs.iter().any(char::is_ascii_digit)
        }
        Notation::Uci | Notation::Iccs | Notation::Vietnamese => true,
    }
}

/// Why a typed text is not a move.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum MoveTextError {
    /// It means a move that is not legal.
    Illegal {
        /// The text.
        text: String,
        /// Why the move is not legal.
        why: Explanation,
    },
    /// It does not look like a move.
    NotUnderstood(String),
    /// It looks like a move, but no piece can be meant, or several.
    NoMatch(ShortMoveError),
}

worded_error!(
    MoveTextError,
    |error| match error {
        MoveTextError::Illegal { text, why } => words!("'{text}' is not possible: {why}", text, why),
        MoveTextError::NotUnderstood(text) => words!("'{text}' is not understood", text),
        MoveTextError::NoMatch(error) => error.words(),
    },
    NoMatch(ShortMoveError)
);

/// Reads a move as [`short_notation::parse`] does; of a move that is not legal it says why.
pub fn parse(position: &Position, text: &str) -> Result<Move, MoveTextError> {
    parse_with(position, text, None)
}

/// The same where a notation was chosen, as [`short_notation::parse_with`] reads it.
pub fn parse_with(position: &Position, text: &str, chosen: Option<Notation>) -> Result<Move, MoveTextError> {
    short_notation::parse_with(position, text, chosen).map_err(|error| {
        let shown = || text.chars().filter(|sign| !sign.is_control()).take(MAX_QUOTED).collect();
        let is_two = |error: &NotationError| matches!(error.why, Some(Explanation::TwoNotations { .. }));
        if matches!(&error, ShortMoveError::NoMatch(error) if is_two(error)) {
            return error.into();
        }
        match explain(position, text, Letters::of_word(strip_move_number(text), chosen)) {
            Some(why) => MoveTextError::Illegal { text: shown(), why },
            None if matches!(error, ShortMoveError::NoMatch(_)) && !looks_like_move(text) => {
                MoveTextError::NotUnderstood(shown())
            }
            None => error.into(),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nonsense_does_not_look_like_a_move() {
        for text in ["炮二平五", "马进三", "C2=5", "h2e2", "H2-E2", "K4", "e2", "1. 炮二平五。", "炮", "前炮退二"]
        {
            assert!(looks_like_move(text), "{text}");
        }
        for text in ["nonsense", "hello", "hepl", "你好", "复盘一下吧", "a", "1", "", "save.pgn"] {
            assert!(!looks_like_move(text), "{text}");
        }
    }
}
