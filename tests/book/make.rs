//! Growing a small book by searching.

use super::support::{complaint, report};
use crate::common::Folder;
use chuhe_study::book::open_book;
use std::fs;

const SMALL: [&str; 8] = ["make", "--out", "toy.chb", "--survey", "300", "--proof", "500", "--lines"];

fn make(folder: &Folder, positions: &str, threads: &str) -> String {
    let more = ["3", "--nameless", "--positions", positions, "--threads", threads];
    report(folder, &[&SMALL[..], &more].concat())
}

fn journal(folder: &Folder) -> String {
    fs::read_to_string(folder.path("toy.chb.journal")).expect("a journal")
}

#[test]
fn book_make_resumes_and_survives_a_kill() {
    let folder = Folder::new();
    let told = make(&folder, "12", "1");
    assert!(told.starts_with("12 positions, "), "{told}");
    let book = open_book(&folder.path("toy.chb")).expect("a book");
    let first = book.moves(&xiangqi::Position::start()).expect("answers always");
    assert!(first.iter().any(|entry| entry.weight > 0) && first.iter().all(|entry| entry.score.is_some()));
    assert!(report(&folder, &["check", "toy.chb"]).contains(", 0 moves cannot\n"));
    let before = journal(&folder);
    assert_eq!(before.matches("\nsurvey\t").count(), 12);
    assert_eq!(before.matches("\nproof\t").count(), 12);

    // The book is complete: the same command has nothing to do.
    let told = make(&folder, "12", "2");
    assert!(told.starts_with("continuing after 24 searches\n12 positions, "), "{told}");
    assert_eq!(journal(&folder), before);

    // Extends it on two threads, after a kill in the middle of a line.
    fs::write(folder.path("toy.chb.journal"), &before[..before.len() - 9]).expect("written");
    let told = make(&folder, "30", "2");
    assert!(told.starts_with("continuing after 23 searches\n"), "{told}");
    let after = journal(&folder);
    let whole = before.trim_end().rsplit_once('\n').expect("lines").0;
    assert!(after.starts_with(whole) && after.matches("\nproof\t").count() >= 30, "{after}");
    report(&folder, &["check", "toy.chb"]);
}

#[test]
fn book_make_searches_named_systems_first() {
    let folder = Folder::new();
    report(&folder, &[&SMALL[..], &["2", "--positions", "1"]].concat());
    let text = journal(&folder);
    let surveyed = text.matches("\nsurvey\t").count();
    assert!(surveyed > 100, "{surveyed}");
    let told = report(&folder, &["show", "h2e2", "h7e7", "--book", "toy.chb"]);
    assert!(told.starts_with("顺炮 Same-Direction Cannons\n"), "{told}");
}

#[test]
fn journal_that_is_damaged_or_foreign_is_named() {
    let folder = Folder::new();
    make(&folder, "2", "1");
    let text = journal(&folder);
    let damaged = text.replacen("survey", "survxy", 1);
    fs::write(folder.path("toy.chb.journal"), damaged).expect("written");
    let words = [&SMALL[..], &["3", "--nameless", "--positions", "4"]].concat();
    assert!(complaint(&folder, &words).contains("toy.chb.journal', line 2: damaged"));
    fs::write(folder.path("toy.chb.journal"), "something else").expect("written");
    assert!(complaint(&folder, &words).contains("is no journal of a book and stays as it is"));
    assert_eq!(journal(&folder), "something else");
}

#[cfg(debug_assertions)]
#[test]
fn journal_is_read_or_refused_wherever_it_is_cut_or_changed() {
    use chuhe_lab::book_builder::{Journal, SearchKind, SearchRecord};
    use chuhe_support::files::{Failing, set_failing};
    let folder = Folder::new();
    let path = folder.path("own.journal");
    let record = |depth| SearchRecord {
        kind: SearchKind::Survey,
        fen: "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w".to_string(),
        depth,
        lines: vec![("h2e2".parse().expect("a move"), 14), ("h0g2".parse().expect("a move"), 11)],
    };
    let (mut journal, _) = Journal::open(&path).expect("a new journal");
    // Each step fails once: a line is there as a whole or not at all.
    let mut written = Vec::new();
    for depth in 1..=6 {
        set_failing(Failing::Once(depth as usize % 3));
        if journal.add(&record(depth)).is_ok() {
            written.push(record(depth));
        }
        set_failing(Failing::None);
    }
    drop(journal);
    assert_eq!(Journal::open(&path).expect("a journal").1, written);
    assert!(!written.is_empty());
    let whole = fs::read(&path).expect("a journal");
    for place in 0..whole.len() {
        fs::write(&path, &whole[..place]).expect("written");
        let (_, records) = Journal::open(&path).expect("what was torn off is cut away");
        assert!(written.starts_with(&records), "cut at {place}");
        let mut bytes = whole.clone();
        bytes[place] ^= 0x81;
        fs::write(&path, &bytes).expect("written");
        if let Ok((_, records)) = Journal::open(&path) {
            assert!(written.starts_with(&records), "byte {place}");
        }
    }
}
