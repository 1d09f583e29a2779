//! Due dates: FSRS over the answers, in the days of the person.

use super::{DAY, NOON, answer, deck, first_card};
use chuhe_study::train::AnswerRating::{Easy, Hard, Right, Wrong};
use chuhe_study::train::{Answer, AnswerRating, CardFilter, Day, Event};

/// The days from the last answer to the due date of a card with these answers, given so many days after the first one.
fn interval(answers: &[(i64, AnswerRating)]) -> i64 {
    let last = answers.iter().map(|(day, _)| *day).max().expect("an answer");
    due(answers.iter().map(|&(day, rating)| answer(NOON + day * DAY, rating)), NOON + 5000 * DAY) - last
}

/// The due date in days after the first of the tests.
fn due(answers: impl IntoIterator<Item = Answer>, now: i64) -> i64 {
    let card = first_card().id;
    let answers = answers.into_iter().map(|answer| Event::Answer { card, answer });
    let mut deck = deck([Event::Card(Box::new(first_card()))].into_iter().chain(answers));
    deck.set_today(Day::of(now, 0));
    let due = deck.get(card).and_then(|(_, state)| state.due()).expect("it was answered");
    i64::from(due.number()) - i64::from(Day::of(NOON, 0).number())
}

/// Intervals of the crate `rs-fsrs` 1.2.1 with its usual parameters and without short terms: the days since the last answer,
/// the rating, and the days to the next question.
const INTERVALS: [&str; 14] = [
    "0:2=2 39:3=28 36:3=83 9:4=123",
    "0:3=3 27:3=47 30:3=104 32:3=159 7:3=171",
    "0:3=3 8:1=1 2:3=5 6:1=2 1:3=3 21:1=2",
    "0:2=2 2:2=2 2:4=13 13:1=2 2:3=5",
    "0:3=3 10:3=26 35:2=42 42:3=106 112:4=548 553:3=1259",
    "0:2=2 9:3=15 21:1=3 12:3=14 22:3=36 45:4=156 157:3=319 322:3=627",
    "0:3=3 3:3=11 11:4=85 85:4=580 580:4=3481",
    "0:1=1 1:1=1",
    "0:2=2 2:1=1 2:3=3 11:3=14 22:2=20 28:2=24 25:2=26 34:3=37",
    "0:4=15 28:3=91 4:1=5 14:1=2 35:4=81 19:3=109 37:3=162 15:3=183",
    "0:3=3 32:3=51 24:4=185 25:4=326 3:3=333 33:2=349 31:4=509 22:1=10",
    "0:2=2 24:3=24 9:3=40 7:3=51 2:4=61 37:3=129 13:4=196",
    "0:1=1 2:1=1 6:3=3 4:4=14 18:4=76 79:3=175",
    "0:3=3 3:3=11 11:2=17 17:1=3 3:1=1 1:1=1 1:1=1 1:3=3",
];

#[test]
fn intervals_are_those_of_fsrs() {
    for row in INTERVALS {
        let (mut day, mut answers) = (0, Vec::new());
        for step in row.split(' ') {
            let (elapsed, rest) = step.split_once(':').expect("a step");
            let (rating, days) = rest.split_once('=').expect("a step");
            day += elapsed.parse::<i64>().expect("days");
            let rating = AnswerRating::try_from(rating.parse::<u8>().expect("a rating")).expect("a rating");
            answers.push((day, rating));
            // What is known rests, see below.
            let is_known = answers.len() >= 3 && answers.iter().all(|(_, rating)| rating.is_right());
            let days = days.parse::<i64>().expect("days").max(if is_known { 90 } else { 0 });
            assert_eq!(interval(&answers), days, "{row}: {answers:?}");
        }
    }
}

#[test]
fn what_is_known_rests() {
    assert!(interval(&[(0, Right), (3, Right), (12, Right)]) >= 90);
    assert!(interval(&[(0, Hard), (1, Hard), (2, Hard)]) >= 90);
    assert!(interval(&[(0, Wrong), (1, Right), (4, Right), (12, Right)]) < 90, "a wrong answer counts");
    assert!(interval(&[(0, Right), (0, Right), (0, Right)]) < 90, "three times on one day is once");
}

#[test]
fn days_are_those_of_the_person() {
    let at = |at: i64, offset: i16| Day::of(at, offset).to_string();
    let midnight = 20_000 * DAY;
    assert_eq!((at(midnight, 0), at(midnight - 1, 0)), ("2024-10-04".to_string(), "2024-10-03".to_string()));
    assert_eq!((at(midnight - 1, 480), at(midnight, -60)), ("2024-10-04".to_string(), "2024-10-03".to_string()));
    // Late in the evening in Beijing, where it is still the day before for UTC.
    let late = Answer { offset: 480, ..answer(midnight + 15 * 3600, Right) };
    let early = Answer { offset: 480, ..answer(midnight + 17 * 3600, Right) };
    assert_eq!(due([late], NOON) + 1, due([early], NOON + DAY));
    for at in [i64::MIN, -1, i64::MAX] {
        assert!(Day::of(at, i16::MAX).to_string().len() == 10 && Day::of(at, i16::MIN).month().len() == 7);
    }
}

#[test]
fn clock_that_was_wrong_delays_nothing_and_loses_nothing() {
    let now = NOON + 3 * DAY;
    let future = answer(NOON + 4000 * DAY, Right);
    assert_eq!(
        due([answer(NOON, Right), future.clone()], now),
        due([answer(NOON, Right), answer(NOON + 1, Right)], now)
    );
    assert!(due([future.clone()], now) > 3);
    let days = due([answer(NOON, Right), future.clone(), answer(now, Right)], now);
    assert!((4..40).contains(&days), "{days}");
    // A clock that went back: the answer is there, and the interval is not negative.
    let back = due([answer(NOON, Right), answer(NOON - 500 * DAY, Right)], now);
    assert!(back > 0, "{back}");
    assert!(due([answer(i64::MIN, Wrong), answer(i64::MAX, Easy)], now) < 0, "it is overdue since 1970");
}

#[test]
fn some_new_cards_come_each_day_and_those_that_are_due_before_them() {
    let pawns =
        ["a3a4", "c3c4", "e3e4", "g3g4", "i3i4", "b2b3", "b2b4", "b2b5", "h2h3", "h2h4", "h2h5", "h2h6", "b2b6"];
    let cards: Vec<_> = pawns.iter().map(|mv| super::card(mv, "b9c7", "a9a8")).collect();
    let ids: Vec<_> = cards.iter().map(|card| card.id).collect();
    let mut deck = deck(cards.into_iter().map(|card| Event::Card(Box::new(card))));
    deck.set_today(Day::of(NOON, 0));
    let todays = deck.todays(CardFilter::default());
    assert_eq!((todays.cards.len(), todays.fresh, todays.done), (10, 10, 0));
    assert_eq!(todays.next, Some(Day::of(NOON + DAY, 0)), "more come tomorrow");
    // Two are answered: eight new ones are left.
    for (&id, rating) in ids.iter().zip([Wrong, Right]) {
        deck.apply(Event::Answer { card: id, answer: answer(NOON, rating) });
    }
    let todays = deck.todays(CardFilter::default());
    assert_eq!((todays.cards.len(), todays.fresh, todays.done), (8, 8, 2));
    deck.set_today(Day::of(NOON + 5 * DAY, 0));
    let todays = deck.todays(CardFilter::default());
    assert_eq!(
        (todays.cards[..2].to_vec(), todays.fresh),
        (vec![ids[0], ids[1]], 10),
        "the one that waits for longest"
    );
    assert_eq!(deck.todays(CardFilter { deck: Some("other"), kind: None }).cards, []);
}
