//! `chuhe mates check` that is interrupted or has nothing to check; `transcripts::mates` has the rest.
#![cfg(unix)]

use crate::common::{Folder, stderr, stdout};
use std::process::Stdio;
use std::time::{Duration, Instant};

/// Two rooks mate in one by several moves.
const COOKED: &str = "3k5/9/9/9/9/9/9/9/R8/1R2K4 w - - 0 1";
/// Far too hard for a few nodes.
const OPEN: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

#[test]
fn ctrl_c_ends_a_composition_check_and_keeps_results() {
    let folder = Folder::new();
    folder.write("two.fen", format!("{COOKED}\n{OPEN}\n"));
    let words =
        ["mates", "check", "two.fen", "--time", "3600", "--hash", "8", "--out", "kept.jsonl", "--html", "p.html"];
    let child = folder.command(&words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("chuhe runs");
    let begun = Instant::now();
    while std::fs::read_to_string(folder.path("kept.jsonl")).unwrap_or_default().lines().count() < 1 {
        assert!(begun.elapsed() < Duration::from_secs(60), "the first problem is not finished");
        std::thread::sleep(Duration::from_millis(20));
    }
    let sent = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill");
    assert!(sent.success());
    let output = child.wait_with_output().expect("chuhe ends");
    assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
    let text = stdout(&output);
    assert!(text.contains("cooked") && text.contains("The check was interrupted."), "{text}");
    assert_eq!(folder.text("kept.jsonl").lines().count(), 1, "the other one is not finished");
    assert!(folder.text("p.html").contains("const PROBLEMS"));
}

#[test]
fn composition_check_ends_where_nothing_can_be_read() {
    let folder = Folder::new();
    folder.write("none.fen", format!("{COOKED} ; no counter\n"));
    let output = folder.command(&["mates", "check", "none.fen"]).output().expect("chuhe runs");
    assert!(matches!(output.status.code(), Some(1 | 2)) && stderr(&output).contains("line 1"), "{}", stderr(&output));
}
