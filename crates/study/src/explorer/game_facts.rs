//! What is kept of a game beside its moves.

use crate::review::player_of;
use chuhe_support::language::tr;
use std::fmt;
use std::str::FromStr;
use thiserror::Error;
use xiangqi::Color;
use xiangqi_record::{Game, GameResult};

/// The day of a game, of which the month or the day may be unknown. Ordered by time; the unknown date comes first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Hash)]
pub struct GameDate {
    pub year: u16,
    /// 1 to 12, or 0.
    pub month: u8,
    /// 1 to 31, or 0.
    pub day: u8,
}

/// A text is no date.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{}", tr!("'{text}' is no date: expected a year, a year and a month, or a day such as 2026-11-27", text = _0))]
pub struct ParseDateError(String);

impl GameDate {
    pub const UNKNOWN: GameDate = GameDate { year: 0, month: 0, day: 0 };

    /// Reads a date as records have it: `2026.11.27`, `2026-11`, `2026年11月27日`, `1984.??.??`.
    pub fn from_record(text: &str) -> GameDate {
        let mut parts =
            text.split(|letter: char| !letter.is_ascii_digit() && letter != '?').filter(|part| !part.is_empty());
        let year = parts.next().filter(|year| year.len() == 4).and_then(|year| year.parse().ok());
        let Some(year) = year.filter(|year| *year > 0) else { return GameDate::UNKNOWN };
        let mut part = |most: u8| parts.next()?.parse().ok().filter(|number| (1..=most).contains(number));
        let month = part(12).unwrap_or(0);
        let day = if month == 0 { 0 } else { part(31).unwrap_or(0) };
        GameDate { year, month, day }
    }

    pub fn is_known(self) -> bool {
        self != GameDate::UNKNOWN
    }

    /// Whether a game of this day may have been played on that day or later.
    pub fn may_be_since(self, other: GameDate) -> bool {
        self.is_known() && self.compare(other).is_ge()
    }

    /// Whether a game of this day may have been played on that day or before.
    pub fn may_be_until(self, other: GameDate) -> bool {
        self.is_known() && self.compare(other).is_le()
    }

    /// Compares what is known of both.
    fn compare(self, other: GameDate) -> std::cmp::Ordering {
        let part = |own: u8, other: u8| if own == 0 || other == 0 { None } else { Some(own.cmp(&other)) };
        let month = || part(self.month, other.month);
        self.year.cmp(&other.year).then_with(|| match month() {
            Some(std::cmp::Ordering::Equal) => part(self.day, other.day).unwrap_or(std::cmp::Ordering::Equal),
            Some(order) => order,
            None => std::cmp::Ordering::Equal,
        })
    }

    /// The date in 23 bits, in the same order.
    pub(super) fn to_bits(self) -> u32 {
        u32::from(self.year.min((1 << 14) - 1)) << 9 | u32::from(self.month) << 5 | u32::from(self.day)
    }

    pub(super) fn from_bits(bits: u32) -> GameDate {
        GameDate { year: (bits >> 9 & 0x3FFF) as u16, month: (bits >> 5 & 15) as u8, day: (bits & 31) as u8 }
    }
}

impl fmt::Display for GameDate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GameDate { year: 0, .. } => f.pad(""),
            GameDate { year, month: 0, .. } => f.pad(&format!("{year:04}")),
            GameDate { year, month, day: 0 } => f.pad(&format!("{year:04}-{month:02}")),
            GameDate { year, month, day } => f.pad(&format!("{year:04}-{month:02}-{day:02}")),
        }
    }
}

impl FromStr for GameDate {
    type Err = ParseDateError;

    /// Reads a date that a person writes.
    fn from_str(text: &str) -> Result<GameDate, ParseDateError> {
        let date = GameDate::from_record(text.trim());
        let numbers = text.split(|letter: char| !letter.is_ascii_digit()).filter(|part| !part.is_empty()).count();
        let read = usize::from(date.is_known()) + usize::from(date.month > 0) + usize::from(date.day > 0);
        if read > 0 && numbers == read { Ok(date) } else { Err(ParseDateError(text.chars().take(20).collect())) }
    }
}

/// What is kept of a game beside its moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameFacts {
    /// Empty if unknown.
    pub red: String,
    pub black: String,
    pub date: GameDate,
    pub result: GameResult,
}

/// The most bytes that are kept of a name.
const MAX_NAME: usize = 120;

impl GameFacts {
    pub fn of(game: &Game) -> GameFacts {
        let name = |color| {
            let name = player_of(game, color).unwrap_or_default();
            let end = (0..=MAX_NAME.min(name.len())).rev().find(|&end| name.is_char_boundary(end)).unwrap_or(0);
            name[..end].to_string()
        };
        let date = ["Date", "UTCDate"].into_iter().map(|tag| GameDate::from_record(game.tag(tag).unwrap_or_default()));
        GameFacts {
            red: name(Color::Red),
            black: name(Color::Black),
            date: date.into_iter().find(|date| date.is_known()).unwrap_or_default(),
            result: game.result,
        }
    }
}
