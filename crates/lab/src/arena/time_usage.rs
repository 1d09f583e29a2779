//! Time usage of engines: seconds per move by move number, and the base time left at the end of games.

use super::spec::TimeControl;
use chuhe_study::player::GameClock;
use std::time::Duration;

/// Moves per group.
pub const MOVES_PER_GROUP: usize = 10;

/// The clock usage of one side in one game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ClockUsage {
    control: TimeControl,
    /// The time of each of its moves.
    moves: Vec<Duration>,
}

impl ClockUsage {
    /// Rounds the move times to milliseconds, as records have them.
    pub fn new(control: TimeControl, moves: impl IntoIterator<Item = Duration>) -> ClockUsage {
        let rounded = |spent: Duration| Duration::from_millis((spent.as_secs_f64() * 1000.0).round() as u64);
        ClockUsage { control, moves: moves.into_iter().map(rounded).collect() }
    }

    /// Fraction of the base time left at the end.
    fn unused_fraction(&self) -> f64 {
        let mut clock = GameClock::new(self.control);
        self.moves.iter().for_each(|&spent| clock.press(spent));
        clock.left().as_secs_f64() / self.control.base.as_secs_f64().max(0.001)
    }
}

/// The time usage of an engine over all its games.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct TimeUsage {
    /// Seconds and number of moves, per group.
    groups: Vec<(f64, u64)>,
    left: f64,
    games: u64,
}

impl TimeUsage {
    pub fn add(&mut self, usage: &ClockUsage) {
        for (index, spent) in usage.moves.iter().enumerate() {
            if self.groups.len() <= index / MOVES_PER_GROUP {
                self.groups.push((0.0, 0));
            }
            let group = &mut self.groups[index / MOVES_PER_GROUP];
            *group = (group.0 + spent.as_secs_f64(), group.1 + 1);
        }
        self.left += usage.unused_fraction();
        self.games += 1;
    }

    /// Mean seconds per move, for each group of ten moves.
    pub fn seconds(&self) -> impl Iterator<Item = f64> {
        self.groups.iter().map(|(seconds, moves)| seconds / (*moves).max(1) as f64)
    }

    /// Mean fraction of the base time left at the end of games.
    pub fn unused_fraction(&self) -> f64 {
        self.left / self.games.max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_usage_averages_seconds_by_ten_moves_and_time_left_by_game() {
        let second = Duration::from_secs(1);
        let control = TimeControl { base: 100 * second, increment: second, moves: None };
        let mut time_usage = TimeUsage::default();
        time_usage.add(&ClockUsage::new(control, vec![5 * second; 10]));
        time_usage.add(&ClockUsage::new(control, [vec![3 * second; 10], vec![second; 5]].concat()));
        assert_eq!(time_usage.seconds().collect::<Vec<_>>(), [4.0, 1.0]);
        assert!((time_usage.unused_fraction() - 0.7).abs() < 1e-9, "{}", time_usage.unused_fraction());
    }
}
