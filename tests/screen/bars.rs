//! Progress bars: shown during the work, and removed afterwards without a trace.

use super::emulator::Screen;
use crate::common::Folder;
use crate::play::terminal::Person;

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
