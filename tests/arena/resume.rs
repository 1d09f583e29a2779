//! Resuming a tournament after an interruption.

use super::program::{arena, arena_in, complaint, report, two_engines};
#[cfg(unix)]
use super::program::{engine, twins_in};
#[cfg(unix)]
use crate::common::refusal;
use crate::common::{CHUHE, Folder};
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

#[test]
fn resumed_games_count_in_the_standings() {
    let folder = folder();
    let short = [words("m.pgn"), vec!["--json"]].concat();
    let first = report(&folder, &short);
    let again = report(&folder, &[short, vec!["--resume"]].concat());
    assert_eq!(again.lines().count(), 1, "nothing was left to play: {again}");
    assert_eq!(first.lines().last(), again.lines().last());
}

#[test]
fn record_is_neither_overwritten_nor_mixed_with_other_games() {
    let folder = folder();
    let short = ["--self", "a.toml", "b.toml", "--games", "2", "--nodes", "50", "--pgn", "m.pgn"];
    report(&folder, &short);
    assert!(complaint(&folder, &short).contains("already holds games"));
    let with = |more: &[&'static str]| complaint(&folder, &[&short[..], more].concat());
    for (more, expected) in [
        (
            ["--seed", "5"],
            "Openings was '8 random moves, balance 20, seed 1' and is '8 random moves, balance 20, seed 5'",
        ),
        (["--plies", "6"], "Openings was '8 random moves, balance 20, seed 1' and is '6 random moves"),
        (["--random-openings", "1"], "and is '8 random moves, balance 20, seed 1, 1 of them in turn'"),
        (["--rules", "league"], "Referee was 'rules asian, natural limit 120; losing moves forbidden; margin 50 ms"),
        (["--losing-moves", "allow"], "losing moves allowed; margin"),
        (["--margin", "70"], "margin 70 ms"),
        (["--resign", "score=500"], "resign moves=4,score=500'"),
        (["--draw", "score=5"], "draw from=40,moves=8,score=5'"),
        (["--openings", "list.txt"], "and is '1 listed in this order, fingerprint "),
    ] {
        folder.write("list.txt", "h2e2\n");
        let told = with(&[&["--resume"][..], &more].concat());
        assert!(
            told.contains("m.pgn: game 1 is not one of this tournament: it was played under other conditions: "),
            "{told}"
        );
        assert!(told.contains(expected) && told.lines().count() == 1, "{told}");
    }
    let against = |words: &[&str]| complaint(&folder, &[words, &["--pgn", "m.pgn", "--resume"]].concat());
    let told = against(&["--self", "a.toml", "b.toml", "--nodes", "60"]);
    assert!(told.contains("RedEngine was 'Chuhe ") && told.contains("; 50 nodes a move; "), "{told}");
    assert!(told.contains(" and is 'Chuhe ") && told.contains("; 60 nodes a move; "), "{told}");
    let told = against(&["--self", "b.toml", "a.toml", "--nodes", "50"]);
    assert!(told.contains("RedEngine was "), "{told}");
    folder.write("a.toml", "hash_mb = 1\nskill = 5\n");
    let told = against(&["--self", "a.toml", "b.toml", "--nodes", "50"]);
    assert!(told.contains("hash_mb=1; skill=5'"), "{told}");
    folder.write("a.toml", "name = \"c\"\nhash_mb = 1\n");
    assert!(against(&["--self", "a.toml", "b.toml", "--nodes", "50"]).contains("others play in its round"));
    folder.write("c.toml", "");
    folder.write("a.toml", "hash_mb = 1\n");
    let told = against(&["--self", "a.toml", "b.toml", "c.toml", "--nodes", "50"]);
    assert!(told.contains("Tournament was 'round robin of 2' and is 'round robin of 3'"), "{told}");
    assert!(complaint(&folder, &["--self", "a.toml", "b.toml", "--resume"]).contains("--pgn FILE"));
}

#[test]
fn resume_refuses_engines_with_other_options() {
    let folder = folder();
    let run = |options: &str, more: &[&str]| {
        let (one, other) =
            (format!("name=a,cmd={CHUHE},proto=ucci{options}"), format!("name=b,cmd={CHUHE},proto=ucci"));
        let words = ["--engine", &one, "--engine", &other, "--games", "2", "--nodes", "30", "--pgn", "m.pgn"];
        arena(&folder, &[&words[..], more].concat())
    };
    assert!(run(",option.hashsize=1", &[]).status.success());
    assert!(run(",option.hashsize=1", &["--resume"]).status.success());
    let told = String::from_utf8(run(",option.hashsize=2", &["--resume"]).stderr).expect("UTF-8");
    let with = |size: usize| format!("chuhe{}; hashsize={size}'", std::env::consts::EXE_SUFFIX);
    assert!(told.contains(&format!("{} and is '", with(1))) && told.contains(&with(2)), "{told}");
    // A longer match has the same conditions.
    let longer = run(",option.hashsize=1", &["--resume", "--json"]);
    assert!(longer.status.success());
}

#[test]
fn resume_can_extend_a_match() {
    let folder = folder();
    let words = ["--self", "a.toml", "b.toml", "--nodes", "50", "--pgn", "m.pgn", "--json"];
    report(&folder, &[&words[..], &["--games", "2"]].concat());
    let text = report(&folder, &[&words[..], &["--games", "4", "--resume"]].concat());
    assert_eq!(text.lines().count(), 3, "{text}");
    assert_eq!(rounds(&folder.path("m.pgn")).len(), 4);
}

#[test]
fn resume_leaves_other_files_unchanged() {
    let folder = folder();
    let own = report(&folder, &["--self", "a.toml", "b.toml", "--games", "2", "--nodes", "50", "--pgn", "own.pgn"]);
    assert!(!own.is_empty());
    let own = folder.text("own.pgn");
    let foreign_game = "[Game \"Chinese Chess\"]\n[Event \"x\"]\n[Red \"a\"]\n\n1. H2-E2 H9-G7 ";
    for text in [
        "games = 20\n[[engine]]\n".to_string(),
        "Some notes, 1-0\n\nand more\n".to_string(),
        "binary \u{0}\u{1} stuff".to_string(),
        foreign_game.to_string(),
        format!("{foreign_game}1-0\n\n"),
        format!("{own}a note that somebody put behind it\n"),
        format!("{own}{foreign_game}"),
        format!("{foreign_game}1-0\n\n{own}"),
        format!("my games\n\n{own}"),
    ] {
        for resume in [&["--resume"][..], &[]] {
            let path = folder.write("m.pgn", &text);
            let words = ["--self", "a.toml", "b.toml", "--games", "4", "--nodes", "50", "--pgn", "m.pgn"];
            let told = complaint(&folder, &[&words[..], resume].concat());
            assert!(told.contains("m.pgn") && told.lines().count() == 1, "{told}");
            assert_eq!(std::fs::read_to_string(path).expect("the file"), text);
        }
    }
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
