//! A time control, as people write it: `10+0.1`, `60`, `40/60+0.5`.

use chuhe_engine::language::tr;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;
use thiserror::Error;

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
