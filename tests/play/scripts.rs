//! `chuhe play` without a terminal: a script, which nobody asks anything.

use super::terminal::{Home, play};
use std::io::Write;
use std::process::Stdio;

fn told(home: &Home, arguments: &[&str], input: &str) -> (String, String, Option<i32>) {
    let mut command = play(home, arguments);
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("chuhe runs");
    // A program that refuses its arguments reads nothing.
    let _ = child.stdin.take().expect("a pipe").write_all(input.as_bytes());
    let output = child.wait_with_output().expect("it ends");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr), output.status.code())
}

#[test]
fn a_script_plays_and_leaves_no_trace() {
    let home = Home::new();
    let (shown, errors, code) = told(&home, &["--level", "1"], "炮二平五\nnonsense\nresign\n");
    assert_eq!((errors.as_str(), code), ("", Some(0)));
    for wanted in
        ["You: 炮二平五", "Chuhe: ", "'nonsense' is no legal move", "Red resigns", "Black wins, 0-1."]
    {
        assert!(shown.contains(wanted), "no '{wanted}' in\n{shown}");
    }
    assert!(!shown.contains('\x1b'), "colours are for terminals");
    assert_eq!(std::fs::read_dir(home.path("")).expect("a folder").count(), 0);
}

#[test]
fn games_are_written_and_gone_on_with() {
    let home = Home::new();
    let both = ["--side", "both", "--game", "a.pgn"];
    let (shown, _, _) = told(&home, &both, "h2e2\nsave\n");
    assert!(shown.contains("a.pgn is not there yet") && shown.contains("Saved: a.pgn"), "{shown}");
    let (shown, _, code) = told(&home, &["--game", "a.pgn"], "h9g7\nsave\n");
    assert!(shown.contains("You play both sides") && code == Some(0), "{shown}");
    assert!(home.read("a.pgn").contains("1. H2-E2 H9-G7 *"));
}

#[test]
fn a_file_of_several_games_is_not_replaced_by_one() {
    let home = Home::new();
    told(&home, &["--side", "both", "--game", "one.pgn"], "h2e2\nsave\n");
    let both = home.read("one.pgn").repeat(2);
    std::fs::write(home.path("two.pgn"), &both).expect("a file");
    let (shown, _, _) = told(&home, &["--game", "two.pgn"], "h9g7\nsave\nsave two.pgn\nsave one.pgn\n");
    assert!(shown.contains("The last of 2 games") && shown.contains("Under which name?"), "{shown}");
    assert!(
        shown.contains("Not saved: two.pgn is there already") && shown.contains("Saved: one.pgn"),
        "{shown}"
    );
    assert_eq!(home.read("two.pgn"), both);
}

#[test]
fn what_cannot_be_played_is_named() {
    let home = Home::new();
    std::fs::write(home.path("bad.pgn"), "1. H2-E2 H2-E2 *\n").expect("a file");
    std::fs::write(home.path("none.pgn"), "").expect("a file");
    for (arguments, wanted) in [
        (
            ["--game", "bad.pgn"],
            "chuhe: bad.pgn: game 1, line 1: move 1: 'H2-E2' is no legal move in this position\n",
        ),
        (["--game", "none.pgn"], "chuhe: none.pgn: expected a game"),
        (["--fen", "nothing"], "chuhe: FEN"),
        (["--time", "-1"], "chuhe: "),
        (["--time=0", "--side=red"], "chuhe: --time 0: expected level 1 to 20"),
        (["--level", "21"], "chuhe: "),
        (["--clock", "x"], "chuhe: "),
    ] {
        let (shown, errors, code) = told(&home, &arguments, "");
        assert_eq!(code, Some(2), "{arguments:?}");
        assert!(errors.starts_with(wanted) && shown.is_empty(), "{arguments:?}: {errors}");
    }
}
