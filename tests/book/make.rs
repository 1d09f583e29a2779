//! Growing a small book by searching.

use super::support::{complaint, report};
use crate::common::Folder;
use std::fs;

const SMALL: [&str; 8] = ["make", "--out", "toy.chb", "--survey", "300", "--proof", "500", "--lines"];

#[test]
fn journal_that_is_damaged_is_named() {
    let folder = Folder::new();
    report(&folder, &[&SMALL[..], &["3", "--nameless", "--positions", "2"]].concat());
    let text = folder.text("toy.chb.journal");
    let damaged = text.replacen("survey", "survxy", 1);
    fs::write(folder.path("toy.chb.journal"), damaged).expect("written");
    let words = [&SMALL[..], &["3", "--nameless", "--positions", "4"]].concat();
    assert!(complaint(&folder, &words).contains("toy.chb.journal', line 2: damaged"));
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
