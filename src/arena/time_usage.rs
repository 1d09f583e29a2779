//! How engines use their clocks: what their moves take, by number, and what is left of the first time in the end.

use super::spec::TimeControl;
use chuhe_toolkit::player::GameClock;
use std::time::Duration;

/// Moves that are counted together.
pub const MOVES_PER_GROUP: usize = 10;

/// What one side of a game did with its clock.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ClockUsage {
    control: TimeControl,
    /// What each move of its own took, in order.
    moves: Vec<Duration>,
}

impl ClockUsage {
    /// A side on this clock whose moves took so long; to the millisecond, as records tell it.
    pub fn new(control: TimeControl, moves: impl IntoIterator<Item = Duration>) -> ClockUsage {
        let rounded = |spent: Duration| Duration::from_millis((spent.as_secs_f64() * 1000.0).round() as u64);
        ClockUsage { control, moves: moves.into_iter().map(rounded).collect() }
    }

    /// Part of the first time that is left in the end.
    fn unused_fraction(&self) -> f64 {
        let mut clock = GameClock::new(self.control);
        self.moves.iter().for_each(|&spent| clock.press(spent));
        clock.left().as_secs_f64() / self.control.base.as_secs_f64().max(0.001)
    }
}

/// What an engine does with its clock, over all of its games.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct TimeUsage {
    /// Seconds and moves of each group of moves.
    groups: Vec<(f64, u64)>,
    left: f64,
    games: u64,
}

impl TimeUsage {
    pub fn add(&mut self, spending: &ClockUsage) {
        for (index, spent) in spending.moves.iter().enumerate() {
            if self.groups.len() <= index / MOVES_PER_GROUP {
                self.groups.push((0.0, 0));
            }
            let group = &mut self.groups[index / MOVES_PER_GROUP];
            *group = (group.0 + spent.as_secs_f64(), group.1 + 1);
        }
        self.left += spending.unused_fraction();
        self.games += 1;
    }

    /// Seconds a move, of the first ten moves, the next ten, and so on.
    pub fn seconds(&self) -> impl Iterator<Item = f64> {
        self.groups.iter().map(|(seconds, moves)| seconds / (*moves).max(1) as f64)
    }

    /// Part of the first time that is left when games end.
    pub fn unused_fraction(&self) -> f64 {
        self.left / self.games.max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_counted_by_tens_and_what_is_left_by_games() {
        let second = Duration::from_secs(1);
        let control = TimeControl { base: 100 * second, increment: second, moves: None };
        let mut pace = TimeUsage::default();
        pace.add(&ClockUsage::new(control, vec![5 * second; 10]));
        pace.add(&ClockUsage::new(control, [vec![3 * second; 10], vec![second; 5]].concat()));
        assert_eq!(pace.seconds().collect::<Vec<_>>(), [4.0, 1.0]);
        assert!((pace.unused_fraction() - 0.7).abs() < 1e-9, "{}", pace.unused_fraction());
    }
}
