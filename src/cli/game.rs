//! What was named on the command line: a position with moves, or a file of games in any format.

use crate::board::{MoveError, Position};
use crate::language::Language;
use crate::record::{Game, Ranks, Reading, Setup, SetupError, Source, SourceError, notation};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// What a word of the command line names.
pub enum What {
    /// A position with moves behind it.
    Setup(Setup),
    /// A file, or standard input (`-`).
    File(PathBuf),
}

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

/// Tells positions from files: `startpos` or the ranks of a FEN, each with moves behind it, or moves alone; `-`; or what
/// is there under this name.
pub fn what(text: &str) -> Result<What, GameError> {
    let first = text.split_whitespace().next().unwrap_or_default();
    let file = || Ok(What::File(PathBuf::from(text)));
    let is_setup = ["", "startpos", "moves"].contains(&first.to_lowercase().as_str()) || is_board(first);
    let is_move =
        || Ranks::FromZero.read(first).is_some() || notation::read(&Position::start(), first).is_ok();
    if text == "-" || Path::new(text).exists() {
        file()
    } else if is_setup {
        Ok(What::Setup(Setup::of(text)))
    } else if is_move() {
        Ok(What::Setup(Setup::default().and_moves(text)))
    } else if first == text && text.contains('.') {
        // What looks like the name of a file is said not to be there.
        file()
    } else {
        let shown = text.chars().take(60).map(|letter| if letter.is_control() { '?' } else { letter });
        Err(GameError::Nothing(shown.collect()))
    }
}

/// Whether a word can be the board of a FEN, right or wrong: pieces, numbers and ends of ranks.
fn is_board(word: &str) -> bool {
    word.contains('/')
        && word.chars().all(|letter| letter.is_ascii_digit() || "/RNBAKCPHEGrnbakcpheg".contains(letter))
}

impl What {
    /// The game of this number (from 1) of a file, or the one behind a position.
    pub fn game(self, number: usize) -> Result<Game, GameError> {
        match self {
            What::File(file) => Ok(heard(&file, open(&file)?.game(&name(&file), number)?)),
            What::Setup(setup) => {
                let start = setup.start(false)?;
                let moves = setup.play(&mut start.clone(), Ranks::FromZero)?;
                Ok(Game::of_moves(&start, moves)?)
            }
        }
    }
}

/// The games of a file, or of standard input.
pub fn open(file: &Path) -> Result<Source, GameError> {
    if file != Path::new("-") {
        return Ok(Source::open(file)?);
    }
    let mut bytes = Vec::new();
    io::stdin().lock().read_to_end(&mut bytes)?;
    Ok(Source::new(bytes))
}

/// What a file is called.
pub fn name(file: &Path) -> PathBuf {
    if file == Path::new("-") { PathBuf::from("standard input") } else { file.to_path_buf() }
}

/// The game that was read, as far as it is sound: what is wrong with it is said on standard error.
pub fn heard(file: &Path, reading: Reading) -> Game {
    for fault in &reading.faults {
        eprintln!("chuhe: {}: {}", name(file).display(), Language::of_reader().say(&fault.to_string()));
    }
    reading.game
}
