//! Files of games: gone on with, in parts, and many at once.

use crate::common::{Folder, answered, stdout, success};
use serde_json::Value;
use std::collections::BTreeSet;
use std::process::Output;

/// Three games; in the first one red does not take a rook.
const GAMES: &str = "[Red \"a\"]\n[FEN \"r2k5/9/9/9/9/9/9/9/R8/4K4 w\"]\n\n1. a1b1 a9a8 2. b1b2 a8a7 *\n\n\
    [Red \"b\"]\n\n1. b2e2 *\n\n[Red \"c\"]\n\n1. h2d2 a9a8 *\n";

fn reports(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

fn analyse(folder: &Folder, words: &[&str]) -> Output {
    folder.chuhe(&[&["analyse", "--hash", "1", "--nodes", "2000", "--json"], words].concat())
}

fn ids(output: &Output) -> Vec<Value> {
    reports(&success(output)).into_iter().map(|mut report| report["id"].take()).collect()
}

#[test]
fn what_is_wrong_with_a_game_stands_among_the_answers() {
    let folder = Folder::new();
    folder.write("games.pgn", GAMES.replace("b2e2 *", "b2e2 e9e0 *"));
    let output = analyse(&folder, &["games.pgn", "--every-ply", "--out", "answers.jsonl"]);
    assert_eq!(output.status.code(), Some(1));
    let kept = folder.text("answers.jsonl");
    let ids: Vec<Value> = reports(&kept).into_iter().map(|mut report| report["id"].take()).collect();
    assert_eq!(ids[5..8], ["2:0", "2:1", "2:2"]);
    assert!(reports(&kept)[7]["error"].as_str().is_some_and(|error| error.contains("e9e0")));
    // Continued from any line, that with the fault included.
    for lines in 0..=ids.len() {
        let cut: String = kept.split_inclusive('\n').take(lines).collect();
        folder.write("answers.jsonl", cut);
        assert_eq!(analyse(&folder, &["games.pgn", "--every-ply", "--out", "answers.jsonl"]).status.code(), Some(1));
        assert_eq!(reports(&folder.text("answers.jsonl")).len(), ids.len());
    }
}

#[test]
fn shards_answer_each_position_once() {
    let folder = Folder::new();
    folder.write("games.pgn", GAMES.replace("b2e2 *", "b2e2 e9e0 *"));
    folder.write("list.txt", "startpos\nstartpos moves h2e2\nstartpos moves b2e2\n");
    for file in ["games.pgn", "list.txt"] {
        let answers = |shard| {
            let every_ply: &[&str] = if file == "games.pgn" { &["--every-ply"] } else { &[] };
            let answers = reports(&stdout(&analyse(&folder, &[&[file, "--shard", shard][..], every_ply].concat())));
            // Numbers are those of the whole list in every part.
            answers.into_iter().map(|answer| (answer["number"].to_string(), answer["id"].to_string())).collect()
        };
        let whole: BTreeSet<(String, String)> = answers("1/1");
        let parts: Vec<BTreeSet<(String, String)>> = ["1/2", "2/2"].into_iter().map(answers).collect();
        assert!(parts.iter().all(|part| !part.is_empty()), "{file}");
        assert_eq!(parts[0].len() + parts[1].len(), whole.len(), "{file}");
        assert_eq!(&parts[0] | &parts[1], whole, "{file}");
    }
}

#[test]
fn answers_that_come_out_of_order_leave_nothing_out() {
    let folder = Folder::new();
    folder.write("games.pgn", "1. h2e2 *\n".repeat(3000));
    let words = ["analyse", "games.pgn", "--eval-only", "--json", "--threads", "4", "--hash", "1"];
    assert_eq!(ids(&folder.chuhe(&words)).len(), 3000);
}

#[test]
fn queries_that_wait_can_all_be_ended() {
    let folder = Folder::new();
    let queries: String = (0..500).map(|id| format!("{{\"id\": {id}, \"infinite\": true}}\n")).collect();
    let input = queries + "{\"id\": \"end\", \"action\": \"terminate_all\"}\n";
    let mut command = folder.command(&["analyse", "--stdin", "--threads", "1", "--hash", "1"]);
    let text = stdout(&answered(&mut command, input.as_bytes()));
    assert_eq!(reports(&text).iter().filter(|report| report["final"] == true).count(), 500);
}
