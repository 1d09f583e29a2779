//! Every command that takes a position accepts it in the same forms.

use crate::common::{Folder, answered, chuhe, command, refusal, success};
use serde_json::Value;

/// A rook and its king, the side to move lost: known to the tablebase, and not a start position.
const ENDING: &str = "4k4/9/9/9/9/9/9/9/4R4/3K5 b";
const AFTER: &str = "rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR";

/// The commands that take a position, with the arguments before it.
const COMMANDS: [&[&str]; 6] =
    [&["perft", "1"], &["judge"], &["eval"], &["tables", "probe"], &["book", "show"], &["show"]];

/// The output of a command for the position given by these words and this standard input.
fn said(before: &[&str], words: &[&str], input: &str) -> String {
    let json: &[&str] = if before == ["show"] { &[] } else { &["--json"] };
    let text = success(&answered(&mut command(&[before, words, json].concat()), input.as_bytes()));
    if json.is_empty() {
        return text.lines().last().expect("a FEN").to_string();
    }
    let answer: Value = serde_json::from_str(&text).expect("an object");
    answer["fen"].as_str().expect("a position").to_string()
}

#[test]
fn position_arguments_are_the_same_for_every_command() {
    let folder = Folder::new();
    let file = folder.path("game.pgn");
    std::fs::write(&file, "[Result \"*\"]\n\n1. h2e2 h9g7 2. b0c2 *\n").expect("a file");
    let file = file.to_str().expect("a plain name");
    for before in COMMANDS.iter().filter(|before| before[0] != "tables") {
        let expected = said(before, &["startpos moves h2e2 h9g7"], "");
        assert!(expected.starts_with(AFTER), "{before:?}: {expected}");
        for words in [
            &["startpos", "moves", "h2e2", "h9g7"][..],
            &["h2e2", "h9g7"],
            &["炮二平五 马８进７"],
            &["startpos", "--moves", "h2e2 h9g7"],
            &["--fen", "startpos moves h2e2", "--moves", "h9g7"],
            &[file, "--ply", "2"],
            &[file, "--game", "1", "--ply", "2"],
            &["-", "--ply", "2"],
            &["h2e2 h9g7 b0c2", "--ply", "2"],
        ] {
            let said = said(before, words, "1. h2e2 h9g7 2. b0c2");
            assert_eq!(said, expected, "{before:?} {words:?}");
        }
        assert_eq!(said(before, &[], ""), said(before, &["startpos"], ""), "{before:?}");
    }
    for before in COMMANDS {
        let expected = said(before, &["--fen", ENDING], "");
        assert_eq!(said(before, &[ENDING], ""), expected, "{before:?}");
        let words: Vec<&str> = ENDING.split(' ').collect();
        assert_eq!(said(before, &words, ""), expected, "{before:?}");
        assert_eq!(said(before, &["-"], &format!("{ENDING}\n")), expected, "{before:?}");
        assert_eq!(said(before, &["-", "--moves", "e9f9", "--ply", "0"], &format!("{ENDING}\n")), expected);
    }
}

#[test]
fn position_errors_are_the_same_for_every_command() {
    for before in COMMANDS {
        let told = |words: &[&str]| refusal(&chuhe(&[before, words].concat()));
        assert_eq!(told(&["nonsense"]), "chuhe: 'nonsense' is neither a file nor a FEN\n", "{before:?}");
        assert!(told(&["none.pgn"]).starts_with("chuhe: none.pgn: "), "{before:?}");
        assert!(told(&["h2h2"]).starts_with("chuhe: move 1: "), "{before:?}");
        assert!(told(&["9/9", "w"]).starts_with("chuhe: FEN board: expected 10 ranks, found 2"), "{before:?}");
        assert_eq!(
            told(&["h2e2", "--ply", "2"]),
            "chuhe: there is no position after 2 plies: the game has 1\n",
            "{before:?}"
        );
        assert!(told(&["h2e2", "--fen", ENDING]).contains("cannot be used with"), "{before:?}");
    }
}
