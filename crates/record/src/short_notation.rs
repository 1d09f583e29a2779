//! Moves in short form, as users type them: `C5`, `C2` or `C` for `C2.5`, `炮五`, `炮二` or `炮` for `炮二平五`, `e2` for
//! `h2e2`, as long as only one legal move matches; optionally with a move number before and a full stop behind.
//!
//! ```
//! let position = xiangqi::Position::start();
//! assert_eq!(xiangqi_record::short_notation::parse(&position, "马三")?.to_string(), "h0g2");
//! # Ok::<(), xiangqi_record::short_notation::ShortMoveError>(())
//! ```

use super::move_words::strip_move_number;
use super::notation::{self, Letters, Notation, NotationError, ReadOptions, RelativeMove, detect_notations};
use xiangqi::words::{Value, Words};
use xiangqi::{Move, Position, worded_error, words};

/// Why a text is not a move.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ShortMoveError {
    /// No legal move matches.
    NoMatch(NotationError),
    /// Several legal moves match.
    Ambiguous {
        /// The text.
        text: String,
        /// The full moves, in the notation of the text.
        moves: Vec<String>,
    },
}

worded_error!(
    ShortMoveError,
    |error| match error {
        ShortMoveError::NoMatch(error) => error.words(),
        ShortMoveError::Ambiguous { text, moves } => {
            let moves = moves.iter().map(|mv| words!("{mv}", mv));
            let moves = Words::joined("{one} or {other}", moves).map_or(Value::from(""), Value::from);
            words!("'{text}' may be {moves}", text, moves)
        }
    },
    NoMatch(NotationError)
);

/// Reads a move in full, in any notation, or in short: without the source file, without the direction, the piece alone,
/// or only the target square.
pub fn parse(position: &Position, text: &str) -> Result<Move, ShortMoveError> {
    parse_with(position, text, None)
}

/// The same where a notation was chosen: it decides what may be WXF or Vietnamese.
pub fn parse_with(position: &Position, text: &str, chosen: Option<Notation>) -> Result<Move, ShortMoveError> {
    let text = strip_move_number(text);
    let error = match notation::parse_with(position, text, ReadOptions::from(chosen)) {
        Ok(mv) => return Ok(mv),
        Err(error) => error,
    };
    let legal = position.legal_moves();
    let mut fits: Vec<(Move, String)> = Vec::new();
    for (notation, wanted) in detect_notations(text, Letters::of_word(text, chosen)) {
        for &mv in legal.iter().filter(|&&mv| is_short_form(position, mv, notation, &wanted)) {
            if fits.iter().all(|(other, _)| *other != mv) {
                fits.push((mv, notation::format(position, mv, notation)));
            }
        }
    }
    match &fits[..] {
        [] => Err(error.into()),
        [(mv, _)] => Ok(*mv),
        _ => {
            let mut moves: Vec<_> = fits.into_iter().map(|(_, text)| text).collect();
            moves.sort_unstable();
            Err(ShortMoveError::Ambiguous { text: text.to_string(), moves })
        }
    }
}

/// Whether a normalised word is a short form of a move.
fn is_short_form(position: &Position, mv: Move, notation: Notation, word: &str) -> bool {
    if notation.is_relative() {
        RelativeMove::new(position, mv).short_forms(notation).iter().any(|form| form == word)
    } else {
        mv.to().to_string() == word
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_at_start(text: &str) -> Result<String, String> {
        parse(&Position::start(), text).map(|mv| mv.to_string()).map_err(|error| error.to_string())
    }

    #[test]
    fn short_notation_reads_unambiguous_moves() {
        for (mv, texts) in [
            ("h2e2", &["炮二平五", "C2=5", "h2e2", "H2-E2", "c2.5"][..]),
            ("h0g2", &["马进三", "马三", "H+3", "H3", "N3", "n+3"]),
            ("a3a4", &["a4"]),
            ("c3c4", &["兵七"]),
            ("e0e1", &["K"]),
            // Move numbers and full stops.
            ("h2e2", &["炮二平五。", "1. 炮二平五", "12.炮二平五！", "1... C2.5", "3、h2e2", "1 h2e2", "C2.5."]),
        ] {
            texts.iter().for_each(|text| assert_eq!(read_at_start(text).as_deref(), Ok(mv), "{text}"));
        }
        for (text, named) in [("K4", "K4"), ("1.", "")] {
            assert_eq!(read_at_start(text), Err(format!("'{named}' is no legal move in this position")));
        }
    }

    #[test]
    fn short_notation_names_the_candidates_of_ambiguous_moves() {
        let told = |text: &str| read_at_start(text).expect_err("several moves");
        assert_eq!(told("炮五"), "'炮五' may be 炮二平五 or 炮八平五");
        assert_eq!(told("马二"), "'马二' may be 马二进一 or 马二进三");
        assert_eq!(told("相"), "'相' may be 相七进九 or 相七进五 or 相三进一 or 相三进五");
        assert_eq!(told("H2"), "'H2' may be H2+1 or H2+3");
    }
}
