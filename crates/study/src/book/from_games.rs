//! Builds a book from games: the moves played in each position and their results.

use super::memory_book::{BookEntry, MemoryBook};
use std::collections::BTreeMap;
use xiangqi::{Color, Position};
use xiangqi_record::{Game, GameResult};

/// Filters for games and moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameImporter {
    /// The number of plies taken from each game.
    pub plies: usize,
    /// Games with fewer plies are skipped.
    pub min_plies: usize,
    /// Accepted results; empty = any known result.
    pub results: Vec<GameResult>,
    /// The minimum rating of both players.
    pub min_rating: Option<u32>,
    /// Moves played less often are dropped.
    pub min_count: u64,
}

impl GameImporter {
    /// Adds a game to the book; returns false if the filter rejects it. Only games from the start position count as
    /// openings.
    pub fn add(&self, game: &Game, pages: &mut MemoryBook) -> bool {
        if !self.accepts(game) {
            return false;
        }
        let mut position = game.start().clone();
        let winner = match game.result {
            GameResult::RedWins => Some(Color::Red),
            GameResult::BlackWins => Some(Color::Black),
            GameResult::Draw | GameResult::Unknown => None,
        };
        for mv in game.moves().take(self.plies) {
            let games = &mut pages.entry(&position, mv).games;
            let count = match winner {
                None => &mut games.drawn,
                Some(color) if color == position.side() => &mut games.won,
                Some(_) => &mut games.lost,
            };
            *count = count.saturating_add(1);
            position.play_unchecked(mv);
        }
        true
    }

    fn accepts(&self, game: &Game) -> bool {
        let known = game.result != GameResult::Unknown;
        let result = known && (self.results.is_empty() || self.results.contains(&game.result));
        let begins = game.start().key() == Position::start().key();
        let rated = |names: &[&str]| {
            let rating = names.iter().find_map(|name| game.tag(name)?.trim().parse::<u32>().ok());
            self.min_rating.is_none_or(|least| rating.is_some_and(|rating| rating >= least))
        };
        result
            && begins
            && game.main_line_nodes().count() >= self.min_plies.max(1)
            && rated(&["RedElo", "WhiteElo", "RedRating"])
            && rated(&["BlackElo", "BlackRating"])
    }

    /// Converts game counts to weights and drops rare moves. In each position the move with the most points gets the
    /// weight 1000: two points for a win, one for a draw; a move that only lost gets 0.
    pub fn finish_weights(&self, pages: &mut MemoryBook) {
        let points = |entry: &BookEntry| 2 * u64::from(entry.games.won) + u64::from(entry.games.drawn);
        let weigh = |moves: &mut BTreeMap<_, BookEntry>| {
            moves.retain(|_, entry| entry.games.count() >= self.min_count);
            let most = moves.values().map(points).max().unwrap_or(0).max(1);
            for entry in moves.values_mut() {
                let share = points(entry) * 1000 / most;
                entry.weight = if points(entry) == 0 { 0 } else { share.max(1) as u16 };
            }
        };
        pages.positions.values_mut().for_each(weigh);
        pages.positions.retain(|_, moves| !moves.is_empty());
    }
}
