//! When a card is due: FSRS with its usual parameters over all answers of the person. It counts in days of the person; steps
//! of minutes, which FSRS has for words, are left out: a position takes a minute itself.

use super::day::Day;
use super::event::{Answer, AnswerRating};
use chrono::{DateTime, Utc};
use rs_fsrs::{FSRS, Parameters, Rating};
use std::sync::LazyLock;

/// What was known this often, on as many days and with no wrong answer, rests for so many days at least.
const KNOWN_ANSWERS: u32 = 3;
const REST_DAYS: u32 = 90;

static SCHEDULER: LazyLock<FSRS> =
    LazyLock::new(|| FSRS::new(Parameters { enable_short_term: false, ..Parameters::default() }));

/// The day when a card with these answers, in the order of their times, is due; none without answers.
///
/// An answer from the future, by a clock that was wrong, counts as one of the day of the answer before it, or of today: it
/// delays nothing, and the next answers count from their own days.
pub fn due_day<'a>(answers: impl Iterator<Item = &'a Answer>, today: Day) -> Option<Day> {
    let mut card = rs_fsrs::Card::default();
    let (mut last, mut known, mut was_wrong) = (None, 0, false);
    for answer in answers {
        let day = Some(answer.day()).filter(|&day| day <= today).or(last).unwrap_or(today);
        let day = last.map_or(day, |last: Day| day.max(last));
        known += u32::from(last != Some(day));
        was_wrong |= !answer.rating.is_right();
        card = SCHEDULER.next(card, time(day), rating(answer.rating)).card;
        last = Some(day);
    }
    let last = last?;
    let days = u32::try_from((card.due - time(last)).num_days()).unwrap_or_default().max(1);
    let is_known = known >= KNOWN_ANSWERS && !was_wrong;
    Some(last.after(if is_known { days.max(REST_DAYS) } else { days }))
}

fn time(day: Day) -> DateTime<Utc> {
    DateTime::from_timestamp(i64::from(day.number()) * 86_400, 0).unwrap_or_default()
}

fn rating(rating: AnswerRating) -> Rating {
    match rating {
        AnswerRating::Wrong => Rating::Again,
        AnswerRating::Hard => Rating::Hard,
        AnswerRating::Right => Rating::Good,
        AnswerRating::Easy => Rating::Easy,
    }
}
