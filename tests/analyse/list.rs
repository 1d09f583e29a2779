//! Lists of positions: the same with any number of threads, and resumed after an interruption.

use crate::common::{Folder, answered, refusal, stderr, stdout, success};
use serde_json::Value;
use std::collections::BTreeSet;
use std::process::Output;
use std::time::{Duration, Instant};

/// Positions with a FEN, moves, EPD operations, comments and empty lines.
const LIST: &str = "# a remark\n\
    startpos moves h2e2 h9g7\n\
    rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w\n\
    \n\
    3k5/9/9/9/9/9/9/9/R8/1R2K4 w - - 0 1 bm a1d1; id \"mate\";\n\
    position startpos moves b2e2\n\
    3a5/9/4k4/9/9/9/9/9/9/N2K5 w\n";

fn reports(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// The output without the fields that depend on the machine.
fn timeless(text: &str) -> Vec<Value> {
    let mut reports = reports(text);
    for report in &mut reports {
        let fields = report.as_object_mut().expect("an object");
        fields.remove("time_ms");
        fields.remove("nps");
        if let Some(conditions) = fields.get_mut("conditions") {
            conditions.as_object_mut().expect("conditions").remove("hash");
        }
    }
    reports
}

fn analyse(folder: &Folder, words: &[&str]) -> Output {
    folder.chuhe(&[&["analyse", "--hash", "1", "--nodes", "2000"], words].concat())
}

#[test]
fn list_is_answered_the_same_with_any_number_of_threads() {
    let folder = Folder::new();
    folder.write("list.txt", LIST);
    let [alone, fives] =
        ["1", "5"].map(|count| success(&analyse(&folder, &["list.txt", "--json", "--threads", count])));
    assert_eq!(timeless(&alone), timeless(&fives));
}

#[test]
fn answer_file_is_resumed_from_any_truncation() {
    let folder = Folder::new();
    folder.write("list.txt", LIST);
    let words = ["list.txt", "--threads", "2", "--out", "answers.jsonl"];
    assert_eq!(success(&analyse(&folder, &words)), "");
    let whole = folder.text("answers.jsonl");
    assert_eq!(reports(&whole).len(), 5);
    let cuts = [0, 1, 9, whole.len() / 3, whole.len() / 2, whole.len() - 1, whole.len()];
    for cut in cuts {
        folder.write("answers.jsonl", &whole.as_bytes()[..cut]);
        success(&analyse(&folder, &words));
        assert_eq!(timeless(&folder.text("answers.jsonl")), timeless(&whole), "cut at {cut}");
    }
    // The zero bytes that some file systems leave where nothing was written yet.
    folder.write("answers.jsonl", format!("{}\0\0\0", &whole[..whole.find('\n').expect("a line") + 1]));
    success(&analyse(&folder, &words));
    assert_eq!(timeless(&folder.text("answers.jsonl")), timeless(&whole));
    // A longer list.
    folder.write("list.txt", format!("{LIST}startpos moves h2d2\n"));
    success(&analyse(&folder, &words));
    let longer = folder.text("answers.jsonl");
    assert!(longer.starts_with(&folder.text("answers.jsonl")[..10]) && reports(&longer).len() == 6);
}

#[test]
fn answer_file_with_an_endless_line_is_refused_and_stays() {
    let folder = Folder::new();
    folder.write("list.txt", LIST);
    let length = 257 << 20;
    let mut line = b"{\"number\":1,\"text\":\"".to_vec();
    line.resize(length, b'a');
    folder.write("answers.jsonl", line);
    let told = refusal(&analyse(&folder, &["list.txt", "--out", "answers.jsonl"]));
    assert!(told.contains("answers.jsonl, line 1: longer than any answer"), "{told}");
    assert_eq!(std::fs::metadata(folder.path("answers.jsonl")).expect("the file").len(), length as u64);
}

/// Waits until a file has so many lines.
#[cfg_attr(not(unix), allow(dead_code))]
fn wait_for_lines(folder: &Folder, file: &str, count: usize) {
    let begun = Instant::now();
    while std::fs::read_to_string(folder.path(file)).unwrap_or_default().lines().count() < count {
        assert!(begun.elapsed() < Duration::from_secs(120), "no {count} lines");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[cfg(unix)]
#[test]
fn list_resumes_after_kill_or_interrupt() {
    let folder = Folder::new();
    let list: String = ["h2e2", "b2e2", "h0g2", "b0c2", "g3g4", "c3c4", "a0a1", "i0i1"]
        .iter()
        .flat_map(|first| ["h9g7", "b9c7", "c6c5", "g6g5"].map(|second| format!("startpos moves {first} {second}\n")))
        .collect();
    folder.write("list.txt", &list);
    let words = ["analyse", "list.txt", "--nodes", "3000", "--hash", "1", "--threads", "2", "--out"];
    let command = |out| folder.command(&[&words[..], &[out]].concat());
    success(&command("whole.jsonl").output().expect("chuhe runs"));
    for (signal, code) in [("-KILL", None), ("-INT", Some(130)), ("-TERM", Some(130))] {
        let _ = std::fs::remove_file(folder.path("answers.jsonl"));
        let mut child = command("answers.jsonl").spawn().expect("chuhe runs");
        wait_for_lines(&folder, "answers.jsonl", 3);
        let id = child.id().to_string();
        std::process::Command::new("kill").args([signal, &id]).status().expect("kill");
        let status = child.wait().expect("an end");
        // The program may have finished first.
        assert!(status.success() || status.code() == code, "{signal}: {status}");
        success(&command("answers.jsonl").output().expect("chuhe runs"));
        assert_eq!(timeless(&folder.text("answers.jsonl")), timeless(&folder.text("whole.jsonl")), "{signal}");
    }
}

#[test]
fn file_of_queries_is_answered_in_its_order_in_parts_and_goes_on() {
    let folder = Folder::new();
    let queries = r#"{"id": "a", "moves": "h2e2 h9g7", "player": "Hu"}
{"id": "b", "moves": "h2e2 h9g7", "plies": "all", "nodes": 300, "player": "Hu"}

{"id": "c", "moves": "h2e3"}
{"id": "d", "infinite": true}
rubbish
{"id": "f", "lines": 2}
"#;
    folder.write("queries.jsonl", queries);
    folder.write("queries.txt", queries);
    let output = analyse(&folder, &["queries.jsonl"]);
    assert_eq!(output.status.code(), Some(1));
    let all = timeless(&stdout(&output));
    let ids: Vec<&Value> = all.iter().map(|answer| &answer["id"]).collect();
    assert_eq!(
        Value::from_iter(ids.into_iter().cloned()),
        serde_json::json!(["a", "b", "b", "b", "c", "d", null, "f"])
    );
    assert!(all[4]["error"].as_str().is_some_and(|error| error.starts_with("moves: ")), "{}", all[4]);
    assert_eq!(stderr(&output).matches("unknown field 'player'").count(), 1, "{}", stderr(&output));
    assert_eq!(timeless(&stdout(&analyse(&folder, &["queries.txt", "--threads", "3"]))), all);

    let mut parts = Vec::new();
    for part in ["1/3", "2/3", "3/3"] {
        let name = format!("{}.jsonl", &part[..1]);
        let words = ["queries.jsonl", "--shard", part, "--out", &name];
        analyse(&folder, &words);
        let whole = folder.text(&name);
        // A part that was cut off goes on behind its first answer.
        let first = whole.split_inclusive('\n').next().expect("an answer");
        folder.write(&name, first);
        analyse(&folder, &words);
        assert_eq!(timeless(&folder.text(&name)), timeless(&whole));
        let of_script =
            [&["analyse", "--stdin", "--hash", "1", "--nodes", "2000", "--threads", "1"], &words[1..3]].concat();
        let told = stdout(&answered(&mut folder.command(&of_script), queries.as_bytes()));
        assert_eq!(sorted_ids(&told), sorted_ids(&whole), "part {part}");
        parts.extend(timeless(&whole));
    }
    parts.sort_by_key(|answer| (answer["number"].as_u64(), answer["ply"].as_u64()));
    assert_eq!(parts, all);
    assert!(refusal(&analyse(&folder, &["queries.jsonl", "--ply", "1"])).contains("a file of queries says itself"));
}

/// The ids of the answers, without warnings, sorted.
fn sorted_ids(text: &str) -> Vec<String> {
    let answers = reports(text).into_iter().filter(|answer| answer["warning"].is_null());
    let mut ids: Vec<String> = answers.map(|answer| answer["id"].to_string()).collect();
    ids.sort();
    ids
}

/// Three games; in the first one red does not take a rook.
const GAMES: &str = "[Red \"a\"]\n[FEN \"r2k5/9/9/9/9/9/9/9/R8/4K4 w\"]\n\n1. a1b1 a9a8 2. b1b2 a8a7 *\n\n\
    [Red \"b\"]\n\n1. b2e2 *\n\n[Red \"c\"]\n\n1. h2d2 a9a8 *\n";

fn ids(output: &Output) -> Vec<Value> {
    reports(&success(output)).into_iter().map(|mut report| report["id"].take()).collect()
}

#[test]
fn what_is_wrong_with_a_game_stands_among_the_answers() {
    let folder = Folder::new();
    folder.write("games.pgn", GAMES.replace("b2e2 *", "b2e2 e9e0 *"));
    let output = analyse(&folder, &["games.pgn", "--json", "--every-ply", "--out", "answers.jsonl"]);
    assert_eq!(output.status.code(), Some(1));
    let kept = folder.text("answers.jsonl");
    let ids: Vec<Value> = reports(&kept).into_iter().map(|mut report| report["id"].take()).collect();
    assert_eq!(ids[5..8], ["2:0", "2:1", "2:2"]);
    assert!(reports(&kept)[7]["error"].as_str().is_some_and(|error| error.contains("e9e0")));
    // Continued from any line, that with the fault included.
    for lines in 0..=ids.len() {
        let cut: String = kept.split_inclusive('\n').take(lines).collect();
        folder.write("answers.jsonl", cut);
        assert_eq!(
            analyse(&folder, &["games.pgn", "--json", "--every-ply", "--out", "answers.jsonl"]).status.code(),
            Some(1)
        );
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
            let answers =
                reports(&stdout(&analyse(&folder, &[&[file, "--json", "--shard", shard][..], every_ply].concat())));
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
