//! A file of games in any format: which one it is, said by its content, and what it holds.

use super::encoding::decode;
use super::fault::{Fault, Reading};
use super::tokens::begins_with_tag;
use super::{cbf, cbr, fen_list, pasted, pgn, ubb, wxf, xqf};
use chuhe_engine::files::{At, FileError, shown};
use chuhe_engine::language::tr;
use std::collections::VecDeque;
use std::fmt;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// A format of games.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// Portable game notation, in all its dialects.
    Pgn,
    Xqf,
    /// DhtmlXQ text, of forums and web pages.
    Ubb,
    /// Positions with moves, one on each line.
    Fen,
    /// The World Xiangqi Federation's, and PlayOK's.
    Wxf,
    /// 象棋桥's for one game.
    Cbr,
    /// 象棋桥's for a library.
    Cbl,
    Cbf,
    Text,
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Format::Pgn => "PGN",
            Format::Xqf => "XQF",
            Format::Ubb => "UBB",
            Format::Fen => "FEN",
            Format::Wxf => "WXF",
            Format::Cbr => "CBR",
            Format::Cbl => "CBL",
            Format::Cbf => "CBF",
            Format::Text => "text",
        })
    }
}

/// Why there is no game.
#[derive(Debug, Error)]
pub enum SourceError {
    /// The file cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// It holds nothing that is known.
    #[error("{}", tr!("{path}: expected a game (PGN, XQF, UBB, FEN, WXF, CBR, CBL, CBF or moves as text), found none", path = shown(_0)))]
    NoGame(PathBuf),
    /// There are fewer games in it.
    #[error("{}", tr!("{file}: there is no game {number}: it holds {count}", file = shown(file), number, count))]
    TooFew {
        file: PathBuf,
        /// The number that was asked for.
        number: i64,
        /// How many there are.
        count: i64,
    },
    /// The game has nothing that could be shown.
    #[error(transparent)]
    Game(#[from] FileError<Fault>),
}

/// Of so many letters of a text, one may be noise.
const MOST_NOISE: usize = 50;

/// What a file holds.
enum Content {
    Bytes(Vec<u8>),
    Text(String),
}

/// A file of games whose format is known.
pub struct Source {
    format: Format,
    content: Content,
}

/// The games of a source, one by one.
pub type Readings<'a> = Box<dyn Iterator<Item = Result<Reading, Fault>> + 'a>;

impl Source {
    /// What these bytes are. Everything that nothing else claims is text.
    pub fn new(bytes: Vec<u8>) -> Source {
        let binary = if bytes.starts_with(b"XQ") && bytes.get(2).is_some_and(|&version| version < 0x20) {
            Some(Format::Xqf)
        } else if bytes.starts_with(cbr::GAME_MAGIC) {
            Some(Format::Cbr)
        } else if bytes.starts_with(cbr::MAGIC) {
            Some(Format::Cbl)
        } else {
            None
        };
        match binary {
            Some(format) => Source { format, content: Content::Bytes(bytes) },
            None => {
                let text = decode(&bytes);
                let format = format_of_text(&text);
                let is_rubbish = format == Format::Text && !is_written(&text);
                Source { format, content: Content::Text(if is_rubbish { String::new() } else { text }) }
            }
        }
    }

    /// The bytes of a file.
    pub fn open(file: &Path) -> Result<Source, SourceError> {
        Ok(Source::new(std::fs::read(file).at(file)?))
    }

    pub fn format(&self) -> Format {
        self.format
    }

    /// The game of this number, from 1, or from the end back from -1, as far as it is sound; `file` is what messages call
    /// it.
    pub fn game(&self, file: &Path, number: i64) -> Result<Reading, SourceError> {
        let path = || file.to_path_buf();
        // From the end, as many as may be the one are kept.
        let mut last = VecDeque::new();
        let mut count = 0;
        for reading in self.games() {
            count += 1;
            last.push_back(reading);
            if number > 0 && count == number {
                break;
            }
            if number > 0 || last.len() as u64 > number.unsigned_abs() {
                last.pop_front();
            }
        }
        match last.pop_front().filter(|_| count >= number.abs()) {
            Some(reading) => Ok(reading.at(file)?),
            None if count == 0 => Err(SourceError::NoGame(path())),
            None => Err(SourceError::TooFew { file: path(), number, count }),
        }
    }

    /// Its games, each as far as it is sound, and with nothing in its texts that a terminal would obey.
    pub fn games(&self) -> Readings<'_> {
        Box::new(self.readings().map(|reading| reading.map(Reading::printable)))
    }

    fn readings(&self) -> Readings<'_> {
        match (&self.content, self.format) {
            (Content::Bytes(bytes), Format::Xqf) => Box::new(std::iter::once(xqf::read(bytes))),
            (Content::Bytes(bytes), Format::Cbr) => Box::new(std::iter::once(cbr::read(bytes))),
            (Content::Bytes(bytes), _) => Box::new(cbr::read_library(bytes).into_iter()),
            (Content::Text(text), Format::Pgn) => Box::new(pgn::games(text)),
            (Content::Text(text), Format::Ubb) => Box::new(ubb::read(text).into_iter()),
            (Content::Text(text), Format::Fen) => Box::new(fen_list::read(text).into_iter()),
            (Content::Text(text), Format::Wxf) => Box::new(wxf::read(text).into_iter()),
            (Content::Text(text), Format::Cbf) => Box::new(std::iter::once(cbf::read(text))),
            (Content::Text(text), _) => Box::new(pasted::read(text).into_iter()),
        }
    }
}

/// Whether somebody wrote this text: a picture, a program or noise has signs in it that nobody writes.
fn is_written(text: &str) -> bool {
    let is_noise = |letter: &char| {
        letter.is_control() && !letter.is_whitespace() || *letter == char::REPLACEMENT_CHARACTER
    };
    let noise = text.chars().filter(is_noise).count();
    noise * MOST_NOISE <= text.chars().count()
}

/// What a text is.
fn format_of_text(text: &str) -> Format {
    let is_blank = |letter: char| letter.is_whitespace() || letter == '\u{FEFF}';
    let mut lines = text.lines().map(|line| line.trim_matches(is_blank)).filter(|line| !line.is_empty());
    let is_tag = |line: &str| {
        let name = line.strip_prefix('[').and_then(|line| line.trim_start().split_once(' '));
        name.is_some_and(|(name, value)| {
            name.starts_with(char::is_alphabetic) && value.trim_start().starts_with('"')
        })
    };
    let first = lines.clone().find(|line| !line.starts_with(['#', ';', '%'])).unwrap_or_default();
    if begins_with_tag(first) {
        // Whatever its comments may look like.
        Format::Pgn
    } else if text.contains("[DhtmlXQ") {
        Format::Ubb
    } else if first.starts_with('<') && text.contains(cbf::ROOT) {
        Format::Cbf
    } else if wxf::is_one(text) {
        Format::Wxf
    } else if lines.any(is_tag) {
        Format::Pgn
    } else if fen_list::is_position(first) && !text.lines().any(|line| line.trim_start().starts_with("1.")) {
        Format::Fen
    } else if first.starts_with("1.") && pgn::read(text).iter().all(Result::is_ok) {
        // Games without tags, one behind the other.
        Format::Pgn
    } else {
        Format::Text
    }
}
