//! The clock of one side: what is left on it, what it says, and what that means to a searcher.
//!
//! A time control, as people write it: `10+0.1`, `60`, `40/60+0.5`.

use chuhe_engine::language::tr;
use chuhe_engine::search::Clock;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;
use thiserror::Error;

/// What a clock says.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ClockState {
    pub left: Duration,
    /// Added after each move.
    pub increment: Duration,
    /// Moves to the next base time; `None` in sudden death.
    pub moves_to_go: Option<u32>,
}

impl ClockState {
    /// The same in the searcher's words; the other side's clock beside it, where there is one.
    pub fn to_search_clock(self, opponent: Option<ClockState>) -> Clock {
        Clock {
            time: self.left,
            increment: self.increment,
            moves_to_go: self.moves_to_go,
            opponent_time: opponent.map(|reading| reading.left),
        }
    }
}

/// What one side has left, and the control that says what it gets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameClock {
    control: TimeControl,
    left: Duration,
    /// Moves made since the base time was last given.
    moves_made: u32,
}

impl GameClock {
    /// The clock at the start.
    pub fn new(control: TimeControl) -> GameClock {
        GameClock { control, left: control.base, moves_made: 0 }
    }

    /// A clock on which so many moves were made; with this much left, or as at the start.
    pub fn resumed(control: TimeControl, left: Option<Duration>, moves: u32) -> GameClock {
        let made = control.moves.map_or(moves, |of| moves % of);
        GameClock { control, left: left.unwrap_or(control.base), moves_made: made }
    }

    /// What the engine is told.
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

    /// Takes the time of a move off and gives what the control promises.
    pub fn press(&mut self, spent: Duration) {
        self.left = self.left.saturating_sub(spent) + self.control.increment;
        self.moves_made += 1;
        if Some(self.moves_made) == self.control.moves {
            self.left += self.control.base;
            self.moves_made = 0;
        }
    }
}

/// Base time, increment, and how many moves the base is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeControl {
    /// Time at the start, and again after every `moves` moves.
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

/// A text that is no time control.
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
    fn increments_and_base_times_are_given() {
        let control = TimeControl { base: 10 * SECOND, increment: SECOND, moves: Some(2) };
        let mut clock = GameClock::new(control);
        clock.press(4 * SECOND);
        assert_eq!(clock.state(), ClockState { left: 7 * SECOND, increment: SECOND, moves_to_go: Some(1) });
        clock.press(5 * SECOND);
        assert_eq!(clock.state(), ClockState { left: 13 * SECOND, increment: SECOND, moves_to_go: Some(2) });
    }

    #[test]
    fn what_the_margin_forgave_is_not_owed() {
        let control = TimeControl { base: SECOND, increment: SECOND, moves: None };
        let mut clock = GameClock::new(control);
        clock.press(2 * SECOND);
        assert_eq!(clock.left(), SECOND);
    }
}
