//! The positions of a game in memory, to be asked again and again.

use super::game_facts::GameFacts;
use super::posting::{IndexKey, NO_MOVE, for_each_position};
use xiangqi::Move;
use xiangqi_record::Game;

/// The first plies of a game, and what is kept of it beside its moves.
#[derive(Clone, Debug)]
pub struct IndexedGame {
    pub(super) facts: GameFacts,
    /// The positions with the moves played there, in ascending order.
    positions: Vec<(u64, u16)>,
}

impl IndexedGame {
    /// What a filter may ask of the game.
    pub fn facts(&self) -> &GameFacts {
        &self.facts
    }

    /// The game; `None` if it has no moves.
    pub fn of(game: &Game) -> Option<IndexedGame> {
        let moves: Vec<Move> = game.moves().take(super::INDEXED_PLIES + 1).collect();
        let mut positions = Vec::with_capacity(moves.len() + 1);
        for_each_position(game.start(), &moves, |key, mv| positions.push((key, mv)));
        positions.sort_unstable();
        positions.dedup();
        (!moves.is_empty()).then(|| IndexedGame { facts: GameFacts::of(game), positions })
    }

    /// The moves that were played in a position, as they are on its side.
    pub(super) fn moves_at(&self, position: IndexKey) -> Vec<Option<Move>> {
        let first = self.positions.partition_point(|&(key, _)| key < position.key);
        let here = self.positions[first..].iter().take_while(|(key, _)| *key == position.key);
        here.map(|&(_, mv)| if mv == NO_MOVE { None } else { Move::from_bits(mv).map(|mv| position.turned(mv)) })
            .collect()
    }
}
