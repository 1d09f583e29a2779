//! Engines that fail repeatedly: the tournament stops and reports diagnostics, and verdicts that depend on faults are
//! marked.

use super::program::{arena, conversation, engine, script, twins_in};
use crate::common::{CHUHE, Folder, stderr, stdout, success};
use xiangqi_record::pgn;

/// Plays a match of an engine that does this on `go` against a correct one: exit code, output and errors.
fn played(folder: &Folder, deed: &str, more: &[&str]) -> (Option<i32>, String, String) {
    let bad = format!("name=bad,cmd={},proto=ucci", engine(folder, "bad", deed));
    let good = format!("name=good,cmd={CHUHE},proto=ucci");
    let words = ["--engine", &bad, "--engine", &good, "--nodes", "50", "--patience", "1"];
    let output = arena(folder, &[&words[..], more].concat());
    (output.status.code(), stdout(&output), stderr(&output))
}

/// Crashes in every so manieth game and resigns the others.
fn crashes_in_every(folder: &Folder, number: usize) -> String {
    let count = folder.path("count");
    format!("echo x >> '{0}'; [ $(($(wc -l < '{0}') % {number})) = 0 ] && exit 1; echo nobestmove", count.display())
}

#[test]
fn three_faults_in_a_row_stop_the_tournament_with_diagnostics() {
    let folder = Folder::new();
    let (code, text, told) = played(&folder, "echo broken weights >&2; exit 3", &["--games", "400", "--pgn", "m.pgn"]);
    assert_eq!(code, Some(2));
    let expected = "chuhe: stopped: engine 'bad' failed in three games in a row, the last time because it crashed \
                    (exit code 3); repair the engine, or continue with --tolerate-faults\n";
    assert_eq!(told, expected);
    assert_eq!(text.matches("crashed (exit code 3)").count(), 3, "{text}");
    assert!(text.contains("      broken weights\n"), "{text}");
    assert!(text.contains("      > position fen ") && text.contains("      > go nodes 50\n"), "{text}");
    assert!(text.contains("without 3 games lost by a fault: +0 =0 -0"), "{text}");
    assert!(text.contains("bad crashed: 3 times\n"), "{text}");
    let record = folder.text("m.pgn");
    assert_eq!(pgn::read(&record).len(), 3);
    assert!(record.contains("[Termination \"red crashed (exit code 3)\"]"), "{record}");
}

#[test]
fn signals_are_named_in_the_report() {
    let (_, text, _) = played(&Folder::new(), "kill -SEGV $$; sleep 10", &["--games", "2"]);
    assert!(text.contains("crashed (signal 11, SIGSEGV)"), "{text}");
}

#[test]
fn ten_faults_in_a_hundred_games_stop_the_tournament() {
    let folder = Folder::new();
    let (code, text, told) = played(&folder, &crashes_in_every(&folder, 2), &["--games", "400"]);
    assert_eq!((code, text.matches("crashed (exit code 1)").count()), (Some(2), 10), "{text}");
    assert!(told.contains("engine 'bad' failed in ten games of a hundred"), "{told}");
}

#[test]
fn verdict_that_depends_on_faults_is_doubtful() {
    let folder = Folder::new();
    let test = ["--games", "400", "--tolerate-faults", "--sprt", "elo0=0,elo1=200"];
    let (code, text, _) = played(&folder, "exit 1", &test);
    assert!(code == Some(3) && text.contains("H0 accepted"), "{text}");
    assert!(text.contains("DOUBTFUL: without the games that were lost by a fault, undecided\n"), "{text}");
    let (code, text, _) = played(&folder, "exit 1", &[&test[..], &["--json"]].concat());
    assert_eq!(code, Some(3));
    let last = text.lines().last().unwrap_or_default();
    let expected = "\"decision\":\"H0\",\"decision_without_faults\":null,\"doubtful\":true}";
    assert!(last.contains(expected), "{last}");
}

#[test]
fn verdict_that_does_not_depend_on_faults_stands() {
    let folder = Folder::new();
    let test = ["--games", "400", "--tolerate-faults", "--sprt", "elo0=0,elo1=400,alpha=0.4,beta=0.4"];
    let (code, text, _) = played(&folder, &crashes_in_every(&folder, 8), &test);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("H0 accepted") && !text.contains("DOUBTFUL"), "{text}");
}

#[test]
fn wrapper_script_and_its_engine_are_both_killed() {
    let folder = Folder::new();
    // The wrapper exits on `quit`, its child does not.
    let child = folder.path("child");
    let (starts, resigns) =
        (format!("sleep 1000 > /dev/null 2>&1 & echo $! >> '{}'", child.display()), "echo nobestmove");
    let path = script(&folder, "wrapper", &format!("{starts}; {}", conversation(resigns)));
    success(&twins_in(&folder, &path, &["--games", "2"]).output().expect("chuhe runs"));
    let children = folder.text("child");
    assert_eq!(children.lines().count(), 2);
    children.lines().for_each(super::program::ends);
}
