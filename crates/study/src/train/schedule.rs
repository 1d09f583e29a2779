//! When a card is due, by all answers of the person. It counts in days of the person: steps of minutes, which schedulers have
//! for words, are left out, as a position takes a minute itself.

use super::day::Day;
use super::event::Answer;
use super::fsrs::Memory;

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
