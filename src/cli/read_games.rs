//! Reads the games of many files, one after the other, with progress and until an interrupt.

use super::game_files::{self, GameFilesError};
use super::position_args::{self, FaultPrinter, InputError};
use chuhe_lab::training::archive::{GameArchive, GameArchiveError};
use chuhe_lab::training::game_format::SelfplayGame;
use chuhe_study::explorer::{GameSource, GameSourceError};
use chuhe_study::review::{PlayerNames, PlayerNamesError};
use chuhe_support::files::is_stdio;
use chuhe_support::interrupts::InterruptHandler;
use chuhe_support::language::{reason, tr};
use chuhe_support::terminal::ProgressDisplay;
use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;
use xiangqi_record::{Game, GameResult, ParsedGame, RecordError};

/// Why games are not read.
#[derive(Debug, Error)]
pub enum ReadGamesError {
    #[error(transparent)]
    Player(#[from] PlayerNamesError),
    #[error(transparent)]
    Files(#[from] GameFilesError),
    #[error("{}", tr!("no games were found"))]
    NoGames,
    #[error(transparent)]
    Input(#[from] InputError),
    #[error(transparent)]
    Source(#[from] GameSourceError),
    #[error(transparent)]
    Archive(#[from] GameArchiveError),
    #[error("{}", reason(_0))]
    Interrupts(#[from] io::Error),
}

/// Reading games.
pub struct GameReading {
    interrupts: InterruptHandler,
    bar: ProgressDisplay,
    /// Something could not be read.
    pub is_incomplete: bool,
}

impl GameReading {
    /// Begins to read so many files.
    pub fn new(files: usize) -> Result<GameReading, ReadGamesError> {
        let interrupts = InterruptHandler::install()?;
        Ok(GameReading { interrupts, bar: ProgressDisplay::new(files as u64), is_incomplete: false })
    }

    pub fn is_stopped(&self) -> bool {
        self.interrupts.poll();
        self.interrupts.is_requested()
    }

    /// Takes the progress from the screen; returns whether the reading was interrupted.
    pub fn finish(self) -> bool {
        drop(self.bar);
        self.interrupts.is_requested()
    }

    pub fn show(&self, done: usize, file: &Path, games: u64) {
        let file = file.file_name().unwrap_or_default().to_string_lossy();
        self.bar.set(done as u64, &tr!("{file}: {games} games", file, games));
    }

    /// Takes each game of the files with the path of its file and its number in it, from 1; returns how many games there
    /// are, those that cannot be read among them.
    pub fn each(&mut self, files: &[PathBuf], take: &mut dyn FnMut(&Game, &str, u64)) -> Result<u64, ReadGamesError> {
        let mut all = 0;
        for (done, file) in files.iter().enumerate() {
            let mut faults = FaultPrinter::of(file);
            let name = file.to_string_lossy();
            let mut number = 0;
            let mut add = |game: Result<ParsedGame, RecordError>| {
                number += 1;
                faults.game(game).inspect(|game| take(game, &name, number));
            };
            if is_stdio(file) {
                position_args::open(file)?.games().for_each(&mut add);
            } else {
                let mut source = open_source(file)?;
                while let Some(piece) = source.next_piece()? {
                    piece.into_games(&mut add);
                    if self.is_stopped() {
                        return Ok(all);
                    }
                }
            }
            all += number;
            self.is_incomplete |= faults.has_printed();
            self.show(done + 1, file, all);
        }
        Ok(all)
    }
}

/// The files of games, and those of them in these folders.
pub fn files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, ReadGamesError> {
    Ok(game_files::expand(paths, &["games"])?)
}

/// The names of the player; nobody if there are none.
pub fn player(names: &[String]) -> Result<Option<PlayerNames>, ReadGamesError> {
    Ok(if names.is_empty() { None } else { Some(PlayerNames::new(names)?) })
}

/// Opens a file of games, or of `chuhe learn`.
pub fn open_source(file: &Path) -> Result<GameSource, ReadGamesError> {
    if !game_files::is_archive(file).map_err(InputError::from)? {
        return Ok(GameSource::open(file)?);
    }
    let games = GameArchive::open(file)?.map_while(Result::ok).filter_map(|game| game_of(&game));
    Ok(GameSource::with_games(file, Box::new(games))?)
}

fn game_of(game: &SelfplayGame) -> Option<Game> {
    let mut record = Game::from_moves(&game.start, game.plies.iter().map(|ply| ply.mv)).ok()?;
    record.result = match game.red_half_points {
        0 => GameResult::BlackWins,
        1 => GameResult::Draw,
        _ => GameResult::RedWins,
    };
    Some(record)
}
