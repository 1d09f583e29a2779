//! The games of files that a command is about: those in folders, `--game`, `--shard`, `--player`; and reading them one
//! after the other, with progress and until an interrupt.

use super::error::{CliError, cli_error};
use super::position_args::{self, FaultPrinter};
use chuhe_lab::arena::spec::Shard;
use chuhe_lab::training::archive::{self, GameArchive};
use chuhe_lab::training::game_format::SelfplayGame;
use chuhe_study::explorer::GameSource;
use chuhe_study::review::PlayerNames;
use chuhe_support::files::{At, FileError, is_stdio};
use chuhe_support::interrupts::InterruptHandler;
use chuhe_support::language::tr;
use chuhe_support::messages::Localized;
use chuhe_support::small_sort::SmallSort;
use chuhe_support::terminal::ProgressDisplay;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use xiangqi_record::{Game, GameResult, ParsedGame, RecordError, RecordFile, RecordFileError};

/// The endings of the files that are looked for in a folder.
const ENDINGS: [&str; 10] = ["pgn", "xqf", "ubb", "cbr", "cbl", "cbf", "wxf", "fen", "epd", "txt"];

/// So many bytes tell a file of `chuhe learn` from others.
const ARCHIVE_HEAD: u64 = 16;

/// The named files, and the files of games in the named folders and the folders in them, by name; with these endings
/// beside the usual ones.
pub fn expand(paths: &[PathBuf], more_endings: &[&str]) -> Result<Vec<PathBuf>, CliError> {
    let mut files = Vec::new();
    for path in paths {
        let before = files.len();
        if path.is_dir() {
            add_folder(path, more_endings, &mut files)?;
        } else {
            files.push(path.clone());
        }
        if files.len() == before {
            return Err(cli_error!("{path}: no file of games in this folder", path = path.display().to_string()));
        }
    }
    Ok(files)
}

fn add_folder(folder: &Path, more_endings: &[&str], files: &mut Vec<PathBuf>) -> Result<(), CliError> {
    let entries = || {
        let entries = fs::read_dir(folder)?.map(|entry| entry.and_then(|entry| Ok((entry.file_type()?, entry))));
        entries.collect::<Result<Vec<_>, _>>()
    };
    let mut entries = entries().map_err(|error| position_args::cannot_read(folder, error))?;
    entries.order_by_key(|(_, entry)| entry.file_name());
    for (kind, entry) in entries {
        let path = entry.path();
        let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase()).unwrap_or_default();
        if kind.is_dir() {
            add_folder(&path, more_endings, files)?;
        } else if ENDINGS.iter().chain(more_endings).any(|known| *known == ending) {
            files.push(path);
        }
    }
    Ok(())
}

/// The files of games, and those of them in these folders, among which may be those of `chuhe learn`.
pub fn files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, CliError> {
    expand(paths, &["games"])
}

/// Whether a file holds games of `chuhe learn`. A pipe can be read only once, and holds none.
pub fn is_archive(file: &Path) -> Result<bool, FileError> {
    if is_stdio(file) || !file.is_file() {
        return Ok(false);
    }
    let mut head = Vec::new();
    File::open(file).and_then(|file| file.take(ARCHIVE_HEAD).read_to_end(&mut head)).at(file)?;
    Ok(archive::is_archive(&head))
}

/// Which games of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameSelection {
    All,
    /// From 1, or from -1 backwards from the end.
    One(i64),
    /// From the first number to the second one, or to the end of the file.
    Range(usize, Option<usize>),
}

impl FromStr for GameSelection {
    type Err = String;

    fn from_str(text: &str) -> Result<GameSelection, String> {
        let number = |text: &str| text.parse().ok().filter(|&number: &usize| number > 0);
        let read = || {
            if text.eq_ignore_ascii_case("all") {
                return Some(GameSelection::All);
            }
            let Some((first, last)) = text.split_once("..") else {
                return text.parse().ok().filter(|&number| number != 0).map(GameSelection::One);
            };
            let first = number(first)?;
            let last = if last.is_empty() { None } else { Some(number(last)?) };
            last.is_none_or(|last| last >= first).then_some(GameSelection::Range(first, last))
        };
        let expected =
            || tr!("expected the number of a game (1 is the first, -1 the last), a range such as 3..8 or 3.., or all");
        read().ok_or_else(expected)
    }
}

/// A game of a file, as far as it can be read, with its number from 1.
pub type NumberedGame = (usize, Result<ParsedGame, RecordError>);

impl GameSelection {
    /// The number of the game, from 1 or from -1, for a command about one game.
    pub fn single(self) -> Result<i64, CliError> {
        match self {
            GameSelection::One(number) => Ok(number),
            _ => Err(cli_error!("this command is about one game: --game N takes its number")),
        }
    }

    /// The games of a file, read one after the other; an error if one of these numbers is not there.
    pub fn games(self, source: &RecordFile) -> Result<Box<dyn Iterator<Item = NumberedGame> + '_>, RecordFileError> {
        let (first, last) = match self {
            GameSelection::All => (1, None),
            GameSelection::Range(first, last) => (first, last),
            GameSelection::One(number) => {
                // From the end: how many are there?
                let count = if number < 0 { source.games().count() as i64 + 1 } else { 0 };
                let only = usize::try_from(count + number).ok().filter(|&only| only > 0);
                let only = only.ok_or_else(|| no_game(source, number))?;
                (only, Some(only))
            }
        };
        let required = last.unwrap_or(first);
        if source.games().nth(required - 1).is_none() {
            return Err(no_game(source, if let GameSelection::One(number) = self { number } else { required as i64 }));
        }
        let count = last.map_or(usize::MAX, |last| last - first + 1);
        Ok(Box::new((1..).zip(source.games()).skip(first - 1).take(count)))
    }

    /// The same, with the name of the file in the error.
    pub fn games_of<'a>(
        self,
        source: &'a RecordFile,
        file: &Path,
    ) -> Result<Box<dyn Iterator<Item = NumberedGame> + 'a>, CliError> {
        Ok(self.games(source).map_err(Localized).at(file)?)
    }
}

fn no_game(source: &RecordFile, number: i64) -> RecordFileError {
    match source.games().count() as i64 {
        0 => RecordFileError::NoGame,
        count => RecordFileError::TooFew { number, count },
    }
}

/// Whether this machine does a game, or a position of a list, by its number from 1.
pub fn is_in_shard(shard: Option<Shard>, number: usize) -> bool {
    shard.is_none_or(|shard| shard.contains(number - 1))
}

/// The names of the player; nobody if there are none.
pub fn player(names: &[String]) -> Result<Option<PlayerNames>, CliError> {
    let player = || PlayerNames::new(names).map_err(|error| CliError::of(move || error.to_string()));
    (!names.is_empty()).then(player).transpose()
}

/// Opens a file of games, or of `chuhe learn`.
pub fn open_source(file: &Path) -> Result<GameSource, CliError> {
    if !is_archive(file)? {
        return Ok(GameSource::open(file)?);
    }
    let games = GameArchive::open(file)?.map_while(Result::ok).filter_map(|game| record_of(&game));
    Ok(GameSource::with_games(file, Box::new(games))?)
}

fn record_of(game: &SelfplayGame) -> Option<Game> {
    let mut record = Game::from_moves(&game.start, game.plies.iter().map(|ply| ply.mv)).ok()?;
    record.result = match game.red_half_points {
        0 => GameResult::BlackWins,
        1 => GameResult::Draw,
        _ => GameResult::RedWins,
    };
    Some(record)
}

/// No games in any of the files.
pub fn no_games() -> CliError {
    cli_error!("no games were found")
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
    pub fn new(files: usize) -> Result<GameReading, CliError> {
        let interrupts = InterruptHandler::install().map_err(CliError::of_system)?;
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
    pub fn each(&mut self, files: &[PathBuf], take: &mut dyn FnMut(&Game, &str, u64)) -> Result<u64, CliError> {
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
