//! Engines that fail repeatedly: the tournament stops and reports diagnostics, and verdicts that depend on faults are
//! marked.

use super::program::{arena, engine, script};
use crate::common::{CHUHE, Folder};
use xiangqi_record::pgn;

fn words<'a>(bad: &'a str, good: &'a str) -> Vec<&'a str> {
    vec!["--engine", bad, "--engine", good, "--nodes", "50", "--patience", "1"]
}

fn good() -> String {
    format!("name=good,cmd={CHUHE},proto=ucci")
}

#[test]
fn three_faults_in_a_row_stop_the_tournament_with_diagnostics() {
    let folder = Folder::new();
    let path = engine(&folder, "crash", "echo broken weights >&2; exit 3");
    let (bad, good) = (format!("name=bad,cmd={path},proto=ucci"), good());
    let output = arena(&folder, &[&words(&bad, &good)[..], &["--games", "400", "--pgn", "m.pgn"]].concat());
    assert_eq!(output.status.code(), Some(2));
    let told = String::from_utf8_lossy(&output.stderr);
    let expected = "chuhe: stopped: engine 'bad' failed in three games in a row, the last time because it crashed \
                    (exit code 3); repair the engine, or continue with --tolerate-faults\n";
    assert_eq!(told, expected);
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(text.matches("crashed (exit code 3)").count(), 3, "{text}");
    assert!(text.contains("      broken weights\n"), "{text}");
    assert!(text.contains("      > position fen ") && text.contains("      > go nodes 50\n"), "{text}");
    assert!(text.contains("without 3 games lost by a fault: +0 =0 -0"), "{text}");
    assert!(text.contains("bad crashed: 3 times\n"), "{text}");
    let record = std::fs::read_to_string(folder.path("m.pgn")).expect("a record");
    assert_eq!(pgn::read(&record).len(), 3);
    assert!(record.contains("[Termination \"red crashed (exit code 3)\"]"), "{record}");
}

#[test]
fn signals_are_named_in_the_report() {
    let folder = Folder::new();
    let path = engine(&folder, "crash", "kill -SEGV $$; sleep 10");
    let (bad, good) = (format!("name=bad,cmd={path},proto=ucci"), good());
    let output = arena(&folder, &[&words(&bad, &good)[..], &["--games", "2"]].concat());
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("crashed (signal 11, SIGSEGV)"), "{text}");
}

#[test]
fn ten_faults_in_a_hundred_games_stop_the_tournament() {
    let folder = Folder::new();
    // The engine crashes in every other game and resigns the rest.
    let count = folder.path("count");
    let deed =
        format!("echo x >> '{0}'; [ $(($(wc -l < '{0}') % 2)) = 0 ] && exit 1; echo nobestmove", count.display());
    let path = engine(&folder, "moody", &deed);
    let (bad, good) = (format!("name=bad,cmd={path},proto=ucci"), good());
    let output = arena(&folder, &[&words(&bad, &good)[..], &["--games", "400"]].concat());
    assert_eq!(output.status.code(), Some(2));
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(told.contains("engine 'bad' failed in ten games of a hundred"), "{told}");
}

#[test]
fn verdict_that_depends_on_faults_is_doubtful() {
    let folder = Folder::new();
    let path = engine(&folder, "crash", "exit 1");
    let (bad, good) = (format!("name=bad,cmd={path},proto=ucci"), good());
    let test = ["--games", "400", "--tolerate-faults", "--sprt", "elo0=0,elo1=200"];
    let output = arena(&folder, &[&words(&bad, &good)[..], &test].concat());
    assert_eq!(output.status.code(), Some(3));
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("H0 accepted"), "{text}");
    assert!(text.contains("DOUBTFUL: without the games that were lost by a fault, undecided\n"), "{text}");
    let output = arena(&folder, &[&words(&bad, &good)[..], &test, &["--json"]].concat());
    assert_eq!(output.status.code(), Some(3));
    let text = String::from_utf8_lossy(&output.stdout);
    let last = text.lines().last().unwrap_or_default();
    let expected = "\"decision\":\"H0\",\"decision_without_faults\":null,\"doubtful\":true}";
    assert!(last.contains(expected), "{last}");
}

#[test]
fn verdict_that_does_not_depend_on_faults_stands() {
    let folder = Folder::new();
    // Resigns all games but crashes in every eighth.
    let count = folder.path("count");
    let deed =
        format!("echo x >> '{0}'; [ $(($(wc -l < '{0}') % 8)) = 0 ] && exit 1; echo nobestmove", count.display());
    let path = engine(&folder, "meek", &deed);
    let (bad, good) = (format!("name=bad,cmd={path},proto=ucci"), good());
    let test = ["--games", "400", "--tolerate-faults", "--sprt", "elo0=0,elo1=400,alpha=0.4,beta=0.4"];
    let output = arena(&folder, &[&words(&bad, &good)[..], &test].concat());
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("H0 accepted") && !text.contains("DOUBTFUL"), "{text}");
}

#[test]
fn wrapper_script_and_its_engine_are_both_killed() {
    let folder = Folder::new();
    // The wrapper exits on `quit`, its child does not.
    let child = folder.path("child");
    let body = format!(
        "sleep 1000 > /dev/null 2>&1 & echo $! >> '{}'; while read -r word rest; do case \"$word\" in \
         ucci) echo ucciok;; isready) echo readyok;; quit) exit;; go) echo nobestmove;; esac; done",
        child.display()
    );
    let path = script(&folder, "wrapper", &body);
    let (one, other) = (format!("name=a,cmd={path},proto=ucci"), format!("name=b,cmd={path},proto=ucci"));
    let output = arena(&folder, &[&words(&one, &other)[..], &["--games", "2"]].concat());
    assert!(output.status.success());
    let children = std::fs::read_to_string(child).expect("the numbers of the children");
    assert_eq!(children.lines().count(), 2);
    children.lines().for_each(super::program::ends);
}
