//! The output formats of games.

use super::encoding::Encoding;
use super::game::Game;
use super::notation::Notation;
use super::record_error::RecordErrorKind;
use super::{fen_list, pgn, ubb, xqf};
use std::fmt;
use std::path::Path;
use std::str::FromStr;
use xiangqi::fen::FenError;
use xiangqi::{Color, Move, Piece, PieceKind, Position, Setup, Square, worded_error, words};

/// A format that can be written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum OutputFormat {
    /// Portable Game Notation.
    Pgn,
    /// XQStudio, version 10.
    Xqf,
    /// DhtmlXQ text, used by forums.
    Ubb,
    /// One line per game: start position and main line.
    Fen,
}

/// A text that is not an output format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutputFormatError(pub String);

worded_error!(OutputFormatError, |error| words!(
    "games are written as pgn, xqf, ubb or fen, not as '{text}'",
    text = &error.0
));

impl OutputFormat {
    /// All formats.
    pub const ALL: [OutputFormat; 4] = [OutputFormat::Pgn, OutputFormat::Xqf, OutputFormat::Ubb, OutputFormat::Fen];

    /// The file extension, which is also the name of the format.
    pub fn extension(self) -> &'static str {
        match self {
            OutputFormat::Pgn => "pgn",
            OutputFormat::Xqf => "xqf",
            OutputFormat::Ubb => "ubb",
            OutputFormat::Fen => "fen",
        }
    }

    /// The format by the file extension; `None` without one, or with that of plain text. Other extensions are an error,
    /// those of formats that are only read among them.
    pub fn from_path(file: &Path) -> Result<Option<OutputFormat>, OutputFormatError> {
        let extension = file.extension().unwrap_or_default().to_string_lossy().to_lowercase();
        match extension.as_str() {
            "" | "txt" => Ok(None),
            _ => extension.parse().map(Some),
        }
    }

    /// Encodes a game.
    pub fn write(self, game: &Game, notation: Notation, encoding: Encoding) -> Result<Vec<u8>, PieceCountError> {
        let text = match self {
            OutputFormat::Xqf => return xqf::write(game),
            OutputFormat::Pgn => pgn::write(game, notation),
            OutputFormat::Ubb => ubb::write(game)?,
            OutputFormat::Fen => fen_list::write(game),
        };
        Ok(encoding.encode(&text).into_owned())
    }

    /// The tags that are too long for the format and get truncated.
    pub fn truncated_tags(self, game: &Game) -> Vec<&'static str> {
        if self == OutputFormat::Xqf { xqf::truncated_tags(game) } else { Vec::new() }
    }

    /// The tags for which XQF or UBB has no place, and which are left out; lists of FENs hold none at all.
    pub fn dropped_tags(self, game: &Game) -> Vec<String> {
        // What the game itself says.
        const IMPLIED: [&str; 6] = ["Result", "FEN", "SetUp", "Format", "Game", "Variant"];
        let has_place = |name: &str| match self {
            OutputFormat::Xqf => xqf::has_field(name),
            OutputFormat::Ubb => ubb::has_field(name),
            OutputFormat::Pgn | OutputFormat::Fen => true,
        };
        // Programs for chess call red white.
        let as_red = |name: &str| name.strip_prefix("White").map(|rest| format!("Red{rest}"));
        let is_kept = |name: &str| {
            IMPLIED.iter().any(|implied| implied.eq_ignore_ascii_case(name))
                || has_place(name)
                || as_red(name).is_some_and(|name| has_place(&name))
        };
        let said = game.tags.iter().filter(|(_, value)| !matches!(value.trim(), "" | "?" | "????.??.??"));
        said.filter(|(name, _)| !is_kept(name)).map(|(name, _)| name.clone()).collect()
    }
}

impl fmt::Display for OutputFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.extension())
    }
}

impl FromStr for OutputFormat {
    type Err = OutputFormatError;

    fn from_str(text: &str) -> Result<OutputFormat, OutputFormatError> {
        let named = OutputFormat::ALL.into_iter().find(|target| target.extension().eq_ignore_ascii_case(text));
        named.ok_or_else(|| OutputFormatError(text.chars().take(16).collect()))
    }
}

// Boards as lists of pieces, the form of the older formats.

/// The pieces of a side in the order of those formats; red's come first.
const SIDE: [PieceKind; 16] = {
    use PieceKind::{Advisor, Bishop, Cannon, Horse, King, Pawn, Rook};
    [
        Rook, Horse, Bishop, Advisor, King, Advisor, Bishop, Horse, Rook, //
        Cannon, Cannon, Pawn, Pawn, Pawn, Pawn, Pawn,
    ]
};

/// The position has more pieces of a kind than the format can hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PieceCountError {
    /// The piece that is too many.
    pub piece: Piece,
    /// Its square.
    pub square: Square,
}

worded_error!(PieceCountError, |error| words!(
    "there is no place in this format for a {piece} on {square}: a set has no more of them",
    piece = &error.piece,
    square = &error.square
));

fn slots() -> impl Iterator<Item = Piece> {
    Color::ALL.into_iter().flat_map(|color| SIDE.map(|kind| Piece::new(color, kind)))
}

/// A board from the squares of the pieces; `None` = the piece is absent.
pub fn read(squares: impl IntoIterator<Item = Option<Square>>) -> Setup {
    let mut setup = Setup::empty();
    for (piece, square) in slots().zip(squares) {
        if let Some(square) = square {
            setup.place(piece, square);
        }
    }
    setup
}

/// The start position. The piece of the first move gives the side to move, because headers are unreliable.
pub fn start(mut setup: Setup, first: Option<Move>, header_side: Color) -> Result<Position, RecordErrorKind> {
    let mover = first.and_then(|mv| setup.piece_at(mv.from()));
    setup.side = mover.map_or(header_side, Piece::color);
    Ok(Position::try_from(setup).map_err(FenError::from)?)
}

/// The squares of the pieces.
pub fn write(position: &Position) -> Result<[Option<Square>; 32], PieceCountError> {
    let mut squares = [None; 32];
    let mut pieces: Vec<(Piece, Square)> = Setup::from(position).pieces().collect();
    pieces.sort_unstable_by_key(|(_, square)| (square.file(), square.rank()));
    for (piece, square) in pieces {
        let free = slots().zip(&mut squares).find(|(slot, taken)| *slot == piece && taken.is_none());
        let (_, slot) = free.ok_or(PieceCountError { piece, square })?;
        *slot = Some(square);
    }
    Ok(squares)
}
