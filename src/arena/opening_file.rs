//! Openings from a file: a FEN or moves on each line, or games in PGN.

use super::openings::Opening;
use crate::board::{FenError, Position};
use crate::record::notation::{self, NotationError};
use crate::record::{decode, pgn};
use crate::rules::Rules;
use std::path::Path;
use thiserror::Error;

/// Why a file gives no openings.
#[derive(Debug, Error)]
pub enum OpeningError {
    /// It cannot be read.
    #[error("{file}: {source}")]
    Read {
        /// The file.
        file: String,
        /// What the system said.
        source: std::io::Error,
    },
    /// A line begins with a position that is none.
    #[error("{file}, line {line}: {source}")]
    Fen {
        /// The file.
        file: String,
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        source: FenError,
    },
    /// A line holds a move that is none.
    #[error("{file}, line {line}: {source}")]
    Move {
        /// The file.
        file: String,
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        source: NotationError,
    },
    /// A game is none.
    #[error("{file}: {source}")]
    Game {
        /// The file.
        file: String,
        /// What is wrong.
        source: pgn::PgnError,
    },
    /// There is nothing in it, or all its games are over before they begin.
    #[error("{0}: no opening in it")]
    Empty(String),
}

/// Reads a file of any of the three kinds. Of games in PGN the first `plies` moves are taken. Openings in which
/// the game is over already are left out.
pub fn read(path: &Path, plies: usize, rules: Rules) -> Result<Vec<Opening>, OpeningError> {
    let file = path.display().to_string();
    let bytes = std::fs::read(path).map_err(|source| OpeningError::Read { file: file.clone(), source })?;
    let text = decode(&bytes);
    let mut openings = if text.lines().any(|line| line.trim_start().starts_with('[')) {
        read_games(&text, plies, &file)?
    } else {
        read_lines(&text, &file)?
    };
    openings.retain(|opening| rules.judge(&opening.position()).ending.is_none());
    if openings.is_empty() { Err(OpeningError::Empty(file)) } else { Ok(openings) }
}

fn read_games(text: &str, plies: usize, file: &str) -> Result<Vec<Opening>, OpeningError> {
    pgn::read(text)
        .into_iter()
        .map(|game| match game {
            Ok(record) => {
                let moves = record.moves.iter().take(plies).map(|entry| entry.mv).collect();
                Ok(Opening { start: record.start, moves })
            }
            Err(source) => Err(OpeningError::Game { file: file.to_string(), source }),
        })
        .collect()
}

fn read_lines(text: &str, file: &str) -> Result<Vec<Opening>, OpeningError> {
    text.lines()
        .enumerate()
        .map(|(index, line)| (index + 1, line.trim()))
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
        .map(|(line, content)| read_line(content, line, file))
        .collect()
}

/// `FEN`, `FEN moves m1 m2 …`, or `m1 m2 …` from the start position.
fn read_line(content: &str, line: usize, file: &str) -> Result<Opening, OpeningError> {
    let (start, moves) = if content.contains('/') {
        let (fen, moves) = content.split_once(" moves ").unwrap_or((content, ""));
        let start = Position::from_fen(fen).map_err(|source| OpeningError::Fen {
            file: file.to_string(),
            line,
            source,
        })?;
        (start, moves)
    } else {
        (Position::start(), content)
    };
    let mut position = start.clone();
    let mut read = Vec::new();
    for word in moves.split_whitespace() {
        let mv = notation::read(&position, word).map_err(|source| OpeningError::Move {
            file: file.to_string(),
            line,
            source,
        })?;
        position.make(mv);
        read.push(mv);
    }
    Ok(Opening { start, moves: read })
}
