//! The table of a review, its JSON, and what an interruption leaves; `transcripts::review` has its other files.

use super::support::{GAME, reviewed, says};
use crate::common::Folder;
use unicode_width::UnicodeWidthStr;

#[test]
fn table_fits_a_hundred_columns_in_both_languages() {
    let folder = Folder::new();
    for (language, words) in
        [("zh", ["红方胜率", "准确率", "转折点", "应走"]), ("en", ["winning chance", "accuracy", "turned", "better:"])]
    {
        let text = says(&folder, &["review", GAME, "--nodes", "2000", "--threads", "1", "--lang", language]);
        for line in text.lines() {
            assert!(line.width() <= 100, "{} columns: {line}", line.width());
        }
        assert!(words.iter().all(|word| text.contains(word)), "{text}");
        assert!(text.contains("??") && text.contains('█') && !text.contains('\x1b'), "{text}");
    }
}

#[test]
fn json_numbers_are_in_bounds() {
    let review = reviewed(&Folder::new(), GAME, &["--nodes", "2000"]);
    assert_eq!(review["format"], 1);
    assert_eq!(review["complete"], true);
    let (moves, positions) =
        (review["moves"].as_array().expect("moves"), review["positions"].as_array().expect("positions"));
    assert_eq!((moves.len(), positions.len()), (13, 14));
    for (index, entry) in moves.iter().enumerate() {
        assert_eq!(entry["ply"], index + 1);
        let (before, after) = (&entry["before"]["chance"], &entry["after"]["chance"]);
        assert!(before == &positions[index]["chance"] && after == &positions[index + 1]["chance"], "{entry}");
        assert!(entry["loss"].as_f64().is_some_and(|loss| (0.0..=1.0).contains(&loss)), "{entry}");
    }
    for (side, count) in [("red", 7), ("black", 6)] {
        assert_eq!(review["sides"][side]["moves"], count);
        assert!(review["sides"][side]["accuracy"].as_f64().is_some_and(|value| (0.0..=100.0).contains(&value)));
    }
}

/// Waits until a program has installed its handler for Ctrl-C.
#[cfg(target_os = "linux")]
fn listens(id: u32) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{id}/status")).unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap_or_default();
    u64::from_str_radix(mask.trim(), 16).is_ok_and(|mask| mask >> 1 & 1 == 1)
}

#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_writes_the_finished_part() {
    let folder = Folder::new();
    let words = ["review", GAME, "--depth", "200", "--threads", "1", "--json", "out.json", "--html", "out.html"];
    let child = folder.command(&words).stdout(std::process::Stdio::piped()).spawn().expect("chuhe runs");
    while !listens(child.id()) {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    let sent = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(sent.expect("kill runs").success());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(130));
    let review: serde_json::Value = serde_json::from_str(&folder.text("out.json")).expect("JSON");
    assert_eq!(review["complete"], false);
    assert_eq!(review["moves"].as_array().expect("moves").len(), 13);
    assert!(folder.text("out.html").ends_with("</html>\n"));
    assert!(String::from_utf8_lossy(&output.stdout).contains("Interrupted"));
}

#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_keeps_the_games_that_are_done() {
    let folder = Folder::new();
    // Black is mated in the first one, so that nothing is searched.
    folder.write("games.pgn", "[FEN \"4k4/4R4/4R4/9/9/9/9/9/9/3K5 b\"]\n\n*\n\n1. h2e2 *\n\n1. b2e2 *\n");
    let arguments = ["review", "games.pgn", "--depth", "200", "--threads", "1", "--hash", "1"];
    let outputs = ["--out", "out.jsonl", "--json", "all.jsonl", "--html", "page.html", "--lang", "en"];
    let mut command = folder.command(&[&arguments[..], &outputs].concat());
    let child = command.stdout(std::process::Stdio::piped()).spawn().expect("chuhe runs");
    let is_empty = || std::fs::metadata(folder.path("out.jsonl")).is_ok_and(|there| there.len() == 0);
    while !listens(child.id()) || is_empty() {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    let sent = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(sent.expect("kill runs").success());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(130));
    assert!(String::from_utf8_lossy(&output.stdout).starts_with("games: 1"));
    assert_eq!(["out.jsonl", "all.jsonl"].map(|name| folder.text(name).lines().count()), [1, 1]);
    assert!(folder.text("page.html").ends_with("</html>\n"));
}

#[test]
fn node_limit_applies_to_every_position() {
    let review = reviewed(&Folder::new(), GAME, &["--nodes", "4000"]);
    for place in review["positions"].as_array().expect("positions") {
        assert!(place["nodes"].as_u64() <= Some(4000 + 1024), "{place}");
    }
}

#[test]
fn review_is_deterministic() {
    let folder = Folder::new();
    let words = ["--nodes", "2000"];
    assert_eq!(reviewed(&folder, GAME, &words), reviewed(&folder, GAME, &words));
    let deeper = reviewed(&folder, GAME, &["--depth", "6"]);
    assert!(deeper["positions"].as_array().expect("positions").iter().all(|place| place["depth"] == 6));
}
