//! Who plays whom, when, from which opening: a function of the game's number and nothing else, so that an
//! interrupted tournament goes on where it stood.

use super::spec::TournamentFormat;
use chuhe_engine::types::Color;

/// One game to be played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ScheduledGame {
    /// Its number, from 0. Games 2n and 2n + 1 are a pair: one opening, colours swapped.
    pub number: usize,
    /// The engine with the red pieces.
    pub red: usize,
    /// The engine with the black pieces.
    pub black: usize,
    /// The number of its opening.
    pub opening: usize,
}

impl ScheduledGame {
    /// The pair that the game belongs to.
    pub fn pair(&self) -> usize {
        self.number / 2
    }

    /// Who plays this colour.
    pub fn engine(&self, side: Color) -> usize {
        match side {
            Color::Red => self.red,
            Color::Black => self.black,
        }
    }
}

/// The order of all games.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Schedule {
    pairings: Vec<(usize, usize)>,
    games_each: usize,
}

impl Schedule {
    /// A schedule with so many games (rounded up to pairs) of each two engines that meet.
    pub fn new(format: TournamentFormat, engines: usize, games_each: usize) -> Schedule {
        let first = match format {
            TournamentFormat::RoundRobin => engines,
            TournamentFormat::Gauntlet => engines.min(1),
        };
        let meetings = (0..first).flat_map(|one| (one + 1..engines).map(move |other| (one, other))).collect();
        Schedule { pairings: meetings, games_each: games_each.next_multiple_of(2) }
    }

    pub fn pairings(&self) -> &[(usize, usize)] {
        &self.pairings
    }

    /// How many games there are.
    pub fn len(&self) -> usize {
        self.pairings.len() * self.games_each
    }

    /// True if nobody meets anybody.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The game of this number. Every meeting plays its first pair before any plays its second, so that the
    /// table is fair at any time.
    pub fn game(&self, number: usize) -> ScheduledGame {
        let pair = number / 2;
        let (one, other) = self.pairings[pair % self.pairings.len()];
        let opening = pair / self.pairings.len();
        let (red, black) = if number.is_multiple_of(2) { (one, other) } else { (other, one) };
        ScheduledGame { number, red, black, opening }
    }
}
