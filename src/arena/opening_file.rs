//! Openings from a file: a position (FEN or EPD) or moves on each line, games in PGN, or an opening book.

use super::openings::Opening;
use chuhe_engine::board::Position;
use chuhe_engine::files::{At, FileError};
use chuhe_engine::language::tr;
use chuhe_engine::rules::Rules;
use chuhe_toolkit::book::{self, OpenError, ProbeError};
use chuhe_toolkit::record::{Fault, Ranks, Setup, SetupError, decode, pgn};
use std::path::Path;
use thiserror::Error;

/// Why a file gives no openings.
#[derive(Debug, Error)]
pub enum OpeningError {
    /// It cannot be read.
    #[error(transparent)]
    Read(#[from] FileError),
    /// A line holds no position, or a move that is none.
    #[error("{}", tr!("{file}, line {line}: {source}", file, line, source))]
    Line {
        file: String,
        /// The line, from 1.
        line: usize,
        source: SetupError,
    },
    /// A game is none.
    #[error(transparent)]
    Game(#[from] FileError<Fault>),
    /// A book is none.
    #[error(transparent)]
    Book(#[from] OpenError),
    /// A book does not answer.
    #[error(transparent)]
    Probe(#[from] ProbeError),
    /// There is nothing in it, or all its games are over before they begin.
    #[error("{}", tr!("{file}: no opening in it", file = _0))]
    Empty(String),
}

/// Reads a file of any of the three kinds. Of games in PGN the first `plies` moves are taken. Openings in which
/// the game is over already are left out.
pub fn read(path: &Path, plies: usize, rules: Rules) -> Result<Vec<Opening>, OpeningError> {
    let file = path.display().to_string();
    let bytes = std::fs::read(path).at(path)?;
    let text = decode(&bytes);
    let mut openings = if text.lines().any(is_of_a_game) {
        read_games(&text, plies, path)?
    } else {
        read_lines(&text, &file)?
    };
    openings.retain(|opening| rules.judge(&opening.position()).ending.is_none());
    if openings.is_empty() { Err(OpeningError::Empty(file)) } else { Ok(openings) }
}

/// The most positions of a book that games begin from.
const MOST: usize = 20_000;

/// The positions that a book leads to in so many plies.
pub fn of_book(path: &Path, plies: usize) -> Result<Vec<Opening>, OpeningError> {
    let lines = book::openings(&*book::open(path)?, plies, MOST)?;
    if lines.is_empty() {
        return Err(OpeningError::Empty(path.display().to_string()));
    }
    Ok(lines.into_iter().map(|moves| Opening { start: Position::start(), moves }).collect())
}

/// Whether a line can only be one of a game in PGN: a tag, or moves with their number.
fn is_of_a_game(line: &str) -> bool {
    let line = line.trim_start_matches(|letter: char| letter.is_whitespace() || letter == '\u{FEFF}');
    line.starts_with('[') || line.strip_prefix('1').is_some_and(|rest| rest.starts_with(['.', '。', '、']))
}

fn read_games(text: &str, plies: usize, path: &Path) -> Result<Vec<Opening>, OpeningError> {
    pgn::read(text)
        .into_iter()
        .map(|game| {
            let record = game.at(path)?;
            let moves = record.played().take(plies).map(|node| node.mv()).collect();
            Ok(Opening { start: record.start().clone(), moves })
        })
        .collect()
}

fn read_lines(text: &str, file: &str) -> Result<Vec<Opening>, OpeningError> {
    text.lines()
        .enumerate()
        .map(|(index, line)| {
            (index + 1, line.trim_matches(|letter: char| letter.is_whitespace() || letter == '\u{FEFF}'))
        })
        .filter(|(_, line)| !line.is_empty() && !line.starts_with(['#', ';', '%']))
        .map(|(line, content)| read_line(content, line, file))
        .collect()
}

fn read_line(content: &str, line: usize, file: &str) -> Result<Opening, OpeningError> {
    let setup = Setup::of_line(content);
    let read = || {
        let start = setup.start(false)?;
        let moves = setup.play(&mut start.clone(), Ranks::FromZero)?;
        Ok(Opening { start, moves })
    };
    read().map_err(|source| OpeningError::Line { file: file.to_string(), line, source })
}
