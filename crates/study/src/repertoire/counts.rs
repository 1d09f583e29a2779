//! What was played in the openings of many games, for all positions at once.

use crate::book::mirror::MirrorKey;
use crate::explorer::{GameFacts, MoveTally, Tally};
use chuhe_support::small_sort::SmallSort;
use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use xiangqi::{Move, Position, zobrist::Key};
use xiangqi_record::Game;

/// The moves of the first plies of games, by positions. Other orders of moves and mirror images are joined.
pub struct OpeningCounts {
    plies: usize,
    games: usize,
    /// In the orientation of the mirror key.
    positions: HashMap<Key, Vec<(Move, Tally)>>,
}

impl OpeningCounts {
    /// Counts so many plies of each game.
    pub fn new(plies: usize) -> OpeningCounts {
        OpeningCounts { plies, games: 0, positions: HashMap::new() }
    }

    /// How many games were counted.
    pub fn games(&self) -> usize {
        self.games
    }

    /// Counts a game; one without moves, or that does not begin in the start position, is left out. A move counts once for
    /// a game.
    pub fn add(&mut self, game: &Game) -> bool {
        if game.start().key() != Position::start().key() || game.moves().next().is_none() {
            return false;
        }
        self.games += 1;
        let GameFacts { result, date, .. } = GameFacts::of(game);
        let (mut position, mut seen) = (Position::start(), HashSet::new());
        for mv in game.moves().take(self.plies) {
            let key = MirrorKey::of(&position);
            let stored = if key.mirrored { mv.mirror() } else { mv };
            if seen.insert((key.key, key.to_book_move(mv))) {
                let moves = self.positions.entry(key.key).or_default();
                let place = moves.iter().position(|(known, _)| *known == stored).unwrap_or_else(|| {
                    moves.push((stored, Tally::default()));
                    moves.len() - 1
                });
                moves[place].1.add(result, date);
            }
            position.play_unchecked(mv);
        }
        true
    }

    /// The moves of a position, the most played one first. In a position that is its own mirror image a move counts with its
    /// mirror image, and is told as it was played more often.
    pub fn at(&self, position: &Position) -> Vec<MoveTally> {
        let key = MirrorKey::of(position);
        let stored = self.positions.get(&key.key).map(Vec::as_slice).unwrap_or_default();
        let mut moves: Vec<MoveTally> = stored
            .iter()
            .map(|&(mv, tally)| MoveTally { mv: if key.mirrored { mv.mirror() } else { mv }, tally })
            .collect();
        sort(&mut moves);
        if key.symmetric {
            let mut joined: Vec<MoveTally> = Vec::new();
            for entry in moves {
                match joined.iter_mut().find(|known| known.mv == entry.mv.mirror()) {
                    Some(known) => known.tally.merge(entry.tally),
                    None => joined.push(entry),
                }
            }
            moves = joined;
            sort(&mut moves);
        }
        moves
    }

    /// The games with a move.
    pub fn of_move(&self, position: &Position, mv: Move) -> Tally {
        let key = MirrorKey::of(position);
        let same = |entry: &MoveTally| key.to_book_move(entry.mv) == key.to_book_move(mv);
        self.at(position).into_iter().find(same).map(|entry| entry.tally).unwrap_or_default()
    }
}

/// The most played one first; of two the one that comes later on the board, which is the usual 炮二平五 of the two.
fn sort(moves: &mut [MoveTally]) {
    moves.order_by_key(|entry| (Reverse(entry.tally.games), Reverse(entry.mv.to_string())));
}
