//! What the games of the library say about a position. The first plies of the games are kept in memory by the segments that
//! they are in; a segment that was written is read again.

use super::record::{GameId, GameSummary};
use super::segments::Segments;
use crate::bilingual::Bilingual;
use chuhe_study::book::opening_names;
use chuhe_study::explorer::{Answer, GameFilter, IndexedGame, PositionCounter};
use serde::Serialize;
use std::collections::HashMap;
use xiangqi::Position;

/// The most games that are listed.
const MAX_LISTED: usize = 12;

/// A move with the games in which it was played.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct PlayedMove {
    #[serde(rename = "move")]
    mv: String,
    name: Bilingual,
    games: u64,
    red: u64,
    draws: u64,
    black: u64,
    /// The part of the points of the side to move, if any game has a result.
    score: Option<f64>,
    last: String,
    opening: Option<Bilingual>,
}

/// What the games of the list say about a position.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PlayedHere {
    games: u64,
    moves: Vec<PlayedMove>,
    /// The latest of the games.
    latest: Vec<GameSummary>,
    /// Whether the last move is in the openings of the person, if it may be.
    pub mine: Option<bool>,
}

impl PlayedHere {
    pub fn new(position: &Position, answer: &Answer, latest: Vec<GameSummary>) -> PlayedHere {
        let moves = answer.moves.iter().map(|entry| PlayedMove {
            mv: entry.mv.to_string(),
            name: Bilingual::from_move(position, entry.mv),
            games: entry.tally.games,
            red: entry.tally.red,
            draws: entry.tally.draws,
            black: entry.tally.black,
            score: entry.tally.score(position.side()),
            last: entry.tally.last.to_string(),
            opening: opening_names::name_after(position, entry.mv).map(Bilingual::from),
        });
        PlayedHere { games: answer.all.games, moves: moves.collect(), latest, mine: None }
    }
}

/// The games in memory.
#[derive(Default)]
pub struct PlayedGames {
    segments: HashMap<u32, HashMap<GameId, IndexedGame>>,
}

impl PlayedGames {
    /// Reads what is new.
    pub fn update(&mut self, files: &Segments) {
        for written in files.take_written() {
            self.segments.remove(&written);
        }
        for segment in files.numbers() {
            self.segments.entry(segment).or_insert_with(|| {
                let lines = files.read(segment).unwrap_or_default();
                let game = |line: &String| {
                    let stored = super::record::StoredGame::from_line(line)?;
                    Some((stored.about.id, IndexedGame::of(&stored.game()?)?))
                };
                lines.iter().filter_map(game).collect()
            });
        }
    }

    /// Counts these games; also returns the latest of them, and where they are.
    pub fn ask(
        &self,
        position: &Position,
        wanted: impl Iterator<Item = (GameId, u32)>,
    ) -> (Answer, Vec<(GameId, u32)>) {
        let mut counter = PositionCounter::new(position, GameFilter::default(), MAX_LISTED);
        let mut places = HashMap::new();
        for (id, segment) in wanted {
            if let Some(game) = self.segments.get(&segment).and_then(|games| games.get(&id)) {
                counter.add_indexed(game, "", id.0);
                places.insert(id.0, segment);
            }
        }
        let answer = counter.finish();
        let place = |number: u64| Some((GameId(number), *places.get(&number)?));
        let latest = answer.games.iter().filter_map(|game| place(game.number)).collect();
        (answer, latest)
    }
}
