//! The events that a deck consists of, each a line of its file, and the days of the person, on which cards are due. All that
//! is known of a deck follows from the set of its events, whatever their order: two devices merge their decks by exchanging
//! them.

use super::card::{Card, CardId, move_list};
use super::endings::EndingSide;
use chuhe_support::date;
use serde::{Deserialize, Serialize};
use std::fmt;
use xiangqi::{Color, Move};

/// The first line of a file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Header {
    /// What the file is: `train`.
    pub chuhe: String,
    pub format: u32,
    /// The device that writes it, in hexadecimal digits.
    #[serde(default)]
    pub device: DeviceId,
}

/// A device, by a random number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize, Deserialize)]
pub struct DeviceId(pub u32);

/// How well the person knew an answer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub enum AnswerRating {
    Wrong = 1,
    Hard = 2,
    Right = 3,
    Easy = 4,
}

impl AnswerRating {
    pub fn is_right(self) -> bool {
        self != AnswerRating::Wrong
    }
}

impl TryFrom<u8> for AnswerRating {
    type Error = &'static str;

    fn try_from(number: u8) -> Result<AnswerRating, &'static str> {
        use AnswerRating as R;
        [R::Wrong, R::Hard, R::Right, R::Easy].into_iter().find(|&rating| rating as u8 == number).ok_or("no rating")
    }
}

impl From<AnswerRating> for u8 {
    fn from(rating: AnswerRating) -> u8 {
        rating as u8
    }
}

/// An answer to a card.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Answer {
    /// Seconds since 1970, and the person's time zone then: minutes east of UTC.
    pub at: i64,
    #[serde(default)]
    pub offset: i16,
    pub device: DeviceId,
    pub rating: AnswerRating,
    /// Another person, by the name of the deck that he has sent: no concern of the schedule.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<Box<str>>,
}

/// The move that the person tried first. Its moment and its device are those of the answer; earlier versions keep the line and
/// leave it out.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TriedMove {
    pub card: CardId,
    pub stamp: EditStamp,
    #[serde(rename = "move")]
    pub mv: Move,
}

/// What the person changes of a card: each part that is set.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct CardEdit {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub flagged: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deck: Option<String>,
    /// Taken out of the deck.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dropped: Option<bool>,
}

impl CardEdit {
    /// Its parts, each alone; those that are not set change nothing.
    pub(super) fn parts(&self) -> [CardEdit; 4] {
        let CardEdit { flagged, note, deck, dropped } = self.clone();
        let none = CardEdit::default;
        [
            CardEdit { flagged, ..none() },
            CardEdit { note, ..none() },
            CardEdit { deck, ..none() },
            CardEdit { dropped, ..none() },
        ]
    }
}

/// When a part was changed: of two changes the later one counts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize, Deserialize)]
pub struct EditStamp {
    pub at: i64,
    pub device: DeviceId,
}

/// A game that was reviewed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ReviewedGame {
    /// The hash of its moves (see [`super::game_hash`]).
    pub hash: CardId,
    /// When, in seconds since 1970.
    pub at: i64,
    /// The mistakes in it.
    pub mistakes: u32,
    /// It could not be reviewed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub failed: bool,
    /// The month in which it was played, such as `2026-11`, and the accuracy of the person in tenths; earlier versions wrote
    /// neither.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub month: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accuracy: Option<u16>,
}

/// An ending that the person has won or held.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct EndingPass {
    /// The name of its table.
    pub ending: String,
    pub side: EndingSide,
    /// The position from which.
    pub start: CardId,
    /// When, in seconds since 1970.
    pub at: i64,
}

/// A tactic that the person has tried.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct TacticAnswer {
    /// When, in seconds since 1970, and the person's time zone then: minutes east of UTC.
    pub at: i64,
    #[serde(default)]
    pub offset: i16,
    pub device: DeviceId,
    /// The position.
    pub tactic: CardId,
    pub difficulty: u16,
    pub right: bool,
    /// It counts for the rating: it was chosen at the level of the person.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub rated: bool,
}

/// As many tactics as the person could: in three minutes, or until three were wrong.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct TacticRun {
    /// When it ended, in seconds since 1970, and the person's time zone then.
    pub at: i64,
    #[serde(default)]
    pub offset: i16,
    pub device: DeviceId,
    pub solved: u32,
}

/// The moves that a repertoire has in a position: the last change counts. With none the position is in it no more.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct OpeningMoves {
    pub colour: Color,
    /// The mirror key of the position; the moves are in its orientation.
    pub position: CardId,
    #[serde(with = "move_list")]
    pub moves: Vec<Move>,
    pub stamp: EditStamp,
}

/// A line of a deck's file: `{"answer":{"card":…}}`. Neither tags within nor flattened parts: to read these takes several times
/// as much code, which a page without a server downloads.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Event {
    Card(Box<Card>),
    Answer { card: CardId, answer: Answer },
    Edit { card: CardId, stamp: EditStamp, edit: CardEdit },
    Game(ReviewedGame),
    Ending(EndingPass),
    Tactic(TacticAnswer),
    TacticRun(TacticRun),
    Opening(OpeningMoves),
    Tried(TriedMove),
}

impl Event {
    /// The kinds, as lines name them.
    pub const KINDS: [&str; 9] =
        ["card", "answer", "edit", "game", "ending", "tactic", "tactic-run", "opening", "tried"];

    /// The card that it adds.
    pub fn new_card(&self) -> Option<CardId> {
        if let Event::Card(card) = self { Some(card.id) } else { None }
    }

    /// The card that it is of.
    pub fn needs(&self) -> Option<CardId> {
        match self {
            Event::Answer { card, .. } | Event::Edit { card, .. } | Event::Tried(TriedMove { card, .. }) => Some(*card),
            _ => None,
        }
    }

    /// When a change was made that a later one takes the place of.
    pub fn stamp(&self) -> Option<EditStamp> {
        match self {
            Event::Edit { stamp, .. } | Event::Opening(OpeningMoves { stamp, .. }) => Some(*stamp),
            _ => None,
        }
    }

    /// Whether another change can come after it: there are stamps left.
    pub fn can_be_followed(&self) -> bool {
        self.stamp().is_none_or(|stamp| stamp.at <= LAST_STAMP)
    }
}

/// Later changes count for nothing: none could follow them.
const LAST_STAMP: i64 = i64::MAX - (1 << 32);

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
