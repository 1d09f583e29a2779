//! The schedule: players and opening as a function of the game number alone, so that an interrupted tournament can be
//! resumed.

use super::spec::TournamentFormat;
use xiangqi::Color;

/// One game of the schedule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ScheduledGame {
    /// Number from 0. Games 2n and 2n + 1 form a pair: same opening, and colours swapped unless they are fixed.
    pub number: usize,
    pub red: usize,
    pub black: usize,
    pub opening: usize,
}

impl ScheduledGame {
    /// The number of its pair.
    pub fn pair(&self) -> usize {
        self.number / 2
    }

    /// The engine that plays this colour.
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
    swap_colours: bool,
}

impl Schedule {
    /// Creates a schedule with `games_each` games (rounded up to pairs) per pairing.
    pub fn new(format: TournamentFormat, engines: usize, games_each: usize) -> Schedule {
        let first = match format {
            TournamentFormat::RoundRobin => engines,
            TournamentFormat::Gauntlet => engines.min(1),
        };
        let pairings = (0..first).flat_map(|one| (one + 1..engines).map(move |other| (one, other))).collect();
        Schedule { pairings, games_each: games_each.next_multiple_of(2), swap_colours: true }
    }

    /// The same, where the first engine of each pairing may play red in all games.
    pub fn with_swapped_colours(self, swap_colours: bool) -> Schedule {
        Schedule { swap_colours, ..self }
    }

    pub fn pairings(&self) -> &[(usize, usize)] {
        &self.pairings
    }

    /// The number of games.
    pub fn len(&self) -> usize {
        self.pairings.len() * self.games_each
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The game of this number. Every pairing plays its first pair before any plays its second, so intermediate
    /// standings are fair.
    pub fn game(&self, number: usize) -> ScheduledGame {
        let pair = number / 2;
        let (one, other) = self.pairings[pair % self.pairings.len()];
        let opening = pair / self.pairings.len();
        let (red, black) = if number.is_multiple_of(2) || !self.swap_colours { (one, other) } else { (other, one) };
        ScheduledGame { number, red, black, opening }
    }
}
