//! Writes moves, and names pieces as moves do.

use super::chinese::normalize_chinese;
use super::relative_move::RelativeMove;
use std::fmt;
use std::str::FromStr;
use xiangqi::{Move, PieceKind, Position, Square, worded_error, words};

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
    /// `P2-5`: the Vietnamese notation.
    Vietnamese,
}

impl Notation {
    /// All notations.
    pub const ALL: [Notation; 5] =
        [Notation::Iccs, Notation::Uci, Notation::Wxf, Notation::Chinese, Notation::Vietnamese];

    /// Whether it writes a piece, its file and where it goes, and no squares.
    pub(crate) fn is_relative(self) -> bool {
        matches!(self, Notation::Wxf | Notation::Chinese | Notation::Vietnamese)
    }
}

impl fmt::Display for Notation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Notation::Iccs => "ICCS",
            Notation::Uci => "UCI",
            Notation::Wxf => "WXF",
            Notation::Chinese => "Chinese",
            Notation::Vietnamese => "Vietnamese",
        })
    }
}

/// An unknown notation name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseNotationError(pub String);

worded_error!(ParseNotationError, |error| words!(
    "'{text}' is no notation: expected ICCS, UCI, WXF, Chinese or Vietnamese",
    text = &error.0
));

impl FromStr for Notation {
    type Err = ParseNotationError;

    fn from_str(text: &str) -> Result<Notation, ParseNotationError> {
        Notation::ALL
            .into_iter()
            .find(|notation| notation.to_string().eq_ignore_ascii_case(text))
            .ok_or_else(|| ParseNotationError(text.chars().take(16).collect()))
    }
}

/// Writes a legal move.
pub fn format(position: &Position, mv: Move, notation: Notation) -> String {
    match notation {
        Notation::Iccs => {
            let text = mv.to_string().to_ascii_uppercase();
            format!("{}-{}", &text[..2], &text[2..])
        }
        Notation::Uci => mv.to_string(),
        Notation::Wxf | Notation::Chinese | Notation::Vietnamese => RelativeMove::new(position, mv).text(notation),
    }
}

/// How a notation calls a piece that stands here, as its moves begin: `炮二` or `C2`; `None` if it names squares alone.
pub fn piece_name(position: &Position, square: Square, notation: Notation) -> Option<String> {
    if !notation.is_relative() {
        return None;
    }
    let mut position = position.clone();
    if position.piece_at(square).is_none_or(|piece| piece.color() != position.side()) {
        position.play_null();
    }
    Some(sideways(&position, square).head(notation))
}

/// What a file names, as `马二` does: the pieces of the side to move, as moves begin that name their file.
pub(crate) fn names_by_file(position: &Position, notation: Notation) -> Vec<(PieceKind, String)> {
    let name = |(kind, from): (PieceKind, Square)| {
        let name = sideways(position, from).by_file().head(notation);
        (kind, if notation == Notation::Chinese { normalize_chinese(&name) } else { name })
    };
    position.pieces(position.side()).map(name).collect()
}

/// A move of a piece, legal or not, for what it says of the piece.
fn sideways(position: &Position, from: Square) -> RelativeMove {
    let beside = Square::all().find(|to| to.rank() == from.rank() && *to != from).unwrap_or(from);
    RelativeMove::new(position, Move::new(from, beside))
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
