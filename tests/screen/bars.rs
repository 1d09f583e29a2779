//! Bars: seen while there is work, and gone afterwards without a trace.

use super::emulator::Screen;
use crate::common::Folder;
use crate::play::terminal::Person;

#[test]
fn they_go_without_a_trace_and_leave_what_was_said_beside_them() {
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
fn a_terminal_that_can_draw_nothing_is_given_no_bar() {
    let folder = Folder::new();
    let words = ["tables", "build", "KNKA", "--out", "tables"];
    let text = Person::start_before(folder.command(&words).env("TERM", "dumb"), 80).shown();
    assert!(!text.contains('\x1b') && !text.contains('█') && text.contains("tables made in"), "{text}");
}
