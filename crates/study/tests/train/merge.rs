//! Two devices: a deck is the same whatever the order in which its events come, and nothing is lost.

use super::{DAY, NOON, answer, card, deck, first_card};
use crate::support::moves;
use chuhe_study::train::AnswerRating::{Right, Wrong};
use chuhe_study::train::{
    CardEdit, CardId, Deck, DeckFile, DeviceId, EditStamp, Event, OpeningMoves, ReviewedGame, TacticAnswer, TacticRun,
};
use chuhe_testing::Folder;
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::sync::Arc;
use xiangqi::Color;

fn edit(card: CardId, at: i64, device: u32, edit: CardEdit) -> Event {
    Event::Edit { card, stamp: EditStamp { at, device: DeviceId(device) }, edit }
}

fn note(text: &str) -> CardEdit {
    CardEdit { note: Some(text.to_string()), ..CardEdit::default() }
}

/// All that a deck tells, as lines in order.
fn told(deck: &Deck) -> BTreeSet<String> {
    deck.events().map(|event| serde_json::to_string(&event).expect("JSON")).collect()
}

/// Events of two devices about three positions, some of which contradict each other.
fn some_event() -> impl Strategy<Value = Event> {
    (0..3usize, 0..10u8, 0..4i64, 1..3u32).prop_map(|(which, what, time, device)| {
        let mut card = card(
            ["h2e2 g6g5", "h2e2", "b2e2"][which],
            ["h0g2", "h9g7", "h9g7"][which],
            ["a0a1", "a9a8", "a9a8"][which],
        );
        let (id, at) = (card.id, NOON + time * DAY);
        match what {
            0 => {
                card.added = at;
                card.lost = f64::from(device) / 10.0;
                Event::Card(Box::new(card))
            }
            1 => Event::Answer {
                card: id,
                answer: chuhe_study::train::Answer { device: DeviceId(device), ..answer(at, Right) },
            },
            2 => edit(id, at, device, note(&format!("note {}", time + i64::from(device)))),
            3 => edit(id, at, device, CardEdit { dropped: Some(device == 1), ..CardEdit::default() }),
            4 => edit(
                id,
                at,
                device,
                CardEdit { deck: Some(format!("deck {time}")), flagged: Some(time > 1), ..CardEdit::default() },
            ),
            5 => Event::Game(ReviewedGame {
                hash: id,
                at,
                mistakes: device,
                failed: device == 1,
                month: String::new(),
                accuracy: None,
            }),
            6 => Event::Opening(OpeningMoves {
                colour: if which == 0 { Color::Red } else { Color::Black },
                position: id,
                moves: moves(["", "h0g2", "h0g2 b0c2"][time as usize % 3]),
                stamp: EditStamp { at, device: DeviceId(device) },
            }),
            7 => Event::Tactic(TacticAnswer {
                at,
                offset: 480,
                device: DeviceId(device),
                tactic: id,
                difficulty: 1200,
                right: time > 1,
                rated: true,
            }),
            8 => Event::TacticRun(TacticRun { at, offset: 0, device: DeviceId(device), solved: device }),
            _ => Event::Answer { card: id, answer: answer(at, Wrong) },
        }
    })
}

proptest! {
    #![proptest_config(chuhe_testing::property_cases(256))]

    #[test]
    fn deck_does_not_depend_on_the_order_of_its_events(
        events in prop::collection::vec(some_event(), 0..24),
        order in any::<prop::sample::Index>(),
    ) {
        let once = deck(events.clone());
        let mut other = events.clone();
        other.reverse();
        let middle = order.index(other.len().max(1)).min(other.len());
        other.rotate_left(middle);
        // Each event comes twice, as from an export that is imported again.
        other.extend(events.clone());
        prop_assert_eq!(told(&once), told(&deck(other)));
        // What is written tells the same.
        prop_assert_eq!(told(&once), told(&deck(once.events())));
        let answers = events.iter().filter(|event| matches!(event, Event::Answer { .. }));
        let distinct: BTreeSet<String> = answers.map(|event| serde_json::to_string(event).expect("JSON")).collect();
        prop_assert!(distinct.is_subset(&told(&once)), "no answer is lost");
    }
}

#[test]
fn later_change_wins_and_one_of_this_device_always_counts() {
    let id = first_card().id;
    let mut deck = deck([
        Event::Card(Box::new(first_card())),
        edit(id, NOON + 50, 1, note("late")),
        edit(id, NOON + 40, 2, note("early")),
    ]);
    let text = |deck: &Deck| deck.get(id).map(|(_, state)| state.note().to_string());
    assert_eq!(text(&deck).as_deref(), Some("late"));
    // The clock of this device has gone back since.
    let again = deck.edit(id, note("now"), NOON - DAY, DeviceId(2));
    assert!(deck.apply(again));
    assert_eq!(text(&deck).as_deref(), Some("now"));
    // An answer within the second of another one is another one.
    for rating in [Wrong, Right] {
        let event = deck.answer(id, answer(NOON, rating));
        assert!(deck.apply(event));
    }
    assert_eq!(deck.get(id).map(|(_, state)| state.answers().len()), Some(2));
}

#[test]
fn devices_exchange_their_files() {
    let folders = [Folder::new(), Folder::new()];
    let [desk, phone] = [0, 1].map(|index| DeckFile::new(folders[index].root().to_path_buf().into(), Arc::default()));
    let id = first_card().id;
    let add = |file: &DeckFile, event: Event| file.deck().add(vec![event]).expect("room");
    add(&desk, Event::Card(Box::new(first_card())));
    add(&desk, Event::Answer { card: id, answer: answer(NOON, Wrong) });
    let brought = phone.deck().import(desk.deck().export(None, true).as_bytes(), "desk", None).expect("a deck");
    assert_eq!((brought.cards, brought.answers, brought.known, brought.bad), (1, 1, 0, 0));
    add(&phone, Event::Answer { card: id, answer: answer(NOON + DAY, Right) });
    add(&phone, Event::Card(Box::new(card("h2e2", "h9g7", "a9a8"))));
    add(&desk, Event::Answer { card: id, answer: answer(NOON + 2 * DAY, Right) });
    let files = [&desk, &phone].map(|file| file.deck().export(None, true));
    let brought = desk.deck().import(files[1].as_bytes(), "phone", None).expect("a deck");
    assert_eq!((brought.cards, brought.answers, brought.known), (1, 1, 2));
    phone.deck().import(files[0].as_bytes(), "desk", None).expect("a deck");
    assert_eq!(told(desk.deck().get()), told(phone.deck().get()));
    assert_eq!(desk.deck().get().get(id).map(|(_, state)| state.answers().len()), Some(3));
    // And so it is after a restart.
    let again = DeckFile::new(folders[0].root().to_path_buf().into(), Arc::default());
    assert_eq!(told(again.deck().get()), told(phone.deck().get()));
}
