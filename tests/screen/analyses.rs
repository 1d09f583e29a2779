//! A live analysis at a terminal: redrawn in place, no wider than the terminal, and kept at the end.

use super::emulator::Screen;
use crate::common::{Folder, command};
use crate::play::terminal::Person;
use unicode_width::UnicodeWidthStr;

fn start(columns: u16, words: &[&str]) -> Person {
    let words = [&["analyse", "--threads", "1", "--hash", "1"], words].concat();
    Person::start_before(command(&words).env("TERM", "xterm"), columns)
}

#[test]
fn live_table_is_redrawn_in_place_at_any_width() {
    for (columns, language) in [(40, "zh"), (60, "en"), (80, "zh"), (200, "en")] {
        let mut person = start(columns, &["h2e2", "--lines", "3", "--lang", language]);
        let (wanted, head) = if language == "zh" { ("深度", "黑方走棋") } else { ("depth", "black to move") };
        if columns > 40 {
            person.sees(wanted);
        }
        // The terminal's echo of the keys is not part of the table.
        person.sees(" 3  ").types("\x03").sees("^C").signals("-INT");
        assert!(person.ends().success(), "who has no other way to end it has not interrupted it");
        let text = person.shown();
        // After every prefix of the output there is at most one table, and no line of it is broken.
        for end in text.char_indices().map(|(at, _)| at).step_by(61).chain([text.len()]) {
            let lines = Screen::after(&text[..end], columns).lines();
            assert!(lines.iter().filter(|line| line.starts_with(head)).count() <= 1, "{columns}: {lines:#?}");
        }
        let screen = Screen::after(&text, columns);
        assert!(screen.broken().is_empty(), "{columns}: {:#?}", screen.broken());
        let lines = screen.lines();
        assert!(lines.iter().all(|line| line.width() <= columns.into()), "{columns}: {lines:#?}");
        for number in 1..=3 {
            let start = format!(" {number} ");
            assert_eq!(lines.iter().filter(|line| line.starts_with(&start)).count(), 1, "{columns}: {lines:#?}");
        }
        assert!(lines.iter().any(|line| line.contains(wanted)), "{columns}: {lines:#?}");
    }
}

#[test]
fn live_table_ends_at_a_limit_and_reports_an_interruption() {
    let mut person = start(80, &["--nodes", "2000", "--lang", "en"]);
    assert!(person.ends().success());
    assert!(Screen::after(&person.shown(), 80).lines().iter().any(|line| line.contains("nodes")));
    let mut person = start(80, &["--depth", "200", "--lang", "en"]);
    person.sees("depth").signals("-INT");
    assert_eq!(person.ends().code(), Some(130));
}

#[test]
fn list_shows_a_progress_bar_and_removes_it() {
    let folder = Folder::new();
    folder.write("list.txt", "startpos\nstartpos moves h2e2\nstartpos moves b2e2\n");
    for columns in [40, 80] {
        let words = ["analyse", "list.txt", "--nodes", "500", "--hash", "1", "--lang", "en"];
        let text = Person::start_before(folder.command(&words).env("TERM", "xterm"), columns).shown();
        let lines = Screen::after(&text, columns).lines();
        assert!(!lines.iter().any(|line| line.contains('█') || line.contains("to go")), "{lines:#?}");
        for number in 1..=3 {
            let start = format!("   {number}  ");
            assert_eq!(lines.iter().filter(|line| line.starts_with(&start)).count(), 1, "{lines:#?}");
        }
    }
}
