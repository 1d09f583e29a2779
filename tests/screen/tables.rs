//! The live table of the arena: one at a time, with aligned columns, whatever the names.

use super::emulator::Screen;
use crate::common::Folder;
use crate::play::terminal::Person;
use unicode_width::UnicodeWidthStr;

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
