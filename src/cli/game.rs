//! A game on the command line: a FEN with moves, or a file of games in any format.

use crate::board::MoveError;
use crate::language::Language;
use crate::record::{Game, Ranks, Setup, SetupError, Source, SourceError, source};
use std::io::{self, Read};
use std::path::Path;
use thiserror::Error;

/// Why there is no game.
#[derive(Debug, Error)]
pub enum GameError {
    /// It is no position.
    #[error(transparent)]
    Position(#[from] SetupError),
    /// Its moves cannot be played.
    #[error(transparent)]
    Move(#[from] MoveError),
    /// Neither a file nor a position.
    #[error("'{0}' is neither a file nor a FEN")]
    Nothing(String),
    /// There is no such game in the file.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// Nothing comes in.
    #[error("standard input: {0}")]
    Input(#[from] io::Error),
}

/// The game of this number (from 1) of a file or of standard input (`-`), or the one behind a FEN or `startpos`. What is
/// wrong in a file is said on standard error; the game is there as far as it is sound.
pub fn read(what: &str, number: usize) -> Result<Game, GameError> {
    let file = Path::new(what);
    let reading = if what == "-" {
        let mut bytes = Vec::new();
        io::stdin().lock().read_to_end(&mut bytes)?;
        Source::new(bytes).game(Path::new("standard input"), number)?
    } else if !is_position(what) || file.exists() {
        if !file.exists() {
            let shown = what.chars().take(60).map(|letter| if letter.is_control() { '?' } else { letter });
            return Err(GameError::Nothing(shown.collect()));
        }
        source::game(file, number)?
    } else {
        let setup = Setup::of(what);
        let start = setup.start(false)?;
        let moves = setup.play(&mut start.clone(), Ranks::FromZero)?;
        return Ok(Game::of_moves(&start, moves)?);
    };
    for fault in &reading.faults {
        eprintln!("chuhe: {what}: {}", Language::of_reader().say(&fault.to_string()));
    }
    Ok(reading.game)
}

/// Whether a text can be a position: `startpos`, or a FEN by its ranks.
fn is_position(text: &str) -> bool {
    let first = text.split_whitespace().next().unwrap_or_default();
    first.is_empty() || first.eq_ignore_ascii_case("startpos") || first.matches('/').count() == 9
}
