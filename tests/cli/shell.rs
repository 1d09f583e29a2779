//! The interface for shells and scripts: completions, man pages, colours, JSON, errors in one line.

use crate::common::{Folder, chuhe};
use serde_json::Value;

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("text")
}

#[test]
fn completions_cover_every_subcommand_in_every_shell() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let output = chuhe(&["completions", shell]);
        assert!(output.status.success(), "{shell}");
        let script = text(&output.stdout);
        for name in ["perft", "play", "--divide", "tables"] {
            assert!(script.contains(name.trim_start_matches('-')), "{shell} knows nothing of {name}");
        }
    }
}

#[test]
fn man_pages_cover_every_subcommand_and_overwrite_nothing_else() {
    let folder = Folder::new();
    let pages = folder.root().to_str().expect("a path");
    for _ in 0..2 {
        let output = chuhe(&["man", "--out", pages]);
        assert!(output.status.success(), "{}", text(&output.stderr));
    }
    for name in ["chuhe.1", "chuhe-perft.1", "chuhe-tables-build.1"] {
        let page = folder.text(name);
        assert!(page.contains(".TH chuhe"), "{page}");
    }
    folder.write("chuhe-perft.1", "mine");
    std::fs::remove_file(folder.path("chuhe.1")).expect("a file");
    let output = chuhe(&["man", "--out", pages]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("exists; use --force to overwrite it, or another name"));
    assert_eq!(folder.text("chuhe-perft.1"), "mine");
    assert!(!folder.path("chuhe.1").exists(), "all or none");
    let page = text(&chuhe(&["man"]).stdout);
    assert!(page.contains("perft"));
    assert_eq!(text(&chuhe(&["completions", "man"]).stdout), page);
    assert!(text(&chuhe(&["completions", "bash", "--out", pages]).stderr).contains("--out is for man"));
}

#[test]
fn colours_follow_the_color_option() {
    let is_coloured = |arguments: &[&str]| text(&chuhe(arguments).stdout).contains('\x1b');
    let play = ["play", "--side", "both"];
    assert!(!is_coloured(&play), "a pipe has none");
    assert!(is_coloured(&[&play[..], &["--color", "always"]].concat()));
    assert!(!is_coloured(&[&play[..], &["--color", "never"]].concat()));
    assert!(is_coloured(&["--color=always", "--help"]));
    assert!(!is_coloured(&["--color=never", "--help"]));
}

fn json(arguments: &[&str]) -> Value {
    let output = chuhe(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", text(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{arguments:?}: {error}"))
}

#[test]
fn json_option_gives_json() {
    let eval = json(&["eval", "--json"]);
    assert_eq!(eval["pieces"].as_array().map(Vec::len), Some(32));
    assert!(eval["evaluation"].is_i64() && eval["fen"].is_string() && eval["network"].is_string());
    let rook = eval["pieces"].as_array().and_then(|all| all.iter().find(|piece| piece["square"] == "a0"));
    assert!(rook.is_some_and(|rook| rook["piece"] == "R" && rook["worth"].as_i64() > Some(0)), "{rook:?}");

    let chase = "a6b6 a4b4 b6a6 b4a4 a6b6 a4b4 b6a6 b4a4";
    let judge = json(&["judge", "--json", "--fen", "4k4/9/9/c8/9/R8/9/9/9/3K5 b", "--moves", chase]);
    assert_eq!((&judge["result"], &judge["loser"]), (&Value::from("loss"), &Value::from("red")));
    assert_eq!(judge["victim"], serde_json::json!({"piece": "cannon", "square": "a6"}));
    assert_eq!(judge["repetition"].as_array().map(Vec::len), Some(8));
    assert_eq!(judge["repetition"][1]["chased"][0]["square"], "b6");
    assert_eq!(json(&["judge", "--json"])["result"], "ongoing");

    assert_eq!(json(&["perft", "2", "--json"])["nodes"], 1920);
    let plain = |words: &[&str]| text(&chuhe(&[&["perft", "2", "--plain"], words].concat()).stdout);
    let (lines, from_one) = (plain(&[]), plain(&["--ranks", "1-10"]));
    assert!(lines.starts_with("a0a1: 44\na0a2: 44\na3a4: 44\n"), "{lines}");
    assert!(lines.ends_with("i3i4: 44\n\nNodes searched: 1920\n"), "{lines}");
    assert!(from_one.starts_with("a1a2: 44\na1a3: 44\n") && from_one.lines().count() == lines.lines().count());
    assert!(json(&["bench", "1", "--json"])["nodes"].is_u64());
    assert!(json(&["tables", "probe", "4k4/9/9/9/9/9/9/9/4R4/3K5 b", "--json"])["result"].is_string());
}

#[test]
fn argument_errors_are_one_line() {
    for (arguments, wanted) in [
        (&["perfd", "3"][..], "chuhe: unrecognized subcommand 'perfd' (a similar subcommand exists: 'perft')\n"),
        (&["perft"], "chuhe: the following required arguments were not provided: <DEPTH> (try 'chuhe perft --help')\n"),
        (&["perft", "x"], "chuhe: invalid value 'x' for '<DEPTH>'"),
        (&["--color", "blue"], "chuhe: invalid value 'blue' for '--color <WHEN>'"),
    ] {
        let output = chuhe(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let told = text(&output.stderr);
        assert!(told.starts_with(wanted) && told.lines().count() == 1, "{arguments:?}: {told}");
    }
}
