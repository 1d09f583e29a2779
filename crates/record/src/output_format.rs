//! The output formats of games.

use super::encoding::Encoding;
use super::game::Game;
use super::notation::Notation;
use super::raw_board::PieceCountError;
use super::{fen_list, pgn, ubb, xqf};
use chuhe_base::language::tr;
use std::fmt;
use std::path::Path;
use std::str::FromStr;
use thiserror::Error;

/// A format that can be written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
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
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{}", tr!("games are written as pgn, xqf, ubb or fen, not as '{text}'", text = _0))]
pub struct OutputFormatError(String);

impl Target {
    /// All formats.
    pub const ALL: [Target; 4] = [Target::Pgn, Target::Xqf, Target::Ubb, Target::Fen];

    /// The file extension, which is also the name of the format.
    pub fn extension(self) -> &'static str {
        match self {
            Target::Pgn => "pgn",
            Target::Xqf => "xqf",
            Target::Ubb => "ubb",
            Target::Fen => "fen",
        }
    }

    /// The format by the file extension; `None` if the extension is not that of a game format. Read-only formats are an
    /// error.
    pub fn from_path(file: &Path) -> Result<Option<Target>, OutputFormatError> {
        let extension = file.extension().unwrap_or_default().to_string_lossy().to_lowercase();
        match extension.as_str() {
            "wxf" | "cbr" | "cbl" | "cbf" => Err(OutputFormatError(extension)),
            _ => Ok(extension.parse().ok()),
        }
    }

    /// Encodes a game.
    pub fn write(self, game: &Game, notation: Notation, encoding: Encoding) -> Result<Vec<u8>, PieceCountError> {
        let text = match self {
            Target::Xqf => return xqf::write(game),
            Target::Pgn => pgn::write(game, notation),
            Target::Ubb => ubb::write(game)?,
            Target::Fen => fen_list::write(game),
        };
        Ok(encoding.encode(&text).into_owned())
    }

    /// The tags that are too long for the format and get truncated.
    pub fn truncated_tags(self, game: &Game) -> Vec<&'static str> {
        if self == Target::Xqf { xqf::truncated_tags(game) } else { Vec::new() }
    }

    /// The tags for which XQF or UBB has no place, and which are left out; lists of FENs hold none at all.
    pub fn dropped_tags(self, game: &Game) -> Vec<String> {
        // What the game itself says.
        const IMPLIED: [&str; 6] = ["Result", "FEN", "SetUp", "Format", "Game", "Variant"];
        let has_place = |name: &str| match self {
            Target::Xqf => xqf::has_field(name),
            Target::Ubb => ubb::has_field(name),
            Target::Pgn | Target::Fen => true,
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

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.extension())
    }
}

impl FromStr for Target {
    type Err = OutputFormatError;

    fn from_str(text: &str) -> Result<Target, OutputFormatError> {
        let named = Target::ALL.into_iter().find(|target| target.extension().eq_ignore_ascii_case(text));
        named.ok_or_else(|| OutputFormatError(text.chars().take(16).collect()))
    }
}
