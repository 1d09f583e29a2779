//! The answer to a question about a position.

use super::game_facts::{GameDate, GameFacts};
use chuhe_support::small_sort::SmallSort;
use std::collections::BTreeMap;
use xiangqi::{Color, Move};
use xiangqi_record::GameResult;

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
    pub(super) fn new(all: Tally, moves: &BTreeMap<Move, Tally>, mut games: Vec<FoundGame>) -> Answer {
        let mut moves: Vec<_> = moves.iter().map(|(&mv, &tally)| MoveTally { mv, tally }).collect();
        moves.order_by_key(|entry| (std::cmp::Reverse(entry.tally.games), entry.mv.to_string()));
        sort_games(&mut games);
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
