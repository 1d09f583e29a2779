//! Progress bars: shown during the work, and removed afterwards without a trace.

use super::emulator::Screen;
use crate::common::{Folder, command};
use crate::play::terminal::Person;
use unicode_width::UnicodeWidthStr;

#[test]
fn bars_are_removed_without_a_trace_and_keep_other_output() {
    let folder = Folder::new();
    for (line, seen, kept) in [
        ("learn play --out games --nodes 50 --games 60 --seed 3", "", "60 games"),
        ("learn fit --data games --out toy.net --set hidden=32 --set epochs=2", "", "pass  2: loss "),
        ("tables build KNKA KPK --out tables", "KNKA", "KNKA "),
        (
            "book make --out toy.chb --survey 300 --proof 500 --lines 3 --nameless --positions 2",
            "",
            " bytes in 'toy.chb'",
        ),
    ] {
        for columns in [40, 80] {
            let words: Vec<&str> = line.split(' ').collect();
            let text = Person::start_before(folder.command(&words).env("TERM", "xterm"), columns).shown();
            assert!(text.contains(seen), "{text}");
            let lines = Screen::after(&text, columns).lines();
            assert!(!lines.iter().any(|line| line.contains('█') || line.contains("to go")), "{lines:#?}");
            assert!(columns == 40 || lines.iter().any(|line| line.contains(kept)), "{line}: {lines:#?}");
            std::fs::remove_dir_all(folder.path("tables")).ok();
        }
    }
}

#[test]
fn match_interruption_is_printed_above_the_table() {
    let folder = Folder::new();
    folder.write("a.toml", "hash_mb = 1\n");
    folder.write("b.toml", "hash_mb = 1\n");
    let words = "arena --self a.toml b.toml --nodes 300 --games 4000";
    for columns in [60, 100] {
        let words: Vec<&str> = words.split(' ').collect();
        let mut person = Person::start_before(folder.command(&words).env("TERM", "xterm"), columns);
        person.sees(" of 4000 games").types("\x03").sees("^C").signals("-INT");
        person.sees("once more drops them");
        assert_eq!(person.ends().code(), Some(130));
        let lines = Screen::after(&person.shown(), columns).lines();
        let count = |wanted: &str| lines.iter().filter(|line| line.contains(wanted)).count();
        assert_eq!((count("finishing the running games"), count("interrupted after ")), (1, 1), "{lines:#?}");
        assert_eq!(count("engine  games"), 1, "{lines:#?}");
    }
}

#[test]
fn dumb_terminal_gets_no_bar() {
    let folder = Folder::new();
    let words = ["tables", "build", "KNKA", "--out", "tables"];
    let text = Person::start_before(folder.command(&words).env("TERM", "dumb"), 80).shown();
    assert!(!text.contains('\x1b') && !text.contains('█') && text.contains("tables made in"), "{text}");
}

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

/// All output of a small tournament.
fn shown(columns: u16, language: &str, more: &[&str]) -> String {
    let folder = Folder::new();
    folder.write("a.toml", "name = \"楚河象棋\"\nhash_mb = 1\n");
    folder.write("b.toml", "name = \"an engine with a rather long name, version 7\"\nhash_mb = 1\n");
    folder.write("c.toml", "name = \"c\"\nhash_mb = 1\n");
    let words = ["arena", "--self", "a.toml", "b.toml", "c.toml", "--nodes", "20", "--max-moves", "6"];
    let words = [&words[..], &["--games", "2", "--lang", language], more].concat();
    Person::start_before(folder.command(&words).env("TERM", "xterm"), columns).shown()
}

fn heads(screen: &Screen) -> Vec<String> {
    screen.lines().into_iter().filter(|line| is_head(line)).collect()
}

fn is_head(line: &str) -> bool {
    line.starts_with("engine ") || line.starts_with("引擎 ")
}

#[test]
fn live_table_is_single_and_aligned() {
    for (columns, language) in [(40, "en"), (60, "zh"), (80, "en"), (80, "zh"), (200, "en")] {
        let text = shown(columns, language, &[]);
        // All prefixes of the output.
        let ends = text.char_indices().map(|(at, _)| at).step_by(97).chain([text.len()]);
        for end in ends {
            let screen = Screen::after(&text[..end], columns);
            assert!(heads(&screen).len() <= 1, "{columns}: {:#?}", screen.lines());
        }
        assert!(text.contains('█') && text.contains(if language == "zh" { "盘" } else { "games" }), "{text}");
        let screen = Screen::after(&text, columns);
        let lines = screen.lines();
        assert!(!lines.iter().any(|line| line.contains('█')), "the bar goes: {lines:#?}");
        assert!(screen.broken().is_empty(), "{columns}: {:#?}", screen.broken());
        let head = heads(&screen).pop().expect("a table");
        let elo = head[..head.find("Elo").expect("a column")].width();
        let table = lines.iter().skip_while(|line| !is_head(line)).skip(1).take(3);
        for row in table {
            assert!(row.width() <= columns.into(), "{columns}: {row}");
            // The text before the Elo column, measured in columns.
            let before = row.char_indices().find(|(at, _)| row[..*at].width() == elo);
            let at = before.map(|(at, _)| at).unwrap_or_else(|| panic!("{columns}: {head}\n{row}"));
            assert!(row[..at].ends_with("  ") && !row[at..].starts_with(' '), "{columns}: {head}\n{row}");
        }
    }
}

#[test]
fn gauntlet_table_fits() {
    for columns in [40, 80] {
        let text = shown(columns, "en", &["--gauntlet"]);
        let screen = Screen::after(&text, columns);
        assert!(screen.broken().is_empty(), "{columns}: {:#?}", screen.broken());
        assert!(screen.lines().iter().any(|line| line.starts_with("against ")), "{:#?}", screen.lines());
    }
}
