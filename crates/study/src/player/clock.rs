//! The clock of one side, and time controls in text form: `10+0.1`, `60`, `40/60+0.5`.

use chuhe_engine::search::Clock;
use chuhe_support::language::tr;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;
use thiserror::Error;

/// The state of a clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ClockState {
    pub left: Duration,
    /// Added after each move.
    pub increment: Duration,
    /// Moves to the next time control; `None` in sudden death.
    pub moves_to_go: Option<u32>,
}

impl ClockState {
    /// The clock for the searcher, with the opponent's clock if there is one.
    pub fn to_search_clock(self, opponent: Option<ClockState>) -> Clock {
        Clock {
            time: self.left,
            increment: self.increment,
            moves_to_go: self.moves_to_go,
            opponent_time: opponent.map(|reading| reading.left),
        }
    }
}

/// The remaining time of one side, and its time control.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameClock {
    control: TimeControl,
    left: Duration,
    /// Moves made since the base time was last added.
    moves_made: u32,
}

impl GameClock {
    /// A clock at the start of the game.
    pub fn new(control: TimeControl) -> GameClock {
        GameClock { control, left: control.base, moves_made: 0 }
    }

    /// A clock after this number of moves, with this time left or as at the start.
    pub fn resumed(control: TimeControl, left: Option<Duration>, moves: u32) -> GameClock {
        let made = control.moves.map_or(moves, |of| moves % of);
        GameClock { control, left: left.unwrap_or(control.base), moves_made: made }
    }

    /// The state passed to the engine.
    pub fn state(&self) -> ClockState {
        ClockState {
            left: self.left,
            increment: self.control.increment,
            moves_to_go: self.control.moves.map(|moves| moves - self.moves_made),
        }
    }

    pub fn left(&self) -> Duration {
        self.left
    }

    /// No time is left.
    pub fn run_out(&mut self) {
        self.left = Duration::ZERO;
    }

    /// Subtracts the time of a move and adds the increment and, at the time control, the base time.
    pub fn press(&mut self, spent: Duration) {
        self.left = self.left.saturating_sub(spent) + self.control.increment;
        self.moves_made += 1;
        if Some(self.moves_made) == self.control.moves {
            self.left += self.control.base;
            self.moves_made = 0;
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeControl {
    /// The time at the start, and again after every `moves` moves.
    pub base: Duration,
    /// Added after each move.
    pub increment: Duration,
    /// Moves per base time; `None` in sudden death.
    pub moves: Option<u32>,
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        write!(f, "{}+{}", self.base.as_secs_f64(), self.increment.as_secs_f64())
    }
}

/// A text that is not a time control.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("{}", tr!("expected [MOVES/]SECONDS[+SECONDS], such as 10+0.1 or 40/60"))]
pub struct TimeControlError;

impl FromStr for TimeControl {
    type Err = TimeControlError;

    fn from_str(text: &str) -> Result<TimeControl, TimeControlError> {
        read(text).filter(|control| control.base + control.increment > Duration::ZERO).ok_or(TimeControlError)
    }
}

fn read(text: &str) -> Option<TimeControl> {
    let (moves, times) = match text.split_once('/') {
        Some((moves, times)) => (Some(moves.parse().ok().filter(|&moves: &u32| moves > 0)?), times),
        None => (None, text),
    };
    let (base, increment) = times.split_once('+').unwrap_or((times, "0"));
    let seconds = |text: &str| {
        let value: f64 = text.parse().ok()?;
        (0.0..=1e6).contains(&value).then(|| Duration::from_secs_f64(value))
    };
    Some(TimeControl { base: seconds(base)?, increment: seconds(increment)?, moves })
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn clock_adds_increments_and_base_times() {
        let control = TimeControl { base: 10 * SECOND, increment: SECOND, moves: Some(2) };
        let mut clock = GameClock::new(control);
        clock.press(4 * SECOND);
        assert_eq!(clock.state(), ClockState { left: 7 * SECOND, increment: SECOND, moves_to_go: Some(1) });
        clock.press(5 * SECOND);
        assert_eq!(clock.state(), ClockState { left: 13 * SECOND, increment: SECOND, moves_to_go: Some(2) });
    }

    #[test]
    fn clock_does_not_charge_time_within_the_margin() {
        let control = TimeControl { base: SECOND, increment: SECOND, moves: None };
        let mut clock = GameClock::new(control);
        clock.press(2 * SECOND);
        assert_eq!(clock.left(), SECOND);
    }
}
