//! A game at the terminal and a review, on terminals of any width.

use super::emulator::Screen;
use crate::common::Folder;
use crate::play::terminal::{Person, play};
use unicode_width::UnicodeWidthStr;

const GAME: &str = "startpos moves h2e2 h9g7 h0g2 i9h9 i0h0 b9c7 g3g4 c6c5 b0c2 c9e7 a0b0 b7b0 c2b0";

/// No line was too long, except a FEN, which is not wrapped so that it can be copied.
fn assert_unbroken(screen: &Screen, columns: u16, language: &str) {
    let broken: Vec<String> = screen.broken().into_iter().filter(|line| !line.starts_with("FEN ")).collect();
    assert!(broken.is_empty(), "{columns} {language}: {broken:#?}");
}

#[test]
fn game_fits_the_terminal() {
    for (columns, language) in [40, 60, 80, 200].into_iter().flat_map(|columns| [(columns, "zh"), (columns, "en")]) {
        let home = Folder::new();
        let start = |words: &[&str]| {
            let words = [&["--side", "both", "--lang", language], words].concat();
            Person::start_before(&mut play(&home, &words), columns)
        };
        let (red, black) = if language == "zh" { ("红方> ", "黑方> ") } else { ("red> ", "black> ") };
        let mut person = start(&[]);
        person.at(red, "help").at(red, "moves").at(red, "相").at(red, "炮二平五");
        person.at(black, "eval").at(black, "hint").at(black, "game").at(black, "nonsense and more nonsense");
        person.at(black, "clock").at(black, "resign").at("> ", "undo").at(black, "quit");
        let screen = Screen::after(&person.shown(), columns);
        assert_unbroken(&screen, columns, language);
        let lines = screen.lines();
        let board = lines.iter().filter(|line| line.contains("──")).map(|line| line.width());
        let widest = board.max().unwrap_or(0);
        let expected = match columns {
            63.. => 63,
            42.. => 42,
            _ => 36,
        };
        assert!((expected - 1..=expected).contains(&widest), "{columns}: {widest} {lines:#?}");
        // The first question is longer than a narrow terminal is wide.
        let mut person = start(&[]);
        person.sees("[Y/n] ").types("y\r").at(black, "quit");
        assert_unbroken(&Screen::after(&person.shown(), columns), columns, language);
    }
}

#[test]
fn review_fits_the_terminal() {
    for (columns, language) in [40, 50, 60, 80, 200].into_iter().flat_map(|columns| [(columns, "zh"), (columns, "en")])
    {
        let folder = Folder::new();
        let words = ["review", GAME, "--nodes", "2000", "--threads", "1", "--lang", language];
        let text = Person::start_before(folder.command(&words).env("TERM", "xterm"), columns).shown();
        let screen = Screen::after(&text, columns);
        assert_unbroken(&screen, columns, language);
        let lines = screen.lines();
        let curve = lines.iter().position(|line| line.starts_with("100%")).expect("a curve");
        assert!(lines[curve + 5].starts_with("  0%"), "{columns}: {lines:#?}");
        assert!(lines[curve + 5].width() > 5 + 10, "{columns}: {lines:#?}");
        let better = if language == "zh" { "应走" } else { "better:" };
        assert!(lines.iter().any(|line| line.contains(better)), "{columns}: {lines:#?}");
        assert!(lines.iter().any(|line| line.contains("??")), "{columns}: {lines:#?}");
    }
}

#[test]
fn curve_of_a_long_game_fits_fifty_columns() {
    // The rooks go to and fro for longer than the terminal is wide.
    let folder = Folder::new();
    let shuffle = "a0a1 a9a8 i0i1 i9i8 a1a0 a8a9 i1i0 i8i9";
    let game = format!("startpos moves {}", [shuffle; 10].join(" "));
    let words = ["review", &game, "--nodes", "20", "--threads", "1", "--rules", "none", "--lang", "en"];
    let text = Person::start_before(folder.command(&words).env("TERM", "xterm"), 50).shown();
    let screen = Screen::after(&text, 50);
    assert_unbroken(&screen, 50, "en");
    let lines = screen.lines();
    let bottom = lines.iter().find(|line| line.starts_with("  0%")).expect("a curve");
    assert_eq!(bottom.width(), 5 + 40, "eighty moves, two for each block: {bottom}");
}
