//! What is kept of a game beside its moves, and which games a question is about.

use crate::review::{PlayerNames, player_of};
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

/// Which games count. Without a wish all do.
#[derive(Clone, Debug, Default)]
pub struct GameFilter {
    /// A player who took part.
    pub player: Option<PlayerNames>,
    /// The side of that player; without a player it says nothing.
    pub colour: Option<Color>,
    pub since: Option<GameDate>,
    pub until: Option<GameDate>,
    /// Any of these results; empty = all.
    pub results: Vec<GameResult>,
    /// A part of the path of the file.
    pub source: Option<String>,
}

impl GameFilter {
    /// Whether all games count.
    pub fn is_empty(&self) -> bool {
        self.player.is_none()
            && self.since.is_none()
            && self.until.is_none()
            && self.results.is_empty()
            && self.source.is_none()
    }

    /// Whether a game of this file counts.
    pub fn includes(&self, game: &GameFacts, source: &str) -> bool {
        let is_player = |color, name: &str| self.may_be(color) && self.is_named(name);
        self.includes_result(game.result, game.date)
            && (self.player.is_none() || is_player(Color::Red, &game.red) || is_player(Color::Black, &game.black))
            && self.includes_source(source)
    }

    pub(super) fn includes_result(&self, result: GameResult, date: GameDate) -> bool {
        (self.results.is_empty() || self.results.contains(&result))
            && self.since.is_none_or(|since| date.may_be_since(since))
            && self.until.is_none_or(|until| date.may_be_until(until))
    }

    pub(super) fn includes_source(&self, source: &str) -> bool {
        self.source.as_deref().is_none_or(|wanted| source.contains(wanted))
    }

    /// Whether the player may have had this side.
    pub(super) fn may_be(&self, color: Color) -> bool {
        self.colour.is_none_or(|wanted| wanted == color)
    }

    /// Whether this is a name of the player.
    pub(super) fn is_named(&self, name: &str) -> bool {
        self.player.as_ref().is_none_or(|player| !name.is_empty() && player.include(name))
    }
}
