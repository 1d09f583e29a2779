//! A spot of a game: where it began, the moves that were played, and after which of them somebody looks. The moves count:
//! what a repetition comes to depends on them. Spots of the same game share it.

use chuhe_engine::board::Position;
use chuhe_engine::types::Move;
use std::sync::Arc;

/// A place on the way of a game.
#[derive(Clone)]
pub struct Spot {
    start: Arc<Position>,
    moves: Arc<[Move]>,
    ply: usize,
}

impl Spot {
    /// Where a position stands: at the end of the moves that led there.
    pub fn of(position: &Position) -> Spot {
        let mut start = position.clone();
        let mut moves = Vec::with_capacity(start.history_len());
        while start.history_len() > 0 {
            moves.push(start.last_move());
            start.unmake();
        }
        moves.reverse();
        Spot { start: Arc::new(start), ply: moves.len(), moves: moves.into() }
    }

    /// The same game after so many moves; `None` if it is shorter.
    pub fn at(&self, ply: usize) -> Option<Spot> {
        (ply <= self.moves.len()).then(|| Spot { ply, ..self.clone() })
    }

    /// Every spot of the game, the beginning first.
    pub fn all(&self) -> impl Iterator<Item = Spot> + '_ {
        (0..=self.moves.len()).map(|ply| Spot { ply, ..self.clone() })
    }

    /// Where the game began.
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// The moves from there to here.
    pub fn played(&self) -> &[Move] {
        &self.moves[..self.ply]
    }

    /// How many they are.
    pub fn ply(&self) -> usize {
        self.ply
    }

    /// The moves of the whole game.
    pub fn plies(&self) -> usize {
        self.moves.len()
    }

    /// Whether the game went on from here, whatever a judge may say of it.
    pub fn goes_on(&self) -> bool {
        self.ply < self.moves.len()
    }

    /// The position, with its history.
    pub fn position(&self) -> Position {
        let mut position = Position::clone(&self.start);
        self.played().iter().for_each(|&mv| position.make(mv));
        position
    }
}
