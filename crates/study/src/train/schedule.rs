//! When a card is due, by all answers of the person. It counts in days of the person: steps of minutes, which schedulers have
//! for words, are left out, as a position takes a minute itself.
//!
//! The scheduler is FSRS 5 with its usual parameters, in whole days: how well something is remembered after an answer, and
//! when it is to be asked again so that nine of ten answers are right. The formulas and parameters are those of the project
//! open-spaced-repetition. Its crate `rs-fsrs` is not used: it brings `chrono` with all features, which asks a browser for
//! the time by `wasm-bindgen`, and our module has no such host. A test compares intervals with those of the crate.

use super::event::Answer;
use super::event::Day;

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
