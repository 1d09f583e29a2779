//! `chuhe tactics` on the command line.

use crate::common::{Folder, refusal, stderr, stdout, success};
use chuhe_study::tactics::embedded;
use serde_json::Value;
use xiangqi_record::Notation;
use xiangqi_record::notation::format_line;

/// The JSON of each line.
fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[test]
fn tactics_of_the_program_are_listed() {
    let folder = Folder::new();
    let all = lines(&success(&folder.chuhe(&["tactics", "list", "--json"])));
    assert_eq!(all.len(), embedded().len());
    for tactic in &all {
        let names: Vec<&String> = tactic.as_object().expect("an object").keys().collect();
        // In the order of the reader, which sorts them.
        assert_eq!(names, ["difficulty", "fen", "moves", "themes"]);
        assert!(tactic["moves"][0].as_str().is_some_and(|mv| mv.len() == 4) && tactic["difficulty"].is_u64());
    }
    let forks = lines(&success(&folder.chuhe(&["tactics", "list", "--theme", "fork", "--json"])));
    let is_fork = |tactic: &Value| tactic["themes"].as_array().is_some_and(|themes| themes.contains(&"fork".into()));
    assert!(!forks.is_empty() && forks.len() < all.len() && forks.iter().all(is_fork));
    let text = success(&folder.chuhe(&["--lang", "en", "tactics", "list", "--sample", "3"]));
    assert_eq!(text.lines().count(), 9, "{text}");
    assert!(text.contains(" to move · "), "{text}");
    let text = success(&folder.chuhe(&["--lang", "en", "tactics", "list", "--notation", "vietnamese"]));
    let first = &embedded()[0];
    let moves = format_line(&first.position().expect("a position"), &first.moves, Notation::Vietnamese).join(" ");
    assert_eq!(text.lines().nth(2), Some(format!("   {moves}").as_str()));
    let sheet =
        success(&folder.chuhe(&["tactics", "list", "--sample", "8", "--sheet", "sheet.html", "--title", "Club"]));
    assert!(sheet.contains("sheet.html"), "{sheet}");
    let page = std::fs::read_to_string(folder.path("sheet.html")).expect("a sheet");
    assert!(page.contains("<title>Club</title>") && page.matches("<figure>").count() == 8);
    let text = |words: &[&str]| success(&folder.chuhe(&[&["tactics", "list", "--json"], words].concat()));
    let difficulty = |tactic: &Value| tactic["difficulty"].as_u64();
    let hardest: Vec<_> = lines(&text(&["--hardest", "--count", "5"])).iter().map(difficulty).collect();
    let mut sorted: Vec<_> = all.iter().map(difficulty).collect();
    sorted.sort_unstable_by(|one, other| other.cmp(one));
    assert_eq!(hardest, sorted[..5]);
    let newest: Vec<Value> = all.iter().rev().take(3).cloned().collect();
    assert_eq!(lines(&text(&["--newest", "--count", "3"])), newest);
    let told = refusal(&folder.chuhe(&["--lang", "en", "tactics", "list", "--theme", "nosuch"]));
    assert!(told.contains("there is no theme 'nosuch': ") && told.contains("fork, trapped-piece"), "{told}");
    folder.write("mine.html", "my own page");
    let words = ["tactics", "list", "--sheet", "mine.html"];
    assert!(refusal(&folder.chuhe(&words)).contains("mine.html"));
}

#[test]
fn tactics_are_mined_chosen_checked_and_gone_on_with() {
    let folder = Folder::new();
    // The move before a tactic is not known: a game begins with it, and another one plays something else.
    let known: Vec<_> = embedded().iter().filter(|tactic| tactic.moves.len() == 3).step_by(60).take(4).collect();
    let games: String = known
        .iter()
        .map(|tactic| format!("[FEN \"{}\"]\n\n{} *\n\n", tactic.fen, worst_move(&tactic.fen, tactic)))
        .collect();
    folder.write("games.pgn", &games);
    let words = ["--lang", "en", "tactics", "mine", "games.pgn", "--out", "tactics.jsonl", "--nodes", "2000"];
    let said = success(&folder.chuhe(&words));
    assert!(said.contains("4 games looked through"), "{said}");
    let text = std::fs::read_to_string(folder.path("tactics.jsonl")).expect("lines");
    assert!(!text.is_empty(), "nothing was found in {games}");
    let listed = lines(&success(&folder.chuhe(&["tactics", "list", "tactics.jsonl", "--json"])));
    assert_eq!(listed.len(), text.lines().count());
    // A torn line is dropped, and its game looked through again.
    folder.write("tactics.jsonl", &text[..text.len() - 9]);
    success(&folder.chuhe(&words));
    assert_eq!(std::fs::read_to_string(folder.path("tactics.jsonl")).expect("lines"), text);
    let other = [&words[..8], &["3000"]].concat();
    assert!(refusal(&folder.chuhe(&other)).contains("'nodes'"));
    folder.write("note.txt", "no tactic at all");
    let into_note = [&words[..6], &["note.txt"]].concat();
    assert!(refusal(&folder.chuhe(&into_note)).contains("--force"));
    assert_eq!(std::fs::read_to_string(folder.path("note.txt")).expect("a note"), "no tactic at all");

    let chosen = folder.chuhe(&["tactics", "choose", "tactics.jsonl", "--out", "club.tactics", "--count", "50"]);
    assert!(chosen.status.success(), "{}", stderr(&chosen));
    success(&folder.chuhe(&["tactics", "list", "club.tactics"]));
    for (name, bytes) in [("bad.tactics", &b"CHUHETAC"[..]), ("note.txt", b"no tactic")] {
        folder.write(name, bytes);
        assert!(refusal(&folder.chuhe(&["tactics", "list", name])).contains(name));
    }
    let wrong = r#"{"fen":"3k5/9/9/9/9/9/9/R8/8R/4K4 w - - 0 1","moves":["e0f0"],"themes":[],"difficulty":900}"#;
    folder.write("wrong.jsonl", wrong);
    let output =
        folder.chuhe(&["--lang", "en", "tactics", "check", "wrong.jsonl", "--nodes", "5000", "--out", "kept.jsonl"]);
    assert_eq!(output.status.code(), Some(10), "{}", stderr(&output));
    assert!(stdout(&output).contains("1 tactics, 1 wrong"), "{}", stdout(&output));
    assert_eq!(std::fs::read_to_string(folder.path("kept.jsonl")).expect("a file"), "");
    let table = success(
        &folder.chuhe(&["--lang", "en", "tactics", "measure", "--sample", "5", "--levels", "2,3", "--tries", "2"]),
    );
    assert!(table.starts_with("difficulty") && table.contains("level 2"), "{table}");
}

/// A move that gives the chances away: the first legal one that is not the solution's.
fn worst_move(fen: &str, tactic: &chuhe_study::tactics::Tactic) -> String {
    let position = xiangqi::Position::from_fen(fen).expect("a position");
    let other = position.legal_moves().into_iter().find(|mv| *mv != tactic.moves[0]).expect("another move");
    let mut after = position.clone();
    after.play_unchecked(other);
    let reply = after.legal_moves().into_iter().next().expect("a reply");
    format!("{other} {reply}")
}
