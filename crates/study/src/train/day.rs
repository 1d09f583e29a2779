//! The days of the person: cards are due on days, not at times.

use super::event::Answer;
use chuhe_support::date;
use std::fmt;

/// The last day that is a date with four digits of the year.
const LAST: i64 = 2_932_896;
/// No time zone is further from UTC.
const MAX_OFFSET: i16 = 24 * 60;

/// A day in the person's time zone, counted from 1970.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Day(u32);

impl Day {
    /// The day of a moment: seconds since 1970, where clocks are so many minutes before UTC.
    pub fn of(at: i64, offset: i16) -> Day {
        let local = at.saturating_add(60 * i64::from(offset.clamp(-MAX_OFFSET, MAX_OFFSET)));
        Day(local.div_euclid(86_400).clamp(0, LAST) as u32)
    }

    /// So many days later.
    pub fn after(self, days: u32) -> Day {
        Day(self.0.saturating_add(days).min(LAST as u32))
    }

    pub fn next(self) -> Day {
        self.after(1)
    }

    /// The days from 1970.
    pub fn number(self) -> u32 {
        self.0
    }

    /// The month: `2026-11`.
    pub fn month(self) -> String {
        self.to_string()[..7].to_string()
    }
}

/// `2026-11-26`
impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&date::iso_day(self.0))
    }
}

impl Answer {
    /// The person's day of the answer.
    pub fn day(&self) -> Day {
        Day::of(self.at, self.offset)
    }
}
