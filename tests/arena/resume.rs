//! Going on after an interruption, be it ever so rude.

use super::program::{Folder, arena_in, complaint, report};
use chuhe::record::pgn::{self, Record};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

const GAMES: usize = 24;

fn words(pgn: &str) -> Vec<&str> {
    vec!["--self", "a.toml", "b.toml", "--games", "24", "--nodes", "300", "--concurrency", "2", "--pgn", pgn]
}

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("a.toml", "hash_mb = 1\n");
    folder.write("b.toml", "hash_mb = 1\nnodes = 100\n");
    folder
}

/// The moves of each round; a round that is there twice, or cannot be read, fails.
fn rounds(path: &Path) -> BTreeMap<usize, Vec<String>> {
    let text = std::fs::read_to_string(path).expect("a record");
    let mut rounds = BTreeMap::new();
    for game in pgn::read(&text) {
        let game: Record = game.expect("a readable game");
        let round: usize = game.tag("Round").and_then(|round| round.parse().ok()).expect("a round");
        let moves = game.moves.iter().map(|entry| entry.mv.to_string()).collect();
        assert!(rounds.insert(round, moves).is_none(), "round {round} was played twice");
    }
    rounds
}

#[test]
fn a_tournament_killed_again_and_again_ends_as_if_nothing_had_been() {
    let folder = folder();
    report(&folder, &words("whole.pgn"));
    let whole = rounds(&folder.path("whole.pgn"));
    assert_eq!(whole.len(), GAMES);

    let record = folder.path("killed.pgn");
    let resumed = [words("killed.pgn"), vec!["--resume"]].concat();
    for wanted in [2, 5, 9] {
        let directory = record.parent().expect("the folder");
        let mut child = arena_in(directory, &resumed).stdout(Stdio::null()).spawn().expect("chuhe runs");
        let begun = Instant::now();
        let written = || std::fs::read_to_string(&record).unwrap_or_default().matches("[Round ").count();
        while written() < wanted && begun.elapsed() < Duration::from_secs(120) {
            std::thread::sleep(Duration::from_millis(2));
        }
        child.kill().expect("a child to kill");
        child.wait().expect("a child that ends");
        // Readable as it lies there, whole games all of them.
        let so_far = rounds(&record);
        assert!(so_far.len() >= wanted, "{} games", so_far.len());
    }
    // What a power failure may leave: half a game.
    let text = std::fs::read_to_string(&record).expect("a record");
    let torn = &text[..text.find(" 3. ").expect("a third move")];
    let mut file = std::fs::OpenOptions::new().append(true).open(&record).expect("the record");
    file.write_all(torn.as_bytes()).expect("half a game");
    drop(file);

    report(&folder, &resumed);
    assert_eq!(rounds(&record), whole);
}

#[test]
fn what_was_played_counts() {
    let folder = folder();
    let short = [words("m.pgn"), vec!["--json"]].concat();
    let first = report(&folder, &short);
    let again = report(&folder, &[short, vec!["--resume"]].concat());
    assert_eq!(again.lines().count(), 1, "nothing was left to play: {again}");
    assert_eq!(first.lines().last(), again.lines().last());
}

#[test]
fn a_record_is_neither_overwritten_nor_mixed_up() {
    let folder = folder();
    let short = ["--self", "a.toml", "b.toml", "--games", "2", "--nodes", "50", "--pgn", "m.pgn"];
    report(&folder, &short);
    assert!(complaint(&folder, &short).contains("already holds games"));
    let with = |more: &[&'static str]| complaint(&folder, &[&short[..], more].concat());
    assert!(
        with(&["--resume", "--seed", "5"])
            .contains("game 1 is not one of this tournament: it has another opening")
    );
    let others = ["--self", "b.toml", "a.toml", "--nodes", "50", "--pgn", "m.pgn", "--resume"];
    assert!(complaint(&folder, &others).contains("others play in its round"));
    assert!(complaint(&folder, &["--self", "a.toml", "b.toml", "--resume"]).contains("--pgn FILE"));
}
