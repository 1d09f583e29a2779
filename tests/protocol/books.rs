//! Opening books in a conversation.

use super::host::{Host, after, count, last, word_after};
use chuhe_study::book::{Book, BookEntry, ChuheBook, MemoryBook, collect_reachable, write};
use std::collections::HashSet;
use std::fs;
use std::path::PathBuf;

/// A UCCI host: the book is on.
fn ucci() -> Host {
    let mut host = Host::start();
    host.ask("ucci", "ucciok");
    host
}

/// A book of these lines of moves and weights, in a file of this test.
fn toy(test: &str, lines: &[(&str, &str, u16)]) -> PathBuf {
    let mut pages = MemoryBook::default();
    for &(before, mv, weight) in lines {
        *pages.entry(&after(before), mv.parse().expect("a move")) = BookEntry { weight, ..BookEntry::default() };
    }
    let path = std::env::temp_dir().join(format!("chuhe-play-{test}-{}.chb", std::process::id()));
    fs::write(&path, write(&pages, "a toy")).expect("written");
    path
}

fn is_from_book(lines: &[String]) -> bool {
    count(lines, "bestmove") == 1 && lines.iter().any(|line| line.starts_with("info message book "))
}

fn best(lines: &[String]) -> String {
    word_after(&last(lines), "bestmove").expect("a move").to_string()
}

#[test]
fn analysis_prints_the_book_moves_and_searches() {
    let mut host = ucci();
    host.say("position startpos\ngo infinite");
    host.listen_for(&["info"]);
    let lines = host.ask("stop", "bestmove");
    assert_eq!(count(&lines, "bestmove"), 1);
    let lines = host.ask("setoption multipv 2\ngo depth 2", "bestmove");
    assert!(lines.iter().any(|line| line.starts_with("info message book ")), "{lines:#?}");
    assert!(lines.iter().any(|line| line.starts_with("info depth 2 ")), "{lines:#?}");
    let lines = host.ask("setoption multipv 1\ngo mate 1", "bestmove");
    assert!(lines.iter().any(|line| line.starts_with("info depth 1 ")), "{lines:#?}");
}

#[test]
fn book_respects_bans_and_searchmoves() {
    let known: Vec<String> = ChuheBook::embedded()
        .moves(&after(""))
        .expect("answers always")
        .iter()
        .filter(|entry| entry.weight > 0)
        .map(|entry| entry.mv.to_string())
        .collect();
    assert!(known.len() >= 4, "{known:?}");
    let mut host = ucci();
    let lines = host.ask(&format!("position startpos\nbanmoves {}\ngo time 10", known[1..].join(" ")), "bestmove");
    assert!(is_from_book(&lines) && best(&lines) == known[0], "{lines:#?}");
    let lines = host.ask(&format!("banmoves {}\ngo depth 2", known[0]), "bestmove");
    assert!(!is_from_book(&lines) && !known.contains(&best(&lines)), "{lines:#?}");
    for mv in &known {
        let lines = host.ask(&format!("position startpos\ngo time 10 searchmoves {mv}"), "bestmove");
        assert!(is_from_book(&lines) && best(&lines) == *mv, "{lines:#?}");
    }
    let lines = host.ask("go depth 2 searchmoves a0a1", "bestmove");
    assert!(!is_from_book(&lines) && best(&lines) == "a0a1", "{lines:#?}");
    let lines = host.ask("setoption bookdepth 0\nposition startpos\ngo depth 2", "bestmove");
    assert!(!is_from_book(&lines), "{lines:#?}");
}

#[test]
fn book_never_completes_a_repetition() {
    let here = "h2e2 h9g7";
    let file = toy("repetition", &[(here, "a0a1", 100)]);
    let mut host = ucci();
    host.say(&format!("setoption bookfiles {}", file.display()));
    let lines = host.ask(&format!("position startpos moves {here}\ngo depth 2"), "bestmove");
    assert!(is_from_book(&lines) && best(&lines) == "a0a1", "{lines:#?}");
    let again = format!("position startpos moves {here} a0a1 a9a8 a1a0 a8a9\ngo depth 2");
    let lines = host.ask(&again, "bestmove");
    assert!(!is_from_book(&lines), "{lines:#?}");
    fs::remove_file(file).expect("removed");
}

/// Plays the book against itself until it has no more moves.
fn game(host: &mut Host) -> String {
    let mut moves = String::new();
    loop {
        let lines = host.ask(&format!("position startpos moves{moves}\ngo nodes 1"), "bestmove");
        if !is_from_book(&lines) {
            return moves;
        }
        moves = format!("{moves} {}", best(&lines));
    }
}

#[test]
fn book_games_differ_unless_variety_is_off() {
    let mut host = ucci();
    let games: HashSet<String> = (0..100).map(|_| game(&mut host)).collect();
    assert_eq!(games.len(), 100);
    host.say("setoption bookvariety none");
    assert_eq!(game(&mut host), game(&mut host));
}

#[test]
fn book_plays_every_line_before_repeating_one() {
    // Two first moves, one of them far heavier, with three and one replies.
    let file = toy(
        "variety",
        &[
            ("", "h2e2", 1000),
            ("", "g3g4", 1),
            ("", "h0g2", 0),
            ("h2e2", "h9g7", 100),
            ("h2e2", "b9c7", 10),
            ("h2e2", "h7e7", 1),
            ("g3g4", "g6g5", 5),
        ],
    );
    for variety in ["small", "medium", "large"] {
        let mut host = ucci();
        host.say(&format!("setoption bookvariety {variety}\nsetoption bookfiles {}", file.display()));
        // Each first move also stands for its mirror image.
        let games: HashSet<String> = (0..8).map(|_| game(&mut host)).collect();
        assert_eq!(games.len(), 8, "{variety}: {games:#?}");
        assert!(games.iter().all(|game| !game.contains("h0g2")), "a move without weight is not played");
    }
    fs::remove_file(file).expect("removed");
}

#[test]
fn invalid_book_is_named_once_and_play_goes_on() {
    let path = std::env::temp_dir().join(format!("chuhe-play-damaged-{}.chb", std::process::id()));
    let whole = write(&collect_reachable(&ChuheBook::embedded()).expect("moves").pages, "");
    fs::write(&path, &whole[..whole.len() / 2]).expect("written");
    let mut host = ucci();
    host.say(&format!("setoption bookfiles {}; /no/such/book.dat ;own", path.display()));
    let lines = host.pause();
    assert_eq!(lines.len(), 2, "{lines:#?}");
    assert!(lines[0].contains("is damaged: ") && lines[0].contains(&path.display().to_string()), "{lines:#?}");
    assert!(lines[1].contains("'/no/such/book.dat' cannot be read: "), "{lines:#?}");
    for _ in 0..2 {
        let lines = host.ask("position startpos\ngo time 10", "bestmove");
        assert!(is_from_book(&lines), "{lines:#?}");
        assert!(lines.iter().all(|line| !line.contains("damaged") && !line.contains("cannot")), "{lines:#?}");
    }
    // The book inside the program is asked in place of a book that cannot be read.
    let lines = host.ask("setoption bookfiles /no/such/book.dat\ngo depth 2", "bestmove");
    assert!(lines.iter().any(|line| line.contains("cannot be read: ")), "{lines:#?}");
    assert!(is_from_book(&lines) && count(&lines, "bestmove") == 1, "{lines:#?}");
    fs::remove_file(path).expect("removed");
}

#[test]
fn book_answer_waits_for_ponderhit() {
    let mut host = ucci();
    host.say("position startpos\ngo ponder time 10000");
    let lines = host.pause();
    assert_eq!(count(&lines, "bestmove"), 0, "{lines:#?}");
    let lines = host.ask("ponderhit", "bestmove");
    // The same as without pondering: the choice, the line of the move played, and the next ponder move.
    assert!(is_from_book(&lines), "{lines:#?}");
    let shown = lines.iter().rfind(|line| line.starts_with("info depth ")).expect("a line");
    assert_eq!(word_after(shown, "pv"), word_after(&last(&lines), "bestmove"), "{lines:#?}");
    assert!(word_after(&last(&lines), "ponder").is_some(), "{lines:#?}");
    let mv = best(&lines).parse().expect("a move");
    let known = ChuheBook::embedded().moves(&after("")).expect("answers always");
    assert!(known.iter().any(|entry| entry.mv == mv && entry.weight > 0), "{lines:#?}");
}
