//! The record of a tournament: a PGN file that grows by one whole game at a time, and from which an interrupted
//! tournament goes on.
//!
//! Each game is written in one piece and put on the disk before it counts. What a sudden end leaves behind a whole
//! game is recognised when the record is read again, and cut off; nothing else ever is. The file is locked while a
//! tournament writes to it.

use super::conditions::{ConditionMismatch, Conditions};
use super::game::GameOutcome;
use super::game_record::{self, GameRecorder, RECORDER};
use super::openings::Opening;
use super::schedule::ScheduledGame;
use super::standings::{FinishedGame, Standings, TournamentInfo};
use super::tournament::{OpeningSource, TournamentObserver};
use chuhe_engine::files::{At, FileError, open_locked};
use chuhe_engine::language::{Phrase, phrase, tr};
use chuhe_toolkit::record::{Encoding, Game, RecordError, decode, pgn};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Why a record cannot be begun or continued.
#[derive(Debug, Error)]
pub enum TournamentRecordError {
    /// The file cannot be opened, read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// Somebody else writes to it.
    #[error("{}", tr!("{path} is in use: another arena writes to it", path = _0.display()))]
    InUse(PathBuf),
    /// There are games in it already.
    #[error("{}", tr!("{path} already holds games: --resume continues them, or take another name", path = _0.display()))]
    Exists(PathBuf),
    /// It holds something else.
    #[error("{}", tr!("{path} is no record of the arena: it is left as it is", path = _0.display()))]
    NoRecord(PathBuf),
    /// A game in it cannot be read.
    #[error(transparent)]
    Game(#[from] FileError<RecordError>),
    /// A game in it does not belong to this tournament.
    #[error("{}", tr!("{file}: game {game} is not one of this tournament: {what}", file = file.display(), game, what))]
    DoesNotBelong {
        file: PathBuf,
        /// The number of the game in the file, from 1.
        game: usize,
        /// What does not fit.
        what: PlacementError,
    },
}

/// Why a game has no place in a tournament.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum PlacementError {
    /// It was played under other conditions.
    #[error(transparent)]
    Conditions(#[from] ConditionMismatch),
    /// Its round, players, result or opening do not fit.
    #[error("{0}")]
    Place(Phrase),
}

/// The file of a tournament's games.
pub struct TournamentRecord {
    path: PathBuf,
    file: File,
    /// How long the file is, whole games all of it.
    length: u64,
    writer: GameRecorder,
    encoding: Encoding,
}

/// How a record is kept.
#[derive(Clone, Debug)]
pub struct RecordOptions {
    pub path: PathBuf,
    /// How characters are written.
    pub encoding: Encoding,
    /// Go on with the games that are in it.
    pub resume: bool,
}

/// What a record holds.
pub type RecordedGames = Vec<(FinishedGame, Game)>;

impl TournamentRecord {
    /// Begins a record, or opens it again to go on, which tells what has been played.
    pub fn open(
        keeping: &RecordOptions,
        book: GameRecorder,
        mut openings: OpeningSource,
    ) -> Result<(TournamentRecord, RecordedGames), TournamentRecordError> {
        let path = keeping.path.as_path();
        let file = open_file(path)?;
        let bytes = std::fs::read(path).at(path)?;
        let begun = !bytes.iter().all(u8::is_ascii_whitespace);
        if begun && !keeping.resume {
            return Err(TournamentRecordError::Exists(path.to_path_buf()));
        }
        let (whole, torn) = bytes.split_at(pgn::complete_games_length(&bytes));
        let contents = read(path, &decode(whole), &book, |number| openings.opening(number))?;
        if !is_torn_game(torn) {
            return Err(TournamentRecordError::NoRecord(path.to_path_buf()));
        }
        // Only now is it certain that the file is ours.
        if !torn.is_empty() {
            log::warn!("{}: a game that was not written to its end is cut off", path.display());
            file.set_len(whole.len() as u64).at(path)?;
        }
        let encoding = keeping.encoding;
        let archive =
            TournamentRecord { path: path.to_path_buf(), file, length: whole.len() as u64, writer: book, encoding };
        Ok((archive, contents))
    }

    fn append(&mut self, text: &[u8]) -> io::Result<()> {
        if !is_still_there(&self.path, &self.file.metadata()?) {
            return Err(io::Error::other(tr!("was removed or replaced while the tournament was played")));
        }
        let written = self.file.write_all(text).and_then(|()| self.file.sync_data());
        match written {
            Ok(()) => self.length += text.len() as u64,
            // Half a game, on a full disk for one, is taken back.
            Err(_) => drop(self.file.set_len(self.length)),
        }
        written
    }
}

impl TournamentObserver for TournamentRecord {
    fn game_over(&mut self, fixture: &ScheduledGame, played: &GameOutcome, _: &Standings) -> io::Result<()> {
        let text = pgn::write(&self.writer.record(fixture, played), self.writer.notation);
        let text = self.encoding.encode(&text).into_owned();
        self.append(&text).map_err(|error| io::Error::other(format!("{}: {error}", self.path.display())))
    }

    fn tournament_over(&mut self, _: &Standings) -> io::Result<()> {
        Ok(())
    }
}

/// Opens a file that only one arena may write to, and anybody may read.
fn open_file(path: &Path) -> Result<File, TournamentRecordError> {
    // Devices and pipes cannot be read again, or not to an end.
    if std::fs::metadata(path).is_ok_and(|data| !data.is_file()) {
        return Err(io::Error::other(tr!("is not a file"))).at(path)?;
    }
    let mut options = OpenOptions::new();
    options.append(true).read(true).create(true);
    match open_locked(options, path) {
        Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
            Err(TournamentRecordError::InUse(path.to_path_buf()))
        }
        opened => Ok(opened.at(path)?),
    }
}

/// Whether the path still leads to the file that was opened there.
#[cfg(unix)]
fn is_still_there(path: &Path, opened: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    std::fs::metadata(path).is_ok_and(|now| (now.dev(), now.ino()) == (opened.dev(), opened.ino()))
}

/// Whether the path still leads to a file; where an open one cannot be removed, it is the same.
#[cfg(not(unix))]
fn is_still_there(path: &Path, _: &Metadata) -> bool {
    path.exists()
}

/// Whether this may be what a sudden end leaves of a game of the arena: its beginning, or blanks, or what some
/// file systems put where nothing was written yet.
fn is_torn_game(bytes: &[u8]) -> bool {
    let head = format!("[Game \"Chinese Chess\"]\n[Recorder \"{RECORDER}\"]\n");
    let text: Vec<u8> = bytes.iter().copied().filter(|&byte| byte != 0).collect();
    let text = text.trim_ascii_start();
    text.starts_with(head.as_bytes()) || head.as_bytes().starts_with(text)
}

/// Reads the games of a record and finds their places. `make` makes the opening of a number.
fn read(
    path: &Path,
    text: &str,
    book: &GameRecorder,
    mut make: impl FnMut(usize) -> Opening,
) -> Result<RecordedGames, TournamentRecordError> {
    let mut contents = RecordedGames::new();
    let mut seen = BTreeSet::new();
    let mut conditions = book.conditions.clone();
    // To make each opening again would take longer than to play on. What counts is that the two games of a pair have
    // the same one; so it is made again only for pairs that are to be completed, and for the first game.
    let mut openings: BTreeMap<usize, Opening> = BTreeMap::new();
    let mut open_pairs: BTreeMap<usize, usize> = BTreeMap::new();
    let foreign = |game: usize, what| TournamentRecordError::DoesNotBelong { file: path.to_path_buf(), game, what };
    let another = || PlacementError::Place(phrase!("it has another opening"));
    for (index, record) in pgn::read(text).into_iter().enumerate() {
        let record = record.at(path)?;
        if index == 0 && record.tag("Recorder") != Some(RECORDER) {
            return Err(TournamentRecordError::NoRecord(path.to_path_buf()));
        }
        let game = place_game(&record, &book.roster, &mut conditions).map_err(|what| foreign(index + 1, what))?;
        if !seen.insert(game.fixture.number) {
            return Err(foreign(index + 1, PlacementError::Place(phrase!("its round was played before"))));
        }
        let number = game.fixture.opening;
        let opening = openings.entry(number).or_insert_with(|| match index {
            0 => make(number),
            _ => game_record::recorded_opening(&record),
        });
        if !game_record::has_opening(&record, opening) {
            return Err(foreign(index + 1, another()));
        }
        if open_pairs.remove(&game.fixture.pair()).is_none() {
            open_pairs.insert(game.fixture.pair(), index);
        }
        contents.push((game, record));
    }
    for index in open_pairs.into_values() {
        let (game, record) = &contents[index];
        if !game_record::has_opening(record, &make(game.fixture.opening)) {
            return Err(foreign(index + 1, another()));
        }
    }
    Ok(contents)
}

/// The place of a recorded game in a tournament.
pub fn place_game(
    record: &Game,
    roster: &TournamentInfo,
    conditions: &mut Conditions,
) -> Result<FinishedGame, PlacementError> {
    let round = game_record::round(record).ok_or(PlacementError::Place(phrase!("it has no round number")))?;
    if round > roster.schedule.len() {
        return Err(PlacementError::Place(phrase!("its round does not exist")));
    }
    let fixture = roster.schedule.game(round - 1);
    conditions.check(record, &fixture)?;
    let plays = |tag, engine: usize| record.tag(tag) == roster.names.get(engine).map(String::as_str);
    if !plays("Red", fixture.red) || !plays("Black", fixture.black) {
        return Err(PlacementError::Place(phrase!("others play in its round")));
    }
    game_record::finished_game(record, fixture).ok_or(PlacementError::Place(phrase!("it has no result")))
}
