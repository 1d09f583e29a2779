//! `chuhe analyse` with one position: output for people and for scripts.

use crate::common::{Folder, answered, chuhe, command, refusal, stderr, stdout, success};
use serde_json::Value;

fn json(words: &[&str]) -> Vec<Value> {
    let output = chuhe(&[&["analyse", "--json", "--threads", "1", "--hash", "1"], words].concat());
    success(&output).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[test]
fn analyse_accepts_every_form_of_position() {
    let folder = Folder::new();
    folder.write("game.pgn", "[Red \"a\"]\n\n1. h2e2 h9g7 2. h0g2 1-0\n");
    let fen = |words: &[&str]| {
        let output = folder.chuhe(&[&["analyse", "--json", "--eval-only"], words].concat());
        let report: Value = serde_json::from_str(&success(&output)).expect("JSON");
        (report["fen"].clone(), report["played"].clone())
    };
    let there = fen(&["h2e2", "h9g7"]);
    assert_eq!(fen(&["startpos moves h2e2 h9g7"]), there);
    assert_eq!(fen(&["--moves", "炮二平五 马8进7"]), there);
    assert_eq!(fen(&["game.pgn", "--ply", "2"]), there);
    assert_ne!(fen(&["game.pgn"]), there);
    let mut piped = folder.command(&["analyse", "-", "--json", "--eval-only", "--ply", "2"]);
    let piped = answered(&mut piped, b"[Red \"a\"]\n\n1. h2e2 h9g7 2. h0g2 1-0\n");
    assert_eq!(serde_json::from_slice::<Value>(&piped.stdout).expect("JSON")["fen"], there.0);
    let told = refusal(&chuhe(&["analyse", "9 w"]));
    assert_eq!(told, "chuhe: '9 w' is neither a file nor a FEN\n");
    assert!(refusal(&chuhe(&["analyse", "--only", "a0a9"])).contains("'a0a9' is no legal move"));
    let two_moves = "3k5/9/9/9/9/9/9/9/9/4K4 w";
    let told = refusal(&chuhe(&["analyse", two_moves, "--avoid", "e0e1 e0f0"]));
    assert_eq!(told, "chuhe: --avoid leaves no move\n");
}

#[test]
fn json_output_has_one_object_per_line_with_red_scores() {
    let told = json(&["startpos moves h2e2", "--nodes", "5000", "--lines", "3"]);
    assert_eq!((told.len(), &told[0]["final"], &told[0]["complete"]), (1, &true.into(), &true.into()));
    assert_eq!(told[0]["lines"].as_array().map(Vec::len), Some(3));
    assert!(told[0]["nps"].is_u64() && told[0]["time_ms"].is_u64());
    let told = json(&["--nodes", "200000", "--every", "0.001"]);
    let (last, partial) = told.split_last().expect("lines");
    assert!(!partial.is_empty() && partial.iter().all(|report| report["final"] == false));
    assert_eq!(last["final"], true);
    let mate = json(&["3k5/9/9/9/9/9/9/9/R8/1R2K4 w", "--mate", "2"]);
    assert_eq!((&mate[0]["mate"], &mate[0]["mate_search"]["found"]), (&1.into(), &1.into()));
    let evaluation = json(&["--eval-only"]);
    assert_eq!((&evaluation[0]["nodes"], &evaluation[0]["lines"]), (&0.into(), &serde_json::json!([])));
}

#[test]
fn text_output_uses_chosen_notation_and_point_of_view() {
    let text = |words: &[&str]| {
        let words = [&["analyse", "--nodes", "3000", "--threads", "1", "--hash", "1"], words].concat();
        success(&chuhe(&words))
    };
    // Black has lost a rook: good for red, whichever side is asked about.
    let fen = "rnbakabn1/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR b";
    let english = text(&[fen, "--lines", "2"]);
    assert!(english.starts_with("black to move") && english.contains("3,"), "{english}");
    let lines = |text: &str| -> Vec<String> {
        let is_line = |line: &&str| line.trim_start().starts_with(['1', '2']);
        text.lines().filter(is_line).map(str::to_string).collect()
    };
    assert_eq!(lines(&english).len(), 2);
    assert!(lines(&english).iter().all(|line| line.contains(" +")), "{english}");
    let mover = text(&[fen, "--mover", "--notation", "ICCS"]);
    assert!(lines(&mover)[0].contains(" -") && lines(&mover)[0].contains('-'), "{mover}");
    let chinese = text(&["h2e2", "--lang", "zh"]);
    assert!(chinese.starts_with("黑方走棋  中炮") && chinese.contains("开局库："), "{chinese}");
    // In a pipe as well it follows the system's language.
    let mut piped = command(&["analyse", "--eval-only"]);
    let piped = success(&piped.env("LC_ALL", "zh_CN.UTF-8").output().expect("chuhe runs"));
    assert!(piped.starts_with("红方走棋"), "{piped}");
}

#[test]
fn analyse_reports_the_verdict_of_a_repetition() {
    // Black can only move back and forth, red gives perpetual check.
    let fen = "4k4/9/9/c8/9/R8/9/9/9/3K5 b moves a6b6 a4b4 b6a6 b4a4 a6b6 a4b4 b6a6";
    let text = success(&chuhe(&["analyse", fen, "--nodes", "2000"]));
    assert!(
        text.contains("lost at once by the rules: R") || text.contains("lost at once by the rules: b4a4"),
        "{text}"
    );
    let over = format!("{fen} b4a4");
    let text = success(&chuhe(&["analyse", &over, "--nodes", "2000"]));
    assert!(text.contains("Black wins: perpetual chase of C1"), "called as its moves are: {text}");
    let text = success(&chuhe(&["analyse", &over, "--nodes", "2000", "--notation", "uci"]));
    assert!(text.contains("Black wins: perpetual chase of the cannon on a6"), "{text}");
    let text = success(&chuhe(&["analyse", &over, "--nodes", "2000", "--lang", "zh"]));
    assert!(text.contains("长捉炮１，黑胜"), "{text}");
    let text = success(&chuhe(&["analyse", &over, "--nodes", "2000", "--rules", "none", "--lang", "zh"]));
    assert!(text.contains("双方不变，和棋"), "{text}");
}

#[test]
fn broken_game_is_analysed_with_a_warning() {
    let folder = Folder::new();
    folder.write("game.pgn", "[Red \"a\"]\n\n1. h2e2 h9h1 *\n");
    let output = folder.chuhe(&["analyse", "game.pgn", "--eval-only", "--json"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).starts_with("chuhe: game.pgn: game 1, "), "{}", stderr(&output));
    let report: Value = serde_json::from_str(&stdout(&output)).expect("JSON");
    assert_eq!(report["played"], serde_json::json!(["h2e2"]));
}
