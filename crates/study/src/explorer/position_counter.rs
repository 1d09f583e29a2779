//! Counts the games that reach a position, one game after the other.

use super::answer::{Answer, FoundGame, Tally, sort_games};
use super::filter::GameFilter;
use super::game_facts::GameFacts;
use super::indexed_game::IndexedGame;
use super::posting::IndexKey;
use std::collections::BTreeMap;
use xiangqi::{Move, Position};
use xiangqi_record::Game;

/// Counts games without keeping them, with all their plies.
pub struct PositionCounter {
    wanted: IndexKey,
    filter: GameFilter,
    /// The most games of the answer.
    listed: usize,
    all: Tally,
    moves: BTreeMap<Move, Tally>,
    games: Vec<FoundGame>,
}

impl PositionCounter {
    /// Counts the games that this filter lets through; the answer lists so many of them.
    pub fn new(position: &Position, filter: GameFilter, listed: usize) -> PositionCounter {
        PositionCounter {
            wanted: IndexKey::of(position),
            filter,
            listed,
            all: Tally::default(),
            moves: BTreeMap::new(),
            games: Vec::new(),
        }
    }

    /// Counts a game of a file; one without moves is none.
    pub fn add(&mut self, game: &Game, source: &str, number: u64) {
        let mut position = game.start().without_history();
        let mut played: Vec<Option<Move>> = Vec::new();
        let mut moves = game.moves().peekable();
        if moves.peek().is_none() {
            return;
        }
        loop {
            let mv = moves.next();
            let key = IndexKey::of(&position);
            if key.key == self.wanted.key {
                // A move of the game, as it is on the side of the position that is asked for.
                played.push(mv.map(|mv| self.wanted.turned(key.turned(mv))));
            }
            match mv {
                Some(mv) => position.play_unchecked(mv),
                None => break,
            }
        }
        self.count(played, || GameFacts::of(game), source, number);
    }

    /// Counts a game that is kept in memory.
    pub fn add_indexed(&mut self, game: &IndexedGame, source: &str, number: u64) {
        self.count(game.moves_at(self.wanted), || game.facts.clone(), source, number);
    }

    /// Counts a game in which these moves were played.
    fn count(&mut self, mut played: Vec<Option<Move>>, facts: impl FnOnce() -> GameFacts, source: &str, number: u64) {
        if played.is_empty() {
            return;
        }
        let facts = facts();
        if !self.filter.includes(&facts, source) {
            return;
        }
        self.all.add(facts.result, facts.date);
        played.sort_unstable();
        played.dedup();
        let first = played.iter().flatten().next().copied();
        for mv in played.into_iter().flatten() {
            self.moves.entry(mv).or_default().add(facts.result, facts.date);
        }
        if self.listed > 0 {
            self.games.push(FoundGame { facts, source: source.to_string(), number, mv: first });
            if self.games.len() > 2 * self.listed {
                sort_games(&mut self.games);
                self.games.truncate(self.listed);
            }
        }
    }

    pub fn finish(self) -> Answer {
        let mut answer = Answer::new(self.all, &self.moves, self.games);
        answer.games.truncate(self.listed);
        answer
    }
}
