//! The searches of a page that run for long, when many requests come at once.
#![cfg(target_os = "linux")]

use super::client::Page;
use super::program::Board;
use crate::common::Folder;
use serde_json::json;
use std::fs;
use std::time::{Duration, Instant};

const START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

/// The threads of the program that search for its page.
fn searches(board: &Board) -> usize {
    let threads = fs::read_dir(format!("/proc/{}/task", board.0.id())).expect("threads").flatten();
    let names = threads.filter_map(|thread| fs::read_to_string(thread.path().join("comm")).ok());
    names.filter(|name| ["solve", "review"].contains(&name.trim())).count()
}

fn waits_until(is_so: impl Fn() -> bool) -> bool {
    let until = Instant::now() + Duration::from_secs(60);
    while !is_so() {
        if Instant::now() > until {
            return false;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    true
}

#[test]
fn requests_at_once_leave_one_search_of_each_kind_and_none_after_leave() {
    let folder = Folder::new();
    let board = Board::begin(&folder, &[]);
    let page = Page::open(board.1, &board.2);
    let solve = json!({
        "type": "solve", "start": START, "moves": [], "rules": "asian", "number": 1, "seconds": 3600, "nodes": null
    });
    let nodes = json!([
        { "parent": 0, "move": "", "comment": "", "marks": [] }, { "parent": 0, "move": "h2e2", "comment": "", "marks": [] }
    ]);
    let tree = json!({ "start": START, "tags": [], "result": "*", "nodes": nodes });
    let review = json!({ "type": "review", "tree": tree, "rules": "asian", "time": 60_000 });
    let ask_at_once = || {
        std::thread::scope(|scope| {
            for asked in [&solve, &review].repeat(6) {
                let page = &page;
                scope.spawn(move || assert_eq!(page.request(&asked.to_string()), json!({})));
            }
        });
    };
    ask_at_once();
    assert!(waits_until(|| searches(&board) == 2), "{} searches", searches(&board));
    page.request("{\"type\":\"leave\"}");
    assert!(waits_until(|| searches(&board) == 0), "{} searches of a page that was closed", searches(&board));
    // What arrives late begins nothing.
    ask_at_once();
    assert_eq!(searches(&board), 0);
    page.ask(&format!("/events/{}", page.id), "{\"after\":0}");
    page.request(&solve.to_string());
    assert!(waits_until(|| searches(&board) == 1), "the page is there again");
    board.end();
}
