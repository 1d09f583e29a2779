//! The record of a tournament: a PGN file to which whole games are appended, and from which an interrupted tournament
//! is resumed.
//!
//! Each game is written in one piece and synced to disk before it counts. An incomplete last game is detected when the
//! record is read again and cut off; nothing else is ever removed. The file is locked while a tournament writes to it.
//!
//! `--merge`: counts the records of shards of one tournament together. Conditions, schedule, players and openings are
//! read from the records. Records that do not belong together are refused.

use super::game_record::{self, Conditions, GameRecorder, PlacementError, RECORDER};
use super::openings::Opening;
use super::standings::{FinishedGame, Schedule, TournamentInfo};
use super::stats::Sprt;
use super::tournament::OpeningSource;
use chuhe_support::files::{AppendFile, At, FileError, MAX_INPUT_SIZE, open_locked, read_input, read_wanted};
use chuhe_support::language::{phrase, tr};
use chuhe_support::messages::Localized;
use chuhe_support::small_sort::SmallSort;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{File, Metadata, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;
use xiangqi_record::{Encoding, Game, Notation, ParsedGame, RecordError, decode, pgn};

/// Why records cannot be created, resumed or merged.
#[derive(Debug, Error)]
pub enum TournamentRecordError {
    /// The file cannot be opened, read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// Another arena is writing to it.
    #[error("{}", tr!("{path} is in use: another arena writes to it", path = _0.display()))]
    InUse(PathBuf),
    /// It holds games already and `--resume` was not given.
    #[error("{}", tr!("{path} already holds games: --resume continues them, or take another name", path = _0.display()))]
    Exists(PathBuf),
    /// A file that was to be gone on with is not a record of the arena.
    #[error("{}", tr!("{path} is no record of the arena and was not changed", path = _0.display()))]
    Unchanged(PathBuf),
    /// A file to be merged is not a record of the arena, or is empty.
    #[error("{}", tr!("{path} is no record of the arena", path = _0.display()))]
    NoRecord(PathBuf),
    /// A game in it cannot be read.
    #[error(transparent)]
    Game(#[from] FileError<Localized<RecordError>>),
    /// A game in it does not belong to this tournament. Games are numbered from 1.
    #[error("{}", tr!("{file}: game {game} is not one of this tournament: {what}", file = file.display(), game, what))]
    DoesNotBelong { file: PathBuf, game: usize, what: PlacementError },
    /// A game in it does not fit the games before it.
    #[error("{}", tr!("{file}: game {game} cannot be counted together with the others: {what}", file = file.display(), game, what))]
    DoesNotFit { file: PathBuf, game: usize, what: PlacementError },
    /// A round occurs twice, in two files or in one.
    #[error("{}", tr!("round {round} is both in {first} and in {second}", round, first = first.display(), second = second.display()))]
    DuplicateRound { round: usize, first: PathBuf, second: PathBuf },
}

/// The open PGN file of a tournament.
pub struct TournamentRecord {
    path: PathBuf,
    file: AppendFile,
    encoding: Encoding,
}

/// The games of a record.
pub type RecordedGames = Vec<(FinishedGame, Game)>;

impl TournamentRecord {
    /// Creates a record, or opens it to continue after the games in it, which it returns too.
    pub fn open(
        path: &Path,
        encoding: Encoding,
        resume: bool,
        recorder: &GameRecorder,
        mut openings: OpeningSource,
    ) -> Result<(TournamentRecord, RecordedGames), TournamentRecordError> {
        let file = open_file(path)?;
        let bytes = read_wanted(&file, MAX_INPUT_SIZE, game_record::begins_as_record).at(path)?;
        let begun = !bytes.iter().all(u8::is_ascii_whitespace);
        if begun && !resume {
            return Err(TournamentRecordError::Exists(path.to_path_buf()));
        }
        // A text before the first game is not ours.
        if begun && bytes.trim_ascii_start().first() != Some(&b'[') {
            return Err(TournamentRecordError::Unchanged(path.to_path_buf()));
        }
        let (whole, torn) = bytes.split_at(pgn::complete_games_length(&bytes));
        let contents = read(path, &decode(whole), recorder, |number| openings.opening(number))?;
        if !pgn::is_torn_game(torn, &game_head()) {
            return Err(TournamentRecordError::Unchanged(path.to_path_buf()));
        }
        // Cut off only after the file is known to be a record of the arena.
        if !torn.is_empty() {
            log::warn!("{}: a game that was not written to its end is cut off", path.display());
        }
        let file = AppendFile::new(file, whole.len() as u64).at(path)?;
        Ok((TournamentRecord { path: path.to_path_buf(), file, encoding }, contents))
    }

    /// Adds a game.
    pub fn add(&mut self, record: &Game, notation: Notation) -> io::Result<()> {
        let text = pgn::write(record, notation);
        let text = self.encoding.encode(&text).into_owned();
        self.append(&text).map_err(|error| io::Error::other(format!("{}: {error}", self.path.display())))
    }

    fn append(&mut self, text: &[u8]) -> io::Result<()> {
        if !is_still_there(&self.path, &self.file.file().metadata()?) {
            return Err(io::Error::other(tr!("was removed or replaced while the tournament was played")));
        }
        self.file.append(text)
    }
}

/// Opens the file with a write lock; others may read it.
fn open_file(path: &Path) -> Result<File, TournamentRecordError> {
    let mut options = OpenOptions::new();
    options.write(true).read(true).create(true).truncate(false);
    match open_locked(options, path) {
        Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
            Err(TournamentRecordError::InUse(path.to_path_buf()))
        }
        opened => Ok(opened.at(path)?),
    }
}

/// Whether the path still names the opened file.
#[cfg(unix)]
fn is_still_there(path: &Path, opened: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    std::fs::metadata(path).is_ok_and(|now| (now.dev(), now.ino()) == (opened.dev(), opened.ino()))
}

/// Whether the path still exists; an open file cannot be replaced on these systems.
#[cfg(not(unix))]
fn is_still_there(path: &Path, _: &Metadata) -> bool {
    path.exists()
}

/// How every game of the arena begins.
fn game_head() -> String {
    format!("[Game \"Chinese Chess\"]\n[Recorder \"{RECORDER}\"]\n")
}

/// Reads the games of a record and places them in the schedule. `make` generates the opening of a number.
fn read(
    path: &Path,
    text: &str,
    recorder: &GameRecorder,
    mut make: impl FnMut(usize) -> Opening,
) -> Result<RecordedGames, TournamentRecordError> {
    let mut contents = RecordedGames::new();
    let mut seen = BTreeSet::new();
    let mut conditions = recorder.conditions.clone();
    // Generating every opening again would be slow. It is enough that both games of a pair have the same opening, so
    // only those of the first game and of incomplete pairs are generated and compared.
    let mut openings: BTreeMap<usize, Opening> = BTreeMap::new();
    let mut open_pairs: BTreeMap<usize, usize> = BTreeMap::new();
    let does_not_belong =
        |game: usize, what| TournamentRecordError::DoesNotBelong { file: path.to_path_buf(), game, what };
    let other_opening = || PlacementError::Place(phrase!("it has another opening"));
    for (index, parsed) in pgn::games(text).enumerate() {
        let record = parsed.and_then(ParsedGame::into_game_with_main_line).map_err(Localized).at(path)?;
        if index == 0 && record.tag("Recorder") != Some(RECORDER) {
            return Err(TournamentRecordError::Unchanged(path.to_path_buf()));
        }
        let game =
            place_game(&record, &recorder.roster, &mut conditions).map_err(|what| does_not_belong(index + 1, what))?;
        if !seen.insert(game.scheduled.number) {
            return Err(does_not_belong(index + 1, PlacementError::Place(phrase!("its round was played before"))));
        }
        let number = game.scheduled.opening;
        let opening = openings.entry(number).or_insert_with(|| match index {
            0 => make(number),
            _ => game_record::recorded_opening(&record),
        });
        if !game_record::has_opening(&record, opening) {
            return Err(does_not_belong(index + 1, other_opening()));
        }
        if open_pairs.remove(&game.scheduled.pair()).is_none() {
            open_pairs.insert(game.scheduled.pair(), index);
        }
        contents.push((game, record));
    }
    for index in open_pairs.into_values() {
        let (game, record) = &contents[index];
        if !game_record::has_opening(record, &make(game.scheduled.opening)) {
            return Err(does_not_belong(index + 1, other_opening()));
        }
    }
    Ok(contents)
}

/// Places a recorded game in the schedule and checks its conditions.
pub fn place_game(
    record: &Game,
    roster: &TournamentInfo,
    conditions: &mut Conditions,
) -> Result<FinishedGame, PlacementError> {
    let round = game_record::round(record).ok_or(PlacementError::Place(phrase!("it has no round number")))?;
    if round > roster.schedule.len() {
        return Err(PlacementError::Place(phrase!("its round does not exist")));
    }
    let scheduled = roster.schedule.game(round - 1);
    conditions.check(record, &scheduled)?;
    let plays = |tag, engine: usize| record.tag(tag) == roster.names.get(engine).map(String::as_str);
    if !plays("Red", scheduled.red) || !plays("Black", scheduled.black) {
        return Err(PlacementError::Place(phrase!("others play in its round")));
    }
    game_record::finished_game(record, scheduled).ok_or(PlacementError::Place(phrase!("it has no result")))
}

/// A game with its file and its number in the file.
struct GameInFile<'a> {
    file: &'a Path,
    game: usize,
    record: Game,
}

impl GameInFile<'_> {
    fn does_not_belong(&self, what: PlacementError) -> TournamentRecordError {
        TournamentRecordError::DoesNotFit { file: self.file.to_path_buf(), game: self.game, what }
    }
}

/// Reads records and places all their games in one tournament, sorted by round.
pub fn merge_records(
    files: &[PathBuf],
    sprt: Option<Sprt>,
) -> Result<(TournamentInfo, RecordedGames), TournamentRecordError> {
    let mut found = Vec::new();
    for file in files {
        found.extend(games(file)?);
    }
    let first =
        found.first().ok_or_else(|| TournamentRecordError::NoRecord(files.first().cloned().unwrap_or_default()))?;
    let mut conditions = Conditions::from_record(&first.record).map_err(|what| first.does_not_belong(what))?;
    // Long enough for the last round; the planned length of the tournament does not matter here.
    let rounds = found.iter().filter_map(|found| game_record::round(&found.record)).max().unwrap_or(0);
    let Some((schedule, engines)) = conditions.schedule(|pairings| rounds.div_ceil(pairings) + 1) else {
        return Err(first.does_not_belong(PlacementError::Missing("Tournament")));
    };
    let names = names(&found, &schedule, engines);
    let mut roster = TournamentInfo { names, schedule, planned: 0, sprt };
    let mut places: BTreeMap<usize, &GameInFile> = BTreeMap::new();
    let mut openings: BTreeMap<usize, Opening> = BTreeMap::new();
    let mut contents = RecordedGames::new();
    for found in &found {
        let game = place_game(&found.record, &roster, &mut conditions).map_err(|what| found.does_not_belong(what))?;
        let number = game.scheduled.number;
        if let Some(other) = places.insert(number, found) {
            let (first, second) = (other.file.to_path_buf(), found.file.to_path_buf());
            return Err(TournamentRecordError::DuplicateRound { round: number + 1, first, second });
        }
        // A game lost before its first move still has its opening.
        let opening =
            openings.entry(game.scheduled.opening).or_insert_with(|| game_record::recorded_opening(&found.record));
        if !game_record::has_opening(&found.record, opening) {
            return Err(found.does_not_belong(PlacementError::Place(phrase!(
                "it has another opening than the games it is compared with"
            ))));
        }
        contents.push((game, found.record.clone()));
    }
    contents.order_by_key(|(game, _)| game.scheduled.number);
    roster.planned = contents.len();
    Ok((roster, contents))
}

/// Reads the games of one file. An incomplete last game is skipped.
fn games(file: &Path) -> Result<Vec<GameInFile<'_>>, TournamentRecordError> {
    let bytes = read_input(file, MAX_INPUT_SIZE, game_record::begins_as_record).at(file)?;
    let whole = pgn::complete_games_length(&bytes);
    if whole < bytes.len() {
        log::warn!("{}: {} bytes behind the last whole game are passed over", file.display(), bytes.len() - whole);
    }
    let read = |(index, parsed): (usize, Result<ParsedGame, RecordError>)| {
        let record = parsed.and_then(ParsedGame::into_game_with_main_line).map_err(Localized).at(file)?;
        if record.tag("Recorder") != Some(RECORDER) {
            return Err(TournamentRecordError::NoRecord(file.to_path_buf()));
        }
        Ok(GameInFile { file, game: index + 1, record })
    };
    let games: Vec<GameInFile> =
        pgn::games(&decode(&bytes[..whole])).enumerate().map(read).collect::<Result<_, _>>()?;
    let is_record = !games.is_empty() || bytes.iter().all(u8::is_ascii_whitespace);
    if is_record { Ok(games) } else { Err(TournamentRecordError::NoRecord(file.to_path_buf())) }
}

/// The engine names, from the rounds they played; engines without a game get a number.
fn names(found: &[GameInFile], schedule: &Schedule, engines: usize) -> Vec<String> {
    let mut names: Vec<String> = (1..=engines).map(|number| format!("engine {number}")).collect();
    // The first game decides; a game with another name is refused later by `place_game`.
    for GameInFile { record, .. } in found.iter().rev() {
        let round = game_record::round(record).filter(|&round| round <= schedule.len());
        let Some(scheduled) = round.map(|round| schedule.game(round - 1)) else { continue };
        for (tag, engine) in [("Red", scheduled.red), ("Black", scheduled.black)] {
            record.tag(tag).into_iter().for_each(|name| names[engine] = name.to_string());
        }
    }
    names
}
