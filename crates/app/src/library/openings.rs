//! What the games of the library say about a position. The first plies of the games are kept in memory by the segments that
//! they are in; a segment that was written is read again.

use super::index::GameFilter;
use super::kept_reviews::MoveLoss;
use super::record::{GameId, GameSummary, Segments};
use chuhe_study::book::{MirrorKey, opening_names};
use chuhe_study::explorer::{self, Answer, GameDate, IndexedGame, MoveTally, PositionCounter};
use chuhe_study::reader::move_name;
use chuhe_study::review::PlayerNames;
use chuhe_study::train::{CardId, game_hash};
use chuhe_support::with_values;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::sync::Arc;
use xiangqi::{Color, Move, Position};

/// The most games that are listed.
const MAX_LISTED: usize = 12;

with_values! {
    /// A move with the games in which it was played.
    #[derive(Serialize, crate::TS)]
    struct PlayedMove {
        r#move: String = mv.to_string(),
        name: String = move_name(position, mv),
        games: u64 = tally.games,
        red: u64 = tally.red,
        draws: u64 = tally.draws,
        black: u64 = tally.black,
        /// The part of the points of the side to move, if any game has a result.
        score: Option<f64> = tally.score(position.side()),
        /// What it has lost on average, by the reviews that are kept of these games, and how many they are.
        lost: Option<f64> = losses.get(&mv).map(|(lost, count)| lost / *count as f64),
        reviewed: u64 = losses.get(&mv).map_or(0, |(_, count)| *count),
        last: String = tally.last.to_string(),
        opening: Option<String> = opening_names::name_after(position, mv).map(|name| name.localized().to_string()),
    }
    fn of(position: &Position, played: &MoveTally, losses: &Losses) {
        let MoveTally { mv, tally } = *played;
    }
}

/// What the games of the list say about a position.
#[derive(Serialize, crate::TS)]
pub struct PlayedHere {
    games: u64,
    moves: Vec<PlayedMove>,
    /// The latest of the games.
    latest: Vec<GameSummary>,
    /// Whether the last move is in the openings of the person, if it may be.
    pub mine: Option<bool>,
}

impl PlayedHere {
    pub fn new(position: &Position, answer: &Answer, losses: &Losses, latest: Vec<GameSummary>) -> PlayedHere {
        let moves = answer.moves.iter().map(|played| PlayedMove::of(position, played, losses));
        PlayedHere { games: answer.all.games, moves: moves.collect(), latest, mine: None }
    }
}

/// By moves: what they have lost in all, and how often that is known.
pub type Losses = HashMap<Move, (f64, u64)>;

/// Which games count, beside what a search in the list can tell: the side of the player who is searched for, and dates.
#[derive(Deserialize, Default, crate::TS)]
#[serde(default)]
#[ts(optional_fields)]
pub struct PlayedFilter {
    #[ts(optional, type = "Side")]
    colour: Option<Color>,
    since: Option<String>,
    until: Option<String>,
}

impl PlayedFilter {
    /// Divides a question: what the index of the list answers, and what the games do.
    pub fn divide(&self, mut filter: GameFilter) -> (GameFilter, explorer::GameFilter) {
        let date = |text: &Option<String>| text.as_deref()?.parse::<GameDate>().ok();
        let player = self.colour.and_then(|_| PlayerNames::new(&[filter.search.clone()]).ok());
        if player.is_some() {
            filter.search.clear();
        }
        let (since, until) = (date(&self.since), date(&self.until));
        let of_games = explorer::GameFilter { player, colour: self.colour, since, until, ..Default::default() };
        (filter, of_games)
    }
}

/// A game in memory, with the number of its review.
struct PlayedGame {
    game: IndexedGame,
    review: CardId,
}

/// The games in memory.
#[derive(Default)]
pub struct PlayedGames {
    segments: HashMap<u32, HashMap<GameId, PlayedGame>>,
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
                    let game = stored.game()?;
                    let review = game_hash(&game);
                    Some((stored.about.id, PlayedGame { game: IndexedGame::of(&game)?, review }))
                };
                lines.iter().filter_map(game).collect()
            });
        }
    }

    /// Counts these games, as far as the filter lets them through; also returns what their moves have lost here, and the
    /// latest of the games with where they are.
    pub fn ask(
        &self,
        position: &Position,
        wanted: impl Iterator<Item = (GameId, u32)>,
        filter: &explorer::GameFilter,
        losses_of: impl Fn(CardId) -> Arc<[MoveLoss]>,
    ) -> (Answer, Losses, Vec<(GameId, u32)>) {
        // The filter is asked here, as losses count for the same games.
        let mut counter = PositionCounter::new(position, explorer::GameFilter::default(), MAX_LISTED);
        let (mut places, mut losses) = (HashMap::new(), Losses::new());
        let here = MirrorKey::of(position);
        for (id, segment) in wanted {
            let Some(PlayedGame { game, review }) = self.segments.get(&segment).and_then(|games| games.get(&id)) else {
                continue;
            };
            if !filter.includes(&game.facts, "") {
                continue;
            }
            counter.add_indexed(game, "", id.0);
            places.insert(id.0, segment);
            for loss in losses_of(*review).iter().filter(|loss| loss.position == here.key) {
                let mv = if here.mirrored { loss.mv.mirror() } else { loss.mv };
                let (lost, count) = losses.entry(mv).or_default();
                (*lost, *count) = (*lost + loss.lost, *count + 1);
            }
        }
        let answer = counter.finish();
        let place = |number: u64| Some((GameId(number), *places.get(&number)?));
        let latest = answer.games.iter().filter_map(|game| place(game.number)).collect();
        (answer, losses, latest)
    }
}
