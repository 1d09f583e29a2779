//! `--merge`: counts the records of shards of one tournament together.
//!
//! Conditions, schedule, players and openings are read from the records. Records that do not belong together are
//! refused.

use super::condition_tags::{Conditions, PlacementError};
use super::game_record::{self, RECORDER};
use super::openings::Opening;
use super::schedule::Schedule;
use super::sprt::Sprt;
use super::standings::TournamentInfo;
use super::tournament_record::{RecordedGames, TournamentRecordError, place_game};
use chuhe_support::files::{At, MAX_INPUT_SIZE, read_input};
use chuhe_support::language::phrase;
use chuhe_support::messages::Localized;
use chuhe_support::small_sort::SmallSort;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use xiangqi_record::{Game, ParsedGame, RecordError, decode, pgn};

pub struct MergedRecords {
    pub roster: TournamentInfo,
    /// The games, sorted by round.
    pub contents: RecordedGames,
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

/// Reads records and places all their games in one tournament.
pub fn merge_records(files: &[PathBuf], sprt: Option<Sprt>) -> Result<MergedRecords, TournamentRecordError> {
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
    Ok(MergedRecords { roster, contents })
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
