//! Where a game leaves a repertoire.

use super::graph::Repertoire;
use crate::book::mirror::MirrorKey;
use std::collections::HashSet;
use xiangqi::{Move, Position};
use xiangqi_record::Game;

/// How a game leaves a repertoire.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Departure {
    /// It ends before the repertoire does.
    Never,
    /// The repertoire has no moves in the position.
    End,
    /// The person plays another move.
    Mine,
    /// The other side plays an answer that the repertoire does not have.
    Other,
}

/// A game beside a repertoire.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Followed {
    pub departure: Departure,
    /// The plies before the last position that the repertoire knows.
    pub plies: usize,
    /// The move of the game there.
    pub played: Option<Move>,
    /// The moves of the repertoire there.
    pub wanted: Vec<Move>,
    /// The position there, with its history.
    pub position: Position,
}

impl Repertoire {
    /// Follows the main line of a game; nothing if it does not begin in the start position. Other orders of moves may leave
    /// and come back: the last position counts that the repertoire knows.
    pub fn follow(&self, game: &Game) -> Option<Followed> {
        if game.start().key() != Position::start().key() {
            return None;
        }
        let mut known = HashSet::new();
        self.walk(&mut |place| _ = known.insert(MirrorKey::of(place.position).key));
        let moves: Vec<Move> = game.moves().collect();
        let mut position = Position::start();
        let mut last = 0;
        for (ply, &mv) in moves.iter().enumerate() {
            position.play_unchecked(mv);
            if known.contains(&MirrorKey::of(&position).key) {
                last = ply + 1;
            }
        }
        while position.history_len() > last {
            position.undo();
        }
        let (played, wanted) = (moves.get(last).copied(), self.moves(&position));
        let departure = match played {
            None => Departure::Never,
            Some(_) if wanted.is_empty() => Departure::End,
            Some(_) if self.is_mine(&position) => Departure::Mine,
            Some(_) => Departure::Other,
        };
        Some(Followed { departure, plies: last, played, wanted, position })
    }
}
