//! The file of a deck: torn, newer, foreign, damaged, and on a disk that fails.

use super::{DAY, NOON, answer, card, first_card};
use chuhe_study::train::AnswerRating::{Right, Wrong};
use chuhe_study::train::{DeckError, DeckFile, Event};
use chuhe_testing::Folder;
use std::fs;

fn open(folder: &Folder) -> DeckFile {
    DeckFile::new(folder.root().to_path_buf().into(), true)
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
    let reader = DeckFile::new(folder.root().to_path_buf().into(), false);
    let event = Event::Answer { card: first_card().id, answer: answer(NOON + 9 * DAY, Right) };
    assert!(matches!(reader.deck().add(vec![event.clone()]), Err(DeckError::InUse)));
    file.deck().add(vec![event]).expect("room");
    assert_eq!((answers(&reader), reader.deck().refusal().is_some()), (3, true));
    reader.allow_writing();
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
fn damaged_lines_cost_no_other_one() {
    let folder = Folder::new();
    filled(&folder);
    let whole = fs::read(folder.path("train.jsonl")).expect("a file");
    for place in (0..whole.len()).step_by(3) {
        folder.write("train.jsonl", [&whole[..place], &[whole[place] ^ 0x81], &whole[place + 1..]].concat());
        let file = open(&folder);
        let deck = file.deck();
        assert!(deck.get().len() <= 2 && deck.get().cards().all(|(card, _)| card.position().is_some() || place > 40));
        deck.export(None, true);
        drop(deck);
        let _ = file.deck().add(vec![Event::Card(Box::new(card("h2e2", "h9g7", "a9a8")))]);
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
    unsound.line = super::moves("a0a9");
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
    assert!(folder.text("train.jsonl").lines().count() > 1100);
    assert_eq!((answers(&open(&folder)), folder.text("train.jsonl").lines().count()), (2, 5));
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
