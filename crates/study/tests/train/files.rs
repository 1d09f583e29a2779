//! The file of a deck: torn, newer, foreign, damaged, and on a disk that fails.

use super::{DAY, NOON, answer, card, deck, first_card};
use crate::support::moves;
use chuhe_study::game::saved_games::{SavedGamesError, WriteAccess};
use chuhe_study::train::AnswerRating::{Right, Wrong};
use chuhe_study::train::{
    Card, CardEdit, CardId, Deck, DeckError, DeckFile, DeviceId, EditStamp, Event, ImportCount, OpeningMoves,
    ReviewedGame, TacticAnswer, TacticRun, TriedMove,
};
use chuhe_testing::Folder;
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::fs;
use std::sync::Arc;
use xiangqi::Color;

fn open(folder: &Folder) -> DeckFile {
    DeckFile::new(folder.root().to_path_buf().into(), Arc::default())
}

/// A deck with a card and two answers.
fn filled(folder: &Folder) -> DeckFile {
    let file = open(folder);
    let id = first_card().id;
    file.deck().add(vec![Event::Card(Box::new(first_card()))]).expect("room");
    for (day, rating) in [(0, Wrong), (1, Right)] {
        let event = Event::Answer { card: id, answer: answer(NOON + day * DAY, rating) };
        assert_eq!(file.deck().add(vec![event.clone(), event]).expect("room"), 1, "once");
    }
    file
}

fn answers(file: &DeckFile) -> usize {
    file.deck().get().get(first_card().id).map_or(0, |(_, state)| state.answers().len())
}

#[test]
fn lines_are_added_and_read_again() {
    let folder = Folder::new();
    let file = filled(&folder);
    let text = folder.text("train.jsonl");
    assert!(text.starts_with("{\"chuhe\":\"train\",\"format\":1,\"device\":"), "{text}");
    assert_eq!((text.lines().count(), folder.names()), (4, vec!["train.jsonl".to_string()]));
    let again = open(&folder);
    assert_eq!(
        (answers(&again), again.deck().get().get(first_card().id).map(|(card, _)| card.clone())),
        (2, Some(first_card()))
    );
    assert_eq!(again.deck().device(), file.deck().device(), "it is the same device");
    // A second program reads, and writes nothing.
    let access = Arc::new(WriteAccess::denied(SavedGamesError::InUse));
    let reader = DeckFile::new(folder.root().to_path_buf().into(), Arc::clone(&access));
    let event = Event::Answer { card: first_card().id, answer: answer(NOON + 9 * DAY, Right) };
    assert!(matches!(reader.deck().add(vec![event.clone()]), Err(DeckError::NotWritable(_))));
    file.deck().add(vec![event]).expect("room");
    assert_eq!((answers(&reader), reader.deck().refusal().is_some()), (3, true));
    assert!(reader.deck().refusal().is_some_and(|why| why.to_string().contains("Another program")));
    // It says why, and writes as soon as it may.
    access.set(Err(SavedGamesError::NoFolder));
    let why = reader.deck().refusal().expect("a reason").to_string();
    assert!(why.contains("HOME") && !why.contains("Another program"), "{why}");
    access.set(Ok(()));
    assert!(reader.deck().refusal().is_none());
}

#[test]
fn torn_line_is_cut_off_and_the_rest_stays() {
    let folder = Folder::new();
    filled(&folder);
    let whole = folder.text("train.jsonl");
    let third = whole.lines().take(3).map(|line| line.len() + 1).sum::<usize>();
    for length in third..whole.len() {
        folder.write("train.jsonl", &whole.as_bytes()[..length]);
        let file = open(&folder);
        assert_eq!(answers(&file), 1, "cut to {length}");
        let event = Event::Answer { card: first_card().id, answer: answer(NOON + 5 * DAY, Right) };
        file.deck().add(vec![event]).expect("room");
        assert!(folder.text("train.jsonl").starts_with(&whole[..third]));
        assert_eq!((answers(&open(&folder)), folder.text("train.jsonl").lines().count()), (2, 4));
    }
}

#[test]
fn file_of_a_newer_version_or_of_others_is_left_alone() {
    let folder = Folder::new();
    let event = || vec![Event::Card(Box::new(first_card()))];
    for (text, is_newer) in [
        ("{\"chuhe\":\"train\",\"format\":2,\"device\":1}\n{\"wonder\":{}}\n", true),
        ("{\"chuhe\":\"review\",\"format\":1}\n", false),
        ("my own notes\n", false),
        ("no end of line", false),
    ] {
        folder.write("train.jsonl", text);
        let file = open(&folder);
        let added = file.deck().add(event()).map(drop);
        let imported = file.deck().import(b"", "x", None).map(drop);
        for error in [added, imported] {
            let error = error.expect_err(text);
            assert_eq!(matches!(error, DeckError::Newer(_)), is_newer, "{text}: {error}");
            assert!(error.to_string().contains("train.jsonl"), "{error}");
        }
        let deck = file.deck();
        assert!(deck.refusal().is_some() && deck.get().is_empty());
        drop(deck);
        assert_eq!(folder.text("train.jsonl"), text);
        // Once it is out of the way, everything is kept again.
        fs::remove_file(folder.path("train.jsonl")).expect("a file");
        file.deck().add(event()).expect("room");
    }
    // What begins like ours and was never whole is none of ours to keep.
    for text in ["", "{\"chu", "{\"chuhe\":\"train\",\"for"] {
        folder.write("train.jsonl", text);
        open(&folder).deck().add(event()).expect("room");
        assert_eq!(folder.text("train.jsonl").lines().count(), 2);
    }
}

#[test]
fn rubbish_is_not_imported() {
    let folder = Folder::new();
    let file = filled(&folder);
    for bytes in [&b""[..], b"\xff\xfe\n", b"{}\n", b"[]\n{}\n", b"{\"chuhe\":\"train\",\"format\":1,\"device\":1}"] {
        assert!(matches!(file.deck().import(bytes, "a.txt", None), Err(DeckError::Foreign(_))));
    }
    // Of a file with bad lines and unsound cards the rest is taken.
    let mut unsound = card("h2e2", "h9g7", "a9a8");
    unsound.line = crate::support::moves("a0a9");
    let mut other = card("h2e2 h9g7", "h0g2", "a0a1");
    other.id = first_card().id;
    let mut text = file.deck().export(None, true);
    for bad in [unsound, other] {
        text += &serde_json::to_string(&Event::Card(Box::new(bad))).expect("JSON");
        text += "\n";
    }
    text += "{\"answer\":{}}\nnothing\n";
    let brought = file.deck().import(text.as_bytes(), "b.jsonl", None).expect("a deck");
    assert_eq!((brought.cards, brought.answers, brought.known, brought.bad), (0, 0, 3, 4));
}

#[test]
fn file_with_many_lines_for_nothing_is_written_anew() {
    let folder = Folder::new();
    let file = filled(&folder);
    for number in 0..1100 {
        let edit = chuhe_study::train::CardEdit { flagged: Some(number % 2 == 0), ..Default::default() };
        let event = file.deck().get().edit(first_card().id, edit, NOON + number, chuhe_study::train::DeviceId(1));
        file.deck().add(vec![event]).expect("room");
    }
    // What a newer version may know stays; what is no line of it goes.
    let wonder = "{\"wonder\":{\"card\":\"00ff\",\"at\":7}}";
    let text = folder.text("train.jsonl");
    assert!(text.lines().count() > 1100);
    folder.write("train.jsonl", format!("{text}{wonder}\n{{\"answer\":{{}}}}\nrubbish\n"));
    assert_eq!(answers(&open(&folder)), 2);
    let text = folder.text("train.jsonl");
    assert_eq!(text.lines().count(), 6, "{text}");
    assert!(text.lines().any(|line| line == wonder));
    assert_eq!((answers(&open(&folder)), folder.text("train.jsonl")), (2, text), "it is not written again");
}

/// The file of another device with these events.
fn export_of(events: &[Event]) -> String {
    let lines = events.iter().map(|event| serde_json::to_string(event).expect("JSON") + "\n");
    "{\"chuhe\":\"train\",\"format\":1,\"device\":7}\n".to_string() + &lines.collect::<String>()
}

fn import(file: &DeckFile, events: &[Event]) -> ImportCount {
    file.deck().import(export_of(events).as_bytes(), "b.jsonl", None).expect("a deck")
}

#[test]
fn ninety_thousand_answers_to_one_card_are_taken_in() {
    let folder = Folder::new();
    let file = filled(&folder);
    // One after the other, each of them would cost as much as all before it.
    let event = |number: i64| Event::Answer { card: first_card().id, answer: answer(NOON - number * 60, Right) };
    let events: Vec<Event> = (1..=90_000).map(event).collect();
    assert_eq!(import(&file, &events).answers, 90_000);
    assert_eq!(import(&file, &events).known, 90_000);
    assert_eq!((answers(&file), answers(&open(&folder))), (90_002, 90_002));
    let deck = file.deck();
    let (_, state) = deck.get().get(first_card().id).expect("a card");
    assert!(state.answers().is_sorted());
}

#[test]
fn answers_without_a_card_wait_for_it_and_leave_room() {
    let folder = Folder::new();
    let file = open(&folder);
    let stray = |number: u64| Event::Answer { card: CardId(number), answer: answer(NOON, Right) };
    let mut events: Vec<Event> = (1..100_000).map(stray).collect();
    events.push(Event::Answer { card: first_card().id, answer: answer(NOON, Wrong) });
    events.extend((200_000..200_010).map(stray));
    let count = import(&file, &events);
    assert_eq!((count.answers, count.bad), (100_000, 10), "they are bounded apart");
    file.deck().add(vec![Event::Card(Box::new(first_card()))]).expect("there is room for cards");
    assert_eq!(answers(&file), 1, "its answer has waited");
    assert_eq!(answers(&open(&folder)), 1);
    // A card in the same file needs no waiting.
    let other = card("h2e2", "h9g7", "a9a8");
    let answered = Event::Answer { card: other.id, answer: answer(NOON, Right) };
    assert_eq!(import(&file, &[answered, Event::Card(Box::new(other))]).answers, 1);
}

#[test]
fn moves_that_were_tried_are_kept_and_go_along_with_their_answers() {
    let (folder, second) = (Folder::new(), Folder::new());
    let file = filled(&folder);
    let card = first_card().id;
    let tried = |at: i64, mv: &str| {
        let stamp = EditStamp { at, device: DeviceId(1) };
        Event::Tried(TriedMove { card, stamp, mv: mv.parse().expect("a move") })
    };
    assert_eq!(file.deck().add(vec![tried(NOON, "e2e6"), tried(NOON, "e2e6")]).expect("room"), 1, "once");
    let moves = |file: &DeckFile| {
        let deck = file.deck();
        let (_, state) = deck.get().get(card).expect("a card");
        state.own_answers().map(|answer| state.tried(answer).map(|mv| mv.to_string())).collect::<Vec<_>>()
    };
    let expected = [Some("e2e6".to_string()), None];
    assert_eq!(moves(&file), expected);
    assert_eq!(moves(&open(&folder)), expected, "after a restart");
    // Another device takes them in, in any order and as often as it likes; who is sent a deck without answers gets none.
    let (text, other) = (file.deck().export(None, true), open(&second));
    let reversed: Vec<&str> = text.lines().skip(1).collect();
    let reversed =
        text.lines().take(1).chain(reversed.into_iter().rev()).map(|line| format!("{line}\n")).collect::<String>();
    for text in [&reversed, &text] {
        other.deck().import(text.as_bytes(), "a.jsonl", None).expect("a deck");
    }
    assert_eq!(moves(&other), expected);
    assert!(text.contains("tried") && !file.deck().export(Some(""), false).contains("tried"));
}

#[test]
fn full_is_what_can_be_dropped() {
    let folder = Folder::new();
    let file = open(&folder);
    let numbered = |number: u64| Event::Card(Box::new(Card { id: CardId(number), ..first_card() }));
    file.deck().add((0..50_000).map(numbered).collect()).expect("room");
    assert!(matches!(file.deck().add(vec![numbered(50_001)]), Err(DeckError::Full(50_000))));
    let dropped = CardEdit { dropped: Some(true), ..CardEdit::default() };
    let event = file.deck().get().edit(CardId(7), dropped, NOON, DeviceId(1));
    file.deck().add(vec![event]).expect("room");
    file.deck().add(vec![numbered(50_001)]).expect("there is room again");
}

#[test]
fn changes_from_the_future_pin_nothing() {
    let id = first_card().id;
    let note = |text: &str| CardEdit { note: Some(text.to_string()), ..CardEdit::default() };
    let foreign =
        |at: i64| Event::Edit { card: id, stamp: EditStamp { at, device: DeviceId(9) }, edit: note("pinned") };
    let now = chuhe_support::date::unix_seconds();
    let text_of = |file: &DeckFile| file.deck().get().get(id).expect("a card").1.note().to_string();
    let write = |file: &DeckFile, text: &str| {
        let event = file.deck().get().edit(id, note(text), now, DeviceId(1));
        assert_eq!(file.deck().add(vec![event]).expect("room"), 1, "{text}");
    };
    for at in [i64::MAX, i64::MAX - 1, now + 3 * DAY] {
        let folder = Folder::new();
        let file = filled(&folder);
        let count = import(&file, &[foreign(at)]);
        assert_eq!((count.bad, text_of(&file)), (1, String::new()), "{at}");
        write(&file, "mine");
        assert_eq!((text_of(&file), text_of(&open(&folder))), ("mine".to_string(), "mine".to_string()));
        // A file that has one already is healed by the next change.
        let line = serde_json::to_string(&foreign(at)).expect("JSON");
        folder.write("train.jsonl", folder.text("train.jsonl") + &line + "\n");
        let file = open(&folder);
        write(&file, "mine again");
        assert_eq!(text_of(&open(&folder)), "mine again", "{at}");
    }
    // A clock that is a little ahead counts, and what is changed here afterwards comes later.
    let folder = Folder::new();
    let file = filled(&folder);
    assert_eq!(import(&file, &[foreign(now + DAY / 2)]).bad, 0);
    assert_eq!(text_of(&file), "pinned");
    write(&file, "mine");
    assert_eq!(text_of(&open(&folder)), "mine");
}

/// In builds with assertions each step of the disk can be made to fail.
#[cfg(debug_assertions)]
#[test]
fn events_are_kept_whole_or_not_at_all_whatever_step_fails() {
    use chuhe_support::files::{Failing, set_failing};
    for kind in [Failing::Once as fn(usize) -> Failing, Failing::From] {
        for has_file in [false, true] {
            for index in 0.. {
                let folder = Folder::new();
                let file = if has_file { filled(&folder) } else { open(&folder) };
                let before = file.deck().get().len();
                let two = || {
                    vec![
                        Event::Card(Box::new(card("h2e2", "h9g7", "a9a8"))),
                        Event::Card(Box::new(card("b2e2", "h9g7", "a9a8"))),
                    ]
                };
                set_failing(kind(index));
                let outcome = file.deck().add(two());
                let steps = set_failing(Failing::None);
                let count = before + if outcome.is_ok() { 2 } else { 0 };
                assert_eq!(file.deck().get().len(), count, "step {index}");
                let again = open(&folder).deck().get().len();
                // A file may have its new name although the folder could not be synced, and a program that was killed may
                // have left the first line.
                let is_killed = kind(0) == Failing::From(0) && (before..=before + 2).contains(&again);
                assert!(again == count || !has_file && again == 2 || is_killed, "step {index}: {again}");
                // There is room again.
                file.deck().add(two()).expect("room");
                assert_eq!(open(&folder).deck().get().len(), before + 2, "step {index}");
                if steps <= index {
                    break;
                }
            }
        }
    }
}

// Two devices: a deck is the same whatever the order in which its events come, and nothing is lost.

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
