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

// When a card is due, by all answers of the person. It counts in days of the person: steps of minutes, which schedulers have
// for words, are left out, as a position takes a minute itself.
//
// The scheduler is FSRS 5 with its usual parameters, in whole days: how well something is remembered after an answer, and
// when it is to be asked again so that nine of ten answers are right. The formulas and parameters are those of the project
// open-spaced-repetition. Its crate `rs-fsrs` is not used: it brings `chrono` with all features, which asks a browser for
// the time by `wasm-bindgen`, and our module has no such host. A test compares intervals with those of the crate.

/// A card that was answered right on so many days, and never wrong, is not due again for `REST_DAYS`.
const KNOWN_ANSWERS: u32 = 3;
const REST_DAYS: u32 = 90;

/// The day when a card with these answers, in the order of their times, is due; none without answers.
///
/// An answer from the future, by a clock that was wrong, counts as one of the day of the answer before it, or of today: it
/// delays nothing, and the next answers count from their own days.
pub fn due_day<'a>(answers: impl Iterator<Item = &'a Answer>, today: Day) -> Option<Day> {
    let (mut memory, mut days) = (None, 0);
    let (mut last, mut known, mut was_wrong) = (None, 0, false);
    for answer in answers {
        let day = Some(answer.day()).filter(|&day| day <= today).or(last).unwrap_or(today);
        let day = last.map_or(day, |last: Day| day.max(last));
        known += u32::from(last != Some(day));
        was_wrong |= !answer.rating.is_right();
        let elapsed = last.map_or(0, |last: Day| day.number() - last.number());
        let (after, interval) = Memory::after_answer(memory, elapsed, answer.rating.into());
        (memory, days, last) = (Some(after), interval, Some(day));
    }
    let is_known = known >= KNOWN_ANSWERS && !was_wrong;
    Some(last?.after(if is_known { days.max(REST_DAYS) } else { days }))
}

/// The parameters w0 to w18. Those for several answers on one day are not used.
const W: [f64; 19] = [
    0.4072, 1.1829, 3.1262, 15.4722, 7.2102, 0.5316, 1.0651, 0.0234, 1.616, 0.1544, 1.0824, 1.9813, 0.0953, 0.2975,
    2.2042, 0.2407, 2.9466, 0.5034, 0.6567,
];
/// The curve of forgetting is a power of the time; with this factor nine of ten are right after as many days as the stability.
const DECAY: f64 = -0.5;
const FACTOR: f64 = 19.0 / 81.0;
/// The longest interval in days.
const MAX_DAYS: f64 = 36_500.0;

/// What is known of the memory of a card.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Memory {
    /// After so many days nine of ten answers are right.
    stability: f64,
    /// From 1 to 10.
    difficulty: f64,
}

impl Memory {
    /// The memory after an answer so many days after the last one, and the days to the next question. `rating` is 1 for a
    /// wrong answer, 2, 3 or 4 for a right one.
    pub fn after_answer(before: Option<Memory>, elapsed_days: u32, rating: u8) -> (Memory, u32) {
        let all = [1.0, 2.0, 3.0, 4.0].map(|rating| match before {
            None => Memory::first(rating),
            Some(before) => before.next(f64::from(elapsed_days), rating),
        });
        // A better answer has a longer interval.
        let [wrong, hard, right, easy] = all.map(|memory| memory.stability.round().clamp(1.0, MAX_DAYS));
        let wrong = wrong.min(hard);
        let hard = hard.max(wrong + 1.0);
        let right = right.max(hard + 1.0);
        let days = [wrong, hard, right, easy.max(right + 1.0)];
        let index = usize::from(rating.clamp(1, 4)) - 1;
        (all[index], days[index] as u32)
    }

    fn first(rating: f64) -> Memory {
        Memory { stability: W[rating as usize - 1].max(0.1), difficulty: first_difficulty(rating) }
    }

    fn next(self, elapsed_days: f64, rating: f64) -> Memory {
        let Memory { stability, difficulty } = self;
        let recalled = (1.0 + FACTOR * elapsed_days / stability).powf(DECAY);
        let moved = difficulty - W[6] * (rating - 3.0);
        let next_difficulty = (W[7] * first_difficulty(4.0) + (1.0 - W[7]) * moved).clamp(1.0, 10.0);
        let next_stability = if rating < 2.0 {
            W[11] * difficulty.powf(-W[12]) * ((stability + 1.0).powf(W[13]) - 1.0) * ((1.0 - recalled) * W[14]).exp()
        } else {
            let factor = match rating as u8 {
                2 => W[15],
                4 => W[16],
                _ => 1.0,
            };
            let growth = W[8].exp() * (11.0 - difficulty) * stability.powf(-W[9]) * ((1.0 - recalled) * W[10]).exp_m1();
            stability * (1.0 + growth * factor)
        };
        Memory { stability: next_stability, difficulty: next_difficulty }
    }
}

fn first_difficulty(rating: f64) -> f64 {
    (W[4] - (W[5] * (rating - 1.0)).exp() + 1.0).clamp(1.0, 10.0)
}
