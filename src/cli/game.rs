//! What was named on the command line: a position with moves, or a file of games in any format.

use chuhe_engine::board::{MoveError, Position};
use chuhe_engine::files::{At, is_standard, shown};
use chuhe_engine::language::{complain, tr};
use chuhe_toolkit::record::{Fault, Game, Ranks, Reading, Setup, SetupError, Source, SourceError, notation};
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
    #[error("{}", tr!("'{text}' is neither a file nor a FEN", text = _0))]
    Nothing(String),
    /// There is no such game in the file.
    #[error(transparent)]
    Source(#[from] SourceError),
}

/// Which game of a file: from 1, or from the end back from -1.
pub fn which(text: &str) -> Result<i64, String> {
    match text.parse() {
        Ok(number) if number != 0 => Ok(number),
        _ => Err(tr!("expected the number of a game: 1 is the first, -1 the last")),
    }
}

/// A game from the command line.
pub struct Found {
    /// It, as far as it is sound.
    pub game: Game,
    /// Nothing of it was left out.
    pub is_whole: bool,
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
    /// The game of this number of a file, or the one behind a position.
    pub fn game(self, number: i64) -> Result<Found, GameError> {
        match self {
            What::File(file) => {
                let reading = open(&file)?.game(&file, number)?;
                Ok(Found { is_whole: reading.faults.is_empty(), game: heard(&file, reading) })
            }
            What::Setup(setup) => {
                let start = setup.start(false)?;
                let moves = setup.play(&mut start.clone(), Ranks::FromZero)?;
                Ok(Found { game: Game::of_moves(&start, moves)?, is_whole: true })
            }
        }
    }
}

/// The games of a file, or of standard input.
pub fn open(file: &Path) -> Result<Source, SourceError> {
    if !is_standard(file) {
        return Source::open(file);
    }
    let mut bytes = Vec::new();
    io::stdin().lock().read_to_end(&mut bytes).at(file)?;
    Ok(Source::new(bytes))
}

/// How many faults of a file are told one by one: nobody reads the thousandth.
const TOLD: usize = 100;

/// What is wrong in a file, said on standard error; in the end, how much more there is of it.
pub struct Faults {
    file: PathBuf,
    count: usize,
}

impl Faults {
    /// Nothing yet.
    pub fn of(file: &Path) -> Faults {
        Faults { file: file.to_path_buf(), count: 0 }
    }

    /// Says it.
    pub fn say(&mut self, fault: &Fault) {
        self.count += 1;
        if self.count <= TOLD {
            complain(|| tr!("{file}: {fault}", file = shown(&self.file), fault));
        }
    }

    /// Whether there was any.
    pub fn any(&self) -> bool {
        self.count > 0
    }
}

impl Drop for Faults {
    fn drop(&mut self) {
        if self.count > TOLD {
            let (file, count) = (shown(&self.file), self.count - TOLD);
            complain(|| tr!("{file}: {count} more faults", file, count));
        }
    }
}

/// The game that was read, as far as it is sound: what is wrong with it is said on standard error.
pub fn heard(file: &Path, reading: Reading) -> Game {
    let mut faults = Faults::of(file);
    reading.faults.iter().for_each(|fault| faults.say(fault));
    reading.game
}
