//! The content of a record file of any format, which is detected.

use super::encoding::{decode, decode_owned};
use super::record_error::{ParsedGame, RecordError};
use super::tokenizer::begins_with_tag;
use super::{cbf, cbr, fen_list, free_text, pgn, ubb, wxf_file, xqf};
use std::collections::VecDeque;
use std::fmt;
use xiangqi::{worded_error, words};

/// A record format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum RecordFormat {
    /// Portable Game Notation, in all dialects.
    Pgn,
    /// XQStudio.
    Xqf,
    /// DhtmlXQ text of forums and web pages.
    Ubb,
    /// Positions with moves, one per line.
    Fen,
    /// The format of the World Xiangqi Federation and of PlayOK.
    Wxf,
    /// A single game of 象棋桥.
    Cbr,
    /// A library of 象棋桥.
    Cbl,
    /// The XML format of 象棋桥.
    Cbf,
    /// Moves as people write them, with other text around them.
    Text,
}

impl fmt::Display for RecordFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            RecordFormat::Pgn => "PGN",
            RecordFormat::Xqf => "XQF",
            RecordFormat::Ubb => "UBB",
            RecordFormat::Fen => "FEN",
            RecordFormat::Wxf => "WXF",
            RecordFormat::Cbr => "CBR",
            RecordFormat::Cbl => "CBL",
            RecordFormat::Cbf => "CBF",
            RecordFormat::Text => "text",
        })
    }
}

/// Why a file yields no game.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum RecordFileError {
    /// Unknown content.
    NoGame,
    /// The file holds fewer games.
    TooFew {
        /// The requested number.
        number: i64,
        /// The number of games in the file.
        count: i64,
    },
    /// The game is invalid from its start.
    Game(RecordError),
}

worded_error!(
    RecordFileError,
    |error| match error {
        RecordFileError::NoGame => {
            words!("expected a game (PGN, XQF, UBB, FEN, WXF, CBR, CBL, CBF or moves as text), found none")
        }
        RecordFileError::TooFew { number, count } =>
            words!("there is no game {number}: it holds {count}", number, count),
        RecordFileError::Game(error) => error.words(),
    },
    Game(RecordError)
);

/// One in this many characters of a text may be noise.
const MAX_NOISE_RATIO: usize = 50;

/// So many bytes tell rubbish from text.
const TEXT_SAMPLE: usize = 1 << 16;

/// The content of a file.
#[derive(Clone, Debug)]
enum FileContent {
    Bytes(Vec<u8>),
    Text(String),
}

/// A record file whose format has been detected.
#[derive(Clone, Debug)]
pub struct RecordFile {
    format: RecordFormat,
    content: FileContent,
}

/// An iterator over the games of a file.
pub type ParsedGames<'a> = Box<dyn Iterator<Item = Result<ParsedGame, RecordError>> + 'a>;

impl RecordFile {
    /// Detects the format of a file's bytes. Whatever no other format claims is text, in any of the usual encodings.
    pub fn read(bytes: impl Into<Vec<u8>>) -> RecordFile {
        let bytes = bytes.into();
        let binary = if bytes.starts_with(b"XQ") && bytes.get(2).is_some_and(|&version| version < 0x20) {
            Some(RecordFormat::Xqf)
        } else if bytes.starts_with(cbr::GAME_MAGIC) {
            Some(RecordFormat::Cbr)
        } else if bytes.starts_with(cbr::MAGIC) {
            Some(RecordFormat::Cbl)
        } else {
            None
        };
        match binary {
            Some(format) => RecordFile { format, content: FileContent::Bytes(bytes) },
            // A large file that begins with rubbish is not decoded as a whole.
            None if bytes.len() > TEXT_SAMPLE && !is_plausible_text(&decode(&bytes[..TEXT_SAMPLE])) => {
                RecordFile { format: RecordFormat::Text, content: FileContent::Text(String::new()) }
            }
            None => {
                let text = decode_owned(bytes);
                let format = detect_text_format(&text);
                let is_rubbish = format == RecordFormat::Text && !is_plausible_text(&text);
                RecordFile { format, content: FileContent::Text(if is_rubbish { String::new() } else { text }) }
            }
        }
    }

    /// The detected format.
    pub fn format(&self) -> RecordFormat {
        self.format
    }

    /// The game with this number, from 1, or from -1 backwards from the end, as far as it is valid.
    pub fn game(&self, number: i64) -> Result<ParsedGame, RecordFileError> {
        // From the end: keep as many as may be the requested one.
        let mut last = VecDeque::new();
        let mut count = 0;
        for parsed in self.games() {
            count += 1;
            last.push_back(parsed);
            if number > 0 && count == number {
                break;
            }
            if number > 0 || last.len() as u64 > number.unsigned_abs() {
                last.pop_front();
            }
        }
        match last.pop_front().filter(|_| count >= number.abs()) {
            Some(parsed) => Ok(parsed?),
            None if count == 0 => Err(RecordFileError::NoGame),
            None => Err(RecordFileError::TooFew { number, count }),
        }
    }

    /// The games, each as far as it is valid, without control characters in their texts.
    pub fn games(&self) -> ParsedGames<'_> {
        Box::new(self.parsed_games().map(|parsed| parsed.map(ParsedGame::sanitized)))
    }

    fn parsed_games(&self) -> ParsedGames<'_> {
        match (&self.content, self.format) {
            (FileContent::Bytes(bytes), RecordFormat::Xqf) => Box::new(std::iter::once(xqf::read(bytes))),
            (FileContent::Bytes(bytes), RecordFormat::Cbr) => Box::new(std::iter::once(cbr::read(bytes))),
            (FileContent::Bytes(bytes), _) => cbr::library_games(bytes),
            (FileContent::Text(text), RecordFormat::Pgn) => Box::new(pgn::games(text)),
            (FileContent::Text(text), RecordFormat::Ubb) => Box::new(ubb::games(text)),
            (FileContent::Text(text), RecordFormat::Fen) => Box::new(fen_list::games(text)),
            (FileContent::Text(text), RecordFormat::Wxf) => Box::new(wxf_file::games(text)),
            (FileContent::Text(text), RecordFormat::Cbf) => Box::new(std::iter::once(cbf::read(text))),
            (FileContent::Text(text), _) => Box::new(free_text::games(text)),
        }
    }
}

/// Whether the text is plausible: binary data contains characters that do not occur in text.
fn is_plausible_text(text: &str) -> bool {
    let is_noise =
        |letter: &char| letter.is_control() && !letter.is_whitespace() || *letter == char::REPLACEMENT_CHARACTER;
    let noise = text.chars().filter(is_noise).count();
    noise * MAX_NOISE_RATIO <= text.chars().count()
}

/// Detects the format of a text.
fn detect_text_format(text: &str) -> RecordFormat {
    let is_blank = |letter: char| letter.is_whitespace() || letter == '\u{FEFF}';
    let mut lines = text.lines().map(|line| line.trim_matches(is_blank)).filter(|line| !line.is_empty());
    let is_tag = |line: &str| {
        let name = line.strip_prefix('[').and_then(|line| line.trim_start().split_once(' '));
        name.is_some_and(|(name, value)| name.starts_with(char::is_alphabetic) && value.trim_start().starts_with('"'))
    };
    let first = lines.clone().find(|line| !line.starts_with(['#', ';', '%'])).unwrap_or_default();
    if begins_with_tag(first) {
        // Checked before the others, whatever its comments contain.
        RecordFormat::Pgn
    } else if text.contains("[DhtmlXQ") {
        RecordFormat::Ubb
    } else if first.starts_with('<') && text.contains(cbf::ROOT_ELEMENT) {
        RecordFormat::Cbf
    } else if wxf_file::is_wxf(text) {
        RecordFormat::Wxf
    } else if lines.any(is_tag) {
        RecordFormat::Pgn
    } else if fen_list::looks_like_fen(first) && !text.lines().any(|line| line.trim_start().starts_with("1.")) {
        RecordFormat::Fen
    } else if first.starts_with("1.")
        && pgn::games(text).all(|game| game.and_then(ParsedGame::into_game_with_main_line).is_ok())
    {
        // Games without tags.
        RecordFormat::Pgn
    } else {
        RecordFormat::Text
    }
}
