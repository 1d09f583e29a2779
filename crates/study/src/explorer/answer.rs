//! The answer to a question about a position, also as JSON, for scripts.

use super::game_facts::{GameDate, GameFacts};
use crate::book::opening_names;
use chuhe_support::small_sort::SmallSort;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use xiangqi::{Color, Move, Position};
use xiangqi_record::{GameResult, Notation, notation};

/// Results of games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// All games, those without a result among them.
    pub games: u64,
    pub red: u64,
    pub draws: u64,
    pub black: u64,
    /// The day of the latest game.
    pub last: GameDate,
}

impl Tally {
    pub fn add(&mut self, result: GameResult, date: GameDate) {
        let [red, draws, black] = match result {
            GameResult::RedWins => [1, 0, 0],
            GameResult::Draw => [0, 1, 0],
            GameResult::BlackWins => [0, 0, 1],
            GameResult::Unknown => [0, 0, 0],
        };
        self.merge(Tally { games: 1, red, draws, black, last: date });
    }

    pub fn merge(&mut self, other: Tally) {
        self.games += other.games;
        self.red += other.red;
        self.draws += other.draws;
        self.black += other.black;
        self.last = self.last.max(other.last);
    }

    /// The share of points of a side, of the games that have a result.
    pub fn score(&self, side: Color) -> Option<f64> {
        let decided = self.red + self.draws + self.black;
        let won = if side == Color::Red { self.red } else { self.black };
        (decided > 0).then(|| (won as f64 + self.draws as f64 / 2.0) / decided as f64)
    }
}

/// A move with its games.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MoveTally {
    pub mv: Move,
    pub tally: Tally,
}

/// A game that reached the position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FoundGame {
    pub facts: GameFacts,
    /// The path of its file.
    pub source: String,
    /// Its number in the file, from 1.
    pub number: u64,
    /// The move that was played there, the first of its squares if there were several; `None` where the game ended.
    pub mv: Option<Move>,
}

/// What games say about a position.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Answer {
    /// The games that reached the position.
    pub all: Tally,
    /// The moves, the most played one first.
    pub moves: Vec<MoveTally>,
    /// Some of the games, as many as were asked for, the latest first.
    pub games: Vec<FoundGame>,
}

impl Answer {
    pub(super) fn new(all: Tally, moves: &BTreeMap<Move, Tally>, games: Vec<FoundGame>) -> Answer {
        let mut moves: Vec<_> = moves.iter().map(|(&mv, &tally)| MoveTally { mv, tally }).collect();
        moves.order_by_key(|entry| (std::cmp::Reverse(entry.tally.games), entry.mv.to_string()));
        Answer { all, moves, games }
    }
}

/// The latest games first; of one day in the order of files.
pub(super) fn sort_games(games: &mut [FoundGame]) {
    games.order_by(|one, other| {
        let order = other.facts.date.cmp(&one.facts.date).then_with(|| one.source.cmp(&other.source));
        order.then(one.number.cmp(&other.number))
    });
}

fn date_json(date: GameDate) -> Value {
    if date.is_known() { json!(date.to_string()) } else { Value::Null }
}

impl Tally {
    /// The numbers, with the score of this side.
    fn to_json(self, side: Color) -> Value {
        let Tally { games, red, draws, black, last } = self;
        json!({
            "games": games,
            "red": red,
            "draws": draws,
            "black": black,
            "score": self.score(side),
            "last": date_json(last),
        })
    }
}

impl Answer {
    /// The answer as an object; `position` is the one that was asked for.
    pub fn to_json(&self, position: &Position) -> Value {
        let moves = self.moves.iter().map(|entry| {
            let mut object = entry.tally.to_json(position.side());
            object["move"] = json!(entry.mv.to_string());
            object["chinese"] = json!(notation::format(position, entry.mv, Notation::Chinese));
            object["opening"] = json!(opening_names::name_after(position, entry.mv));
            object
        });
        let mut object = self.all.to_json(position.side());
        object["moves"] = moves.collect();
        object["fen"] = json!(position.fen());
        object["opening"] = json!(opening_names::name_of_game(position));
        if !self.games.is_empty() {
            object["list"] = self.games.iter().map(game_json).collect();
        }
        object
    }
}

fn game_json(game: &FoundGame) -> Value {
    json!({
        "file": game.source,
        "game": game.number,
        "red": game.facts.red,
        "black": game.facts.black,
        "date": date_json(game.facts.date),
        "result": game.facts.result.token(),
        "move": game.mv.map(|mv| mv.to_string()),
    })
}
