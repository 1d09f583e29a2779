//! `chuhe judge` on the command line.

use crate::common::{chuhe, stderr, stdout};
use std::process::Output;

fn judge(words: &[&str]) -> Output {
    chuhe(&[&["judge"], words].concat())
}

/// A rook chases a cannon to and fro.
const CHASE: [&str; 4] =
    ["--fen", "4k4/9/9/c8/9/R8/9/9/9/3K5 b", "--moves", "a6b6 a4b4 b6a6 b4a4 a6b6 a4b4 b6a6 b4a4 a6b6 a4b4 b6a6 b4a4"];

#[test]
fn verdict_is_one_line() {
    let output = judge(&CHASE);
    assert!(output.status.success());
    assert_eq!(stdout(&output), "red-loses perpetual chase of the cannon on a6\n");
    assert_eq!(stderr(&output), "");
    for (rules, line) in [
        ("asian", "red-loses perpetual chase of the cannon on a6\n"),
        ("league", "red-loses perpetual chase of the cannon on a6\n"),
        ("computer", "red-loses perpetual chase of the cannon on a6\n"),
        ("none", "draw repetition\n"),
    ] {
        assert_eq!(stdout(&judge(&[&CHASE[..], &["--rules", rules]].concat())), line);
    }
}

#[test]
fn start_position_is_the_default() {
    assert_eq!(stdout(&judge(&[])), "ongoing\n");
    assert_eq!(stdout(&judge(&["--moves", "h2e2 h9g7"])), "ongoing\n");
}

#[test]
fn natural_limit_can_be_set() {
    let limit = |plies: &str| stdout(&judge(&["--moves", "h2e2 h9g7", "--natural-limit", plies]));
    assert_eq!(limit("2"), "draw natural limit\n");
    assert_eq!(limit("3"), "ongoing\n");
    assert_eq!(limit("0"), "ongoing\n");
}

#[test]
fn explain_names_the_nature_of_every_move() {
    let output = judge(&[&CHASE[..], &["--explain"]].concat());
    let text = stdout(&output);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 9, "{text}");
    assert_eq!(lines[1], "  black  a6b6  -");
    assert_eq!(lines[2], "  red    a4b4  chases the cannon on b6");
    assert_eq!(lines[4], "  red    b4a4  chases the cannon on a6");
    let checks = judge(&[
        "--fen",
        "4k4/9/9/9/9/9/9/9/9/R2K5 w",
        "--moves",
        "a0a9 e9e8 a9a8 e8e9 a8a9 e9e8 a9a8 e8e9 a8a9 e9e8",
        "--explain",
    ]);
    let text = stdout(&checks);
    assert!(text.starts_with("red-loses perpetual check\n  red    a9a8  checks\n"), "{text}");
}

#[test]
fn unplayable_moves_are_refused() {
    for (arguments, message) in [
        (&["--moves", "h2e2 h2e2"][..], "chuhe: move 2: h2e2 is not a move of black in this position\n"),
        (&["--moves", "h2e2 h9"], "chuhe: move 2: 'h9' is not a move: expected four characters such as h2e2\n"),
        (&["--fen", "9/9 w"], "chuhe: FEN board: expected 10 ranks"),
        (&["--cases", "/no/such/file"], "chuhe: cannot read /no/such/file: "),
    ] {
        let output = judge(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert_eq!(stdout(&output), "");
        assert!(stderr(&output).starts_with(message), "{}", stderr(&output));
    }
    assert_eq!(judge(&["--rules", "chess"]).status.code(), Some(2));
    assert!(stderr(&judge(&["--rules", "chess"])).contains("expected asian, league, computer, cxa, tiantian or none"));
}

/// Writes a table into the folder that cargo keeps for tests.
fn table(name: &str, text: &str) -> String {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).expect("a file");
    path.to_str().expect("a plain path").to_string()
}

#[test]
fn case_table_is_scored() {
    let table = concat!(env!("CARGO_MANIFEST_DIR"), "/engine/tests/data/rule_cases.tsv");
    let output = judge(&["--cases", table]);
    assert!(output.status.success());
    let cases = std::fs::read_to_string(table).expect("the table").lines().count() - 1;
    let expected = format!(
        "asian     {cases} of {cases}\nleague    {cases} of {cases}\ncomputer  {cases} of {cases}\ntotal     {all} of {all}\n",
        all = 3 * cases
    );
    assert_eq!(stdout(&output), expected);
}

#[test]
fn case_table_prints_every_disagreement() {
    let path = table(
        "disagreements.tsv",
        // As an editor on Windows writes it.
        "\u{feff}fen\tmoves_before\tcycle\tasian\tcomputer\r\n\
         4k4/9/9/c8/9/R8/9/9/9/3K5 b\t\ta6b6 a4b4 b6a6 b4a4\tdraw\tw-loses\r\n\
         4k4/9/9/c8/9/R8/9/9/9/3K5 b\ta6b6\ta4b4 b6a6 b4a4 a6b6\tred-loses\tb-loses\r\n",
    );
    let text = stdout(&judge(&["--cases", &path]));
    assert_eq!(
        text,
        "line 2, asian: expected draw, judged red-loses perpetual chase of the cannon on a6\n\
         line 3, computer: expected black-loses, judged red-loses perpetual chase of the cannon on b6\n\
         asian     1 of 2\ncomputer  1 of 2\ntotal     2 of 4\n"
    );
    let asian = stdout(&judge(&["--cases", &path, "--rules", "asian"]));
    assert!(asian.ends_with("asian     1 of 2\ntotal     1 of 2\n"), "{asian}");
}

#[test]
fn bad_case_table_is_refused_with_its_line() {
    let header = "fen\tmoves_before\tcycle\tasian\n";
    for (name, text, message) in [
        ("empty.tsv", "", "line 1: no column 'asian' among the tab-separated names"),
        ("columns.tsv", "fen\tcycle\tasian\n", "line 1: no column 'moves_before' among the tab-separated names"),
        ("short.tsv", &format!("{header}4k4/9/9/9/9/9/9/9/9/3K5 w\n"), "line 2: only 1 columns"),
        (
            "verdict.tsv",
            &format!("{header}4k4/9/9/9/9/9/9/9/9/3K5 w\t\t\twins\n"),
            "line 2: 'wins' is none of draw, w-loses, b-loses, ongoing",
        ),
        (
            "move.tsv",
            &format!("{header}4k4/9/9/9/9/9/9/9/9/3K5 w\te0e1\td0d1\tdraw\n"),
            "line 2: move 1: e0e1 is not a move of red in this position",
        ),
    ] {
        let path = table(name, text);
        let output = judge(&["--cases", &path]);
        assert_eq!(output.status.code(), Some(2), "{name}");
        assert!(stderr(&output).contains(message), "{}", stderr(&output));
    }
}

#[test]
fn rule_sets_are_judged_together() {
    let text = stdout(&judge(&[&CHASE[..], &["--rules", "all"]].concat()));
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 6, "{text}");
    assert_eq!(lines[0], "asian     red-loses perpetual chase of the cannon on a6");
    assert_eq!(lines[3], "cxa       red-loses perpetual chase");
    assert_eq!(lines[4], "tiantian  ongoing");
    assert_eq!(lines[5], "none      draw repetition");
    let json = stdout(&judge(&[&CHASE[..], &["--rules", "all", "--json"]].concat()));
    let all: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(all.as_array().map(Vec::len), Some(6));
}

#[test]
fn association_rules_name_the_nature_of_each_move_in_both_languages() {
    let explain = |language: &str| {
        let words = ["--rules", "cxa", "--explain", "--lang", language];
        stdout(&judge(&[&CHASE[..], &words].concat()))
    };
    let english = explain("en");
    assert!(english.contains("a4b4  chase, gains the cannon on b6 (rook x cannon)"), "{english}");
    assert!(english.contains("a6b6  idle") && english.contains("§9.8"), "{english}");
    let chinese = explain("zh");
    assert!(chinese.contains("捉：得 b6 的炮（车吃炮）") && chinese.contains("闲"), "{chinese}");
}
