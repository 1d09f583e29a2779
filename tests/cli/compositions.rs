//! `chuhe mates check`: exit codes, the files it writes, and going on after an interruption.

use crate::common::{Folder, refusal, stderr, stdout, success};
use serde_json::Value;
use std::process::Output;
use xiangqi_record::{RecordFile, pgn};

/// Mate in two, by e8f7 alone.
const SOUND: &str = "5c1N1/3ka4/9/9/9/9/p8/9/4r4/5K3 b - - 0 1";
/// Two rooks mate in one by several moves.
const COOKED: &str = "3k5/9/9/9/9/9/9/9/R8/1R2K4 w - - 0 1";
/// Far too hard for a few nodes.
const OPEN: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

fn check(folder: &Folder, words: &[&str]) -> Output {
    folder.chuhe(&[&["mates", "check", "--nodes", "400000", "--hash", "8"], words].concat())
}

fn code(output: &Output) -> Option<i32> {
    output.status.code()
}

#[test]
fn composition_check_tells_by_its_exit_code_what_it_found() {
    let folder = Folder::new();
    let sound = check(&folder, &[SOUND]);
    assert_eq!(code(&sound), Some(0), "{}", stderr(&sound));
    let text = stdout(&sound);
    assert!(text.starts_with("Problem 1: sound\n"), "{text}");
    assert!(text.contains("Mate in 2 by") && text.contains("no shorter one"), "{text}");
    assert!(text.contains("No other first move mates as fast.") && text.contains("(stalemate, which wins)"), "{text}");

    let cooked = check(&folder, &[COOKED, "--brief"]);
    assert_eq!(code(&cooked), Some(10), "{}", stderr(&cooked));
    assert!(stdout(&cooked).contains("mates as well, in 1."), "{}", stdout(&cooked));
    let open = check(&folder, &[OPEN]);
    assert_eq!((code(&open), stdout(&open).contains("not settled")), (Some(11), true), "{}", stdout(&open));
    // The worst of several.
    folder.write("all.fen", format!("{SOUND}\n{OPEN}\n{COOKED}\n"));
    assert_eq!(code(&check(&folder, &["all.fen"])), Some(10));
    assert_eq!(code(&check(&folder, &["all.fen", "--game", "1"])), Some(0));
    folder.write("torn.fen", format!("{SOUND}\n9/9 w\n"));
    assert_eq!(code(&check(&folder, &["torn.fen"])), Some(1));
    refusal(&check(&folder, &["no-such-file.fen"]));

    let chinese = check(&folder, &[SOUND, "--lang", "zh"]);
    assert!(stdout(&chinese).starts_with("第 1 题：成立\n"), "{}", stdout(&chinese));
}

#[test]
fn composition_check_writes_solutions_that_can_be_read_again() {
    let folder = Folder::new();
    folder.write("two.fen", format!("{SOUND}\n{COOKED}\n"));
    let written = check(&folder, &["two.fen", "--pgn", "two.pgn", "--xqf", "xqf", "--html", "two.html", "--json"]);
    assert_eq!(code(&written), Some(10), "{}", stderr(&written));
    let objects: Vec<Value> = stdout(&written).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(objects.len(), 2);
    assert_eq!((&objects[0]["soundness"], &objects[1]["soundness"]), (&"sound".into(), &"cooked".into()));
    assert_eq!(objects[0]["solution"]["key"], "e8f7");

    let games: Vec<_> = pgn::read(&folder.text("two.pgn")).into_iter().map(|game| game.expect("a game")).collect();
    assert_eq!(games.len(), 2);
    for (index, game) in games.iter().enumerate() {
        let tree = objects[index]["tree"].as_array().expect("a tree").len();
        assert!(game.nodes().count() > tree, "every move of the tree is there");
        assert_eq!(game.main_line().count(), [3, 1][index]);
        // The same in XQF.
        let file = folder.path(&format!("xqf/problem-{:03}.xqf", index + 1));
        let read = RecordFile::read(std::fs::read(&file).expect("a file")).game(1).expect("a game");
        assert!(read.errors.is_empty());
        assert_eq!(read.game.nodes().count(), game.nodes().count());
    }
    // The solution that was written is sound when it is read as the stated one.
    let again = check(&folder, &["two.pgn", "--game", "1", "--json"]);
    let object: Value = serde_json::from_str(success(&again).trim()).expect("JSON");
    assert_eq!((&object["claim"], object["stated"].as_array().map(Vec::len)), (&"win".into(), Some(3)));

    // The tags of a record are kept.
    folder.write("named.pgn", format!("[Event \"A first try\"]\n[Author \"Somebody\"]\n[FEN \"{SOUND}\"]\n\n*\n"));
    let named = check(&folder, &["named.pgn", "--pgn", "-"]);
    let text = success(&named);
    assert!(text.contains("[Author \"Somebody\"]") && text.contains("[Event \"A first try\"]"), "{text}");

    let page = folder.text("two.html");
    assert!(page.contains("const PROBLEMS = [") && page.contains("cooked") && page.contains("sound"));
    check(&folder, &["two.fen", "--html", "chinese.html", "--lang", "zh"]);
    let chinese = folder.text("chinese.html");
    assert!(chinese.contains("有双解：首着不唯一") && !chinese.contains("cooked"));
    // Its own page is written over, games of others are not.
    assert_eq!(code(&check(&folder, &["two.fen", "--html", "two.html"])), Some(10));
    refusal(&check(&folder, &["two.fen", "--pgn", "two.pgn"]));
    refusal(&check(&folder, &["two.fen", "--xqf", "xqf"]));
    assert_eq!(code(&check(&folder, &["two.fen", "--pgn", "two.pgn", "--force"])), Some(10));
}

#[test]
fn composition_check_goes_on_where_it_was_ended() {
    let folder = Folder::new();
    folder.write("three.fen", format!("{SOUND}\n{COOKED}\n{OPEN}\n"));
    let whole = check(&folder, &["three.fen", "--out", "whole.jsonl"]);
    assert_eq!(code(&whole), Some(10), "{}", stderr(&whole));
    let journal = folder.text("whole.jsonl");
    let lines: Vec<&str> = journal.split_inclusive('\n').collect();
    assert_eq!(lines.len(), 3);

    // After a crash in the middle of the third line: two are kept, and the output is the same. Some file systems leave zero
    // bytes where nothing was written yet.
    for rest in [&lines[2][..lines[2].len() / 2], "\0\0\0", ""] {
        folder.write("torn.jsonl", format!("{}{}{rest}", lines[0], lines[1]));
        let resumed = check(&folder, &["three.fen", "--out", "torn.jsonl"]);
        assert_eq!(stdout(&resumed), stdout(&whole));
        assert_eq!(folder.text("torn.jsonl"), journal);
    }
    // Several at a time find the same.
    let parallel = check(&folder, &["three.fen", "--concurrency", "3"]);
    assert_eq!(stdout(&parallel), stdout(&whole));

    // Other problems, other limits and other files are not mixed in.
    folder.write("other.fen", format!("{COOKED}\n"));
    assert!(
        refusal(&check(&folder, &["other.fen", "--out", "whole.jsonl"]))
            .contains("line 1: the list has another position")
    );
    let limited = check(&folder, &["three.fen", "--out", "whole.jsonl", "--longest", "7"]);
    assert!(refusal(&limited).contains("made under another 'longest'"), "{}", stderr(&limited));
    assert!(refusal(&check(&folder, &["three.fen", "--out", "three.fen"])).contains("has no reports"));
    assert_eq!(folder.text("whole.jsonl"), journal);
}

#[test]
#[cfg(unix)]
fn ctrl_c_ends_a_composition_check_and_keeps_results() {
    use std::process::Stdio;
    use std::time::{Duration, Instant};
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
    assert_eq!(code(&output), Some(130), "{}", stderr(&output));
    let text = stdout(&output);
    assert!(text.contains("cooked") && text.contains("The check was interrupted."), "{text}");
    assert_eq!(folder.text("kept.jsonl").lines().count(), 1, "the other one is not finished");
    assert!(folder.text("p.html").contains("const PROBLEMS"));
}

#[test]
fn shards_check_each_problem_once() {
    let folder = Folder::new();
    folder.write("all.fen", format!("{SOUND}\n{COOKED}\n{SOUND}\n"));
    let part = |shard, file| {
        let words = ["all.fen", "--json", "--shard", shard, "--out", file];
        // Continued where it ends, it checks and says the same.
        let told = stdout(&check(&folder, &words));
        assert_eq!(stdout(&check(&folder, &words)), told);
        assert_eq!(folder.text(file), told);
        let reports = told.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
        reports.map(|report| report["number"].as_u64().expect("a number")).collect::<Vec<u64>>()
    };
    assert_eq!((part("1/2", "1.jsonl"), part("2/2", "2.jsonl")), (vec![1, 3], vec![2]));
    assert_eq!(code(&check(&folder, &["all.fen", "--shard", "1/2"])), Some(0));
}
