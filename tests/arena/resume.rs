//! Resuming a tournament after it was killed, and records that cannot be written; `transcripts::arena` has the rest.

use super::program::{arena_in, report, two_engines};
#[cfg(unix)]
use super::program::{complaint, engine, twins_in};
use crate::common::Folder;
#[cfg(unix)]
use crate::common::{CHUHE, refusal};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
#[cfg(unix)]
use std::process::Command;
use std::process::Stdio;
use std::time::{Duration, Instant};
use xiangqi_record::{Game, pgn};

const GAMES: usize = 24;

fn words(pgn: &str) -> Vec<&str> {
    vec!["--self", "a.toml", "b.toml", "--games", "24", "--nodes", "300", "--concurrency", "2", "--pgn", pgn]
}

fn folder() -> Folder {
    two_engines("hash_mb = 1\n", "hash_mb = 1\nnodes = 100\n")
}

/// The moves of each round; fails on duplicate or invalid rounds.
fn rounds(path: &Path) -> BTreeMap<usize, Vec<String>> {
    let text = std::fs::read_to_string(path).expect("a record");
    let mut rounds = BTreeMap::new();
    for game in pgn::read(&text) {
        let game: Game = game.expect("a readable game");
        let round: usize = game.tag("Round").and_then(|round| round.parse().ok()).expect("a round");
        let moves = game.moves().map(|mv| mv.to_string()).collect();
        assert!(rounds.insert(round, moves).is_none(), "round {round} was played twice");
    }
    rounds
}

#[test]
fn resumed_tournament_equals_an_uninterrupted_one() {
    let folder = folder();
    report(&folder, &words("whole.pgn"));
    let whole = rounds(&folder.path("whole.pgn"));
    assert_eq!(whole.len(), GAMES);

    let record = folder.path("killed.pgn");
    let resumed = [words("killed.pgn"), vec!["--resume"]].concat();
    for wanted in [2, 5, 9] {
        let mut child = arena_in(&folder, &resumed).stdout(Stdio::null()).spawn().expect("chuhe runs");
        let begun = Instant::now();
        let written = || std::fs::read_to_string(&record).unwrap_or_default().matches("[Round ").count();
        while written() < wanted && begun.elapsed() < Duration::from_secs(120) {
            std::thread::sleep(Duration::from_millis(2));
        }
        child.kill().expect("a child to kill");
        child.wait().expect("a child that ends");
        // The record holds whole games only.
        let so_far = rounds(&record);
        assert!(so_far.len() >= wanted, "{} games", so_far.len());
    }
    // Half a game, as after a power failure.
    let text = std::fs::read_to_string(&record).expect("a record");
    let torn = &text[..text.find(" 3. ").expect("a third move")];
    let mut file = std::fs::OpenOptions::new().append(true).open(&record).expect("the record");
    file.write_all(torn.as_bytes()).expect("half a game");
    drop(file);

    report(&folder, &resumed);
    assert_eq!(rounds(&record), whole);
}

#[cfg(unix)]
#[test]
fn record_has_only_one_writer() {
    let folder = folder();
    let asked = folder.path("asked");
    let deed = format!("echo x >> '{}'; sleep 1000", asked.display());
    let slow = engine(&folder, "slow", &deed);
    let mut arena = twins_in(&folder, &slow, &["--resume"]);
    let mut first = arena.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("chuhe runs");
    let begun = Instant::now();
    while !asked.exists() && begun.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(2));
    }
    let told = refusal(&twins_in(&folder, &slow, &["--resume"]).output().expect("chuhe runs"));
    assert_eq!(told, "chuhe: m.pgn is in use: another arena writes to it\n");
    let told = Command::new("kill").args(["-TERM", &first.id().to_string()]).status();
    assert!(told.is_ok_and(|status| status.success()));
    first.wait().expect("a child that ends");
}

#[cfg(unix)]
#[test]
fn record_write_errors_name_the_file() {
    let folder = folder();
    let words = ["--self", "a.toml", "b.toml", "--games", "40", "--nodes", "50", "--pgn"];
    let cannot = |path: &str| complaint(&folder, &[&words[..], &[path]].concat());
    assert!(cannot("no/such/folder/m.pgn").starts_with("chuhe: no/such/folder/m.pgn: "));
    assert!(cannot("/dev/full").starts_with("chuhe: /dev/full: is not a file"));
    assert!(cannot(".").starts_with("chuhe: .: "));

    // Simulates a full disk: the shell limits files to 4 kB, in the middle of a game.
    let script = format!("ulimit -f 8; exec '{CHUHE}' arena {} full.pgn", words.join(" "));
    let output = Command::new("sh").args(["-c", &script]).current_dir(folder.path("")).output().expect("sh");
    assert_eq!(output.status.code(), Some(2));
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(told.starts_with("chuhe: full.pgn: ") && told.lines().count() == 1, "{told}");
    let bytes = std::fs::read(folder.path("full.pgn")).expect("a record");
    assert_eq!(pgn::complete_games_length(&bytes), bytes.len(), "nothing is left half-written");
    report(&folder, &[&words[..], &["full.pgn", "--resume", "--json"]].concat());
    assert_eq!(rounds(&folder.path("full.pgn")).len(), 40);
}

#[cfg(unix)]
#[test]
fn record_removal_during_the_tournament_is_an_error() {
    let folder = folder();
    // The engine itself removes the record.
    let path = folder.path("m.pgn");
    let thief = engine(&folder, "thief", &format!("rm -f '{}'; echo nobestmove", path.display()));
    let told = refusal(&twins_in(&folder, &thief, &["--games", "2"]).output().expect("chuhe runs"));
    assert_eq!(told, "chuhe: m.pgn: was removed or replaced while the tournament was played\n");
}
