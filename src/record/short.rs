//! Moves in short, as people type them: `C5` or `炮五` for `C2.5` and `炮二平五`, `e2` for `h2e2`, as long as one move
//! alone can be meant.

use super::notation::{self, Notation, NotationError, unify_chinese, wxf_sign};
use crate::board::Position;
use crate::types::Move;
use thiserror::Error;

/// Why a text is no move.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ShortError {
    /// No legal move is written so, nor in short.
    #[error(transparent)]
    None(#[from] NotationError),
    /// More than one is.
    #[error("'{text}' may be {}", moves.join(" or "))]
    Several {
        /// What was read.
        text: String,
        /// The moves in full, in the notation of the text.
        moves: Vec<String>,
    },
}

/// Reads a move in full, in any notation, or in short: without the file that the piece leaves, without the direction, or
/// nothing but the square that it goes to.
pub fn read(position: &Position, text: &str) -> Result<Move, ShortError> {
    let error = match notation::read(position, text) {
        Ok(mv) => return Ok(mv),
        Err(error) => error,
    };
    let (notation, wanted) = shape(text);
    let legal = position.legal_moves();
    let fits: Vec<Move> =
        legal.moves().filter(|&mv| forms(position, mv, notation).contains(&wanted)).collect();
    match fits[..] {
        [] => Err(error.into()),
        [mv] => Ok(mv),
        _ => {
            let mut moves: Vec<_> = fits.iter().map(|&mv| notation::write(position, mv, notation)).collect();
            moves.sort();
            Err(ShortError::Several { text: text.to_string(), moves })
        }
    }
}

/// What notation a text looks like, and how it is compared.
fn shape(text: &str) -> (Notation, String) {
    let is_square =
        matches!(text.as_bytes(), [file, rank] if (b'a'..=b'i').contains(file) && rank.is_ascii_digit());
    if is_square {
        (Notation::Uci, text.to_string())
    } else if text.is_ascii() {
        (Notation::Wxf, text.chars().map(|sign| wxf_sign(sign.to_ascii_uppercase())).collect())
    } else {
        (Notation::Chinese, unify_chinese(text))
    }
}

/// The short forms of a move.
fn forms(position: &Position, mv: Move, notation: Notation) -> Vec<String> {
    let full = notation::write(position, mv, notation);
    let pieces = match notation {
        Notation::Wxf => "KAEHRCP",
        Notation::Chinese => "帅仕相马车炮兵",
        Notation::Uci | Notation::Iccs => return vec![mv.to().to_string()],
    };
    let signs: Vec<char> =
        if notation == Notation::Chinese { unify_chinese(&full) } else { full }.chars().collect();
    let Some(&piece) = signs.iter().find(|sign| pieces.contains(**sign)) else { return Vec::new() };
    let [.., direction, number] = signs[..] else { return Vec::new() };
    vec![[piece, direction, number].iter().collect(), [piece, number].iter().collect()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_at_start(text: &str) -> Result<String, String> {
        read(&Position::start(), text).map(|mv| mv.to_string()).map_err(|error| error.to_string())
    }

    #[test]
    fn what_one_move_alone_can_mean_is_understood() {
        let one = |text: &str, expected: &str| {
            assert_eq!(read_at_start(text).as_deref(), Ok(expected), "{text}");
        };
        for text in ["炮二平五", "C2=5", "h2e2", "H2-E2", "c2.5"] {
            one(text, "h2e2");
        }
        for text in ["马进三", "马三", "H+3", "H3", "N3", "n+3"] {
            one(text, "h0g2");
        }
        one("a4", "a3a4");
        assert_eq!(read_at_start("K5"), Err("'K5' is no legal move in this position".to_string()));
    }

    #[test]
    fn what_may_mean_several_names_them() {
        assert_eq!(read_at_start("炮五"), Err("'炮五' may be 炮二平五 or 炮八平五".to_string()));
    }
}
