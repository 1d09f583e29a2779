//! A mate problem as a line: moves to mate; position; the first move, if it is unique.

use chuhe_support::files::{At, FileError, MAX_INPUT_SIZE, read_input};
use chuhe_support::language::tr;
use std::fmt;
use std::path::{Path, PathBuf};
use thiserror::Error;
use xiangqi::{Position, fen::FenError};
use xiangqi_record::decode;

/// A mate in this number of moves.
pub struct MateProblem {
    /// Moves of the side to move.
    pub moves: u32,
    /// It is proven that there is no shorter mate. Otherwise the number is written `<=N`.
    pub is_shortest: bool,
    pub position: Position,
    /// The only first move that mates as fast, as written in the file; empty if there are several.
    pub key_move: String,
}

/// What is wrong with a file of problems.
#[derive(Debug, Error)]
pub enum ProblemError {
    #[error(transparent)]
    Io(#[from] FileError),
    #[error("{}", tr!("{file}, line {line}: expected 'moves; position; first move'", file = file.display(), line))]
    Line { file: PathBuf, line: usize },
    #[error("{}", tr!("{file}, line {line}: {source}", file = file.display(), line, source))]
    Position { file: PathBuf, line: usize, source: FenError },
}

impl fmt::Display for MateProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bound = if self.is_shortest { "" } else { "<=" };
        write!(f, "{bound}{};{};{}", self.moves, self.position.fen(), self.key_move)
    }
}

/// Reads a file of problems.
pub fn read(file: &Path) -> Result<Vec<MateProblem>, ProblemError> {
    let begins_well = |head: &[u8]| {
        let whole = head.iter().rposition(|&byte| byte == b'\n').unwrap_or(0);
        whole > 0 && parse(file, &head[..whole]).is_ok()
    };
    parse(file, &read_input(file, MAX_INPUT_SIZE, begins_well).at(file)?)
}

fn parse(file: &Path, bytes: &[u8]) -> Result<Vec<MateProblem>, ProblemError> {
    // Decoded like games: an editor may have added a byte order mark, or comments in another encoding.
    let text = decode(bytes);
    let lines = text.lines().enumerate().map(|(index, line)| (index + 1, line.trim()));
    lines
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
        .map(|(line, text)| {
            let mut fields = text.split(';').map(str::trim);
            let number = fields.next().unwrap_or_default();
            let (number, is_shortest) = number.strip_prefix("<=").map_or((number, true), |number| (number, false));
            let moves = number.parse().ok().filter(|&moves| moves > 0);
            let (Some(moves), Some(fen)) = (moves, fields.next()) else {
                return Err(ProblemError::Line { file: file.to_path_buf(), line });
            };
            let position = Position::from_fen(fen).map_err(|source| ProblemError::Position {
                file: file.to_path_buf(),
                line,
                source,
            })?;
            Ok(MateProblem { moves, is_shortest, position, key_move: fields.next().unwrap_or_default().to_string() })
        })
        .collect()
}
