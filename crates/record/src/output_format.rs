//! The output formats of games.

use super::encoding::Encoding;
use super::game::Game;
use super::notation::Notation;
use super::piece_slots::PieceCountError;
use super::{fen_list, pgn, ubb, xqf};
use std::fmt;
use std::path::Path;
use std::str::FromStr;
use xiangqi::{worded_error, words};

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
