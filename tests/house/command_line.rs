//! `chuhe perft` and the help, as a person or a script meets them.

use chuhe::board::START_FEN;
use std::process::{Command, Output, Stdio};

fn chuhe(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_chuhe"))
        .args(arguments)
        .env_remove("CHUHE_LOG")
        .output()
        .expect("chuhe runs")
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("text")
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("text")
}

#[test]
fn perft_counts_for_people() {
    let output = chuhe(&["perft", "3"]);
    assert!(output.status.success());
    let text = stdout(&output);
    assert!(text.contains(START_FEN), "{text}");
    assert!(text.contains("nodes     79,666\n"), "{text}");
    assert_eq!(stderr(&output), "");
}

#[test]
fn perft_divides_among_the_first_moves() {
    let text = stdout(&chuhe(&["perft", "2", "--divide", "--threads", "3"]));
    let moves: Vec<&str> = text.lines().take_while(|line| !line.is_empty()).collect();
    assert_eq!(moves.len(), 44, "{text}");
    assert!(moves.contains(&"h2e2  45"), "{text}");
}

#[test]
fn perft_counts_for_scripts() {
    let fen = "4k4/9/9/9/4p4/4P4/9/9/9/4K4 w";
    let text = stdout(&chuhe(&["perft", "1", "--divide", "--json", "--fen", fen]));
    let start = format!("{{\"fen\": \"{fen} - - 0 1\", \"depth\": 1, \"nodes\": 4, \"seconds\": ");
    assert!(text.starts_with(&start), "{text}");
    let end = ", \"threads\": 1, \"divide\": {\"e0d0\": 1, \"e0e1\": 1, \"e0f0\": 1, \"e4e5\": 1}}\n";
    assert!(text.ends_with(end), "{text}");
}

#[test]
fn bad_input_is_told_in_one_line_and_ends_with_an_error() {
    let output = chuhe(&["perft", "3", "--fen", "4k4/9/9/9/9/9/9/9/9/9 w"]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(stderr(&output), "chuhe: FEN board: red has no king\n");
    for arguments in [
        ["perft", "65"].as_slice(),
        &["perft", "-1"],
        &["perft", "99999999999999999999"],
        &["perft", "many"],
        &["perft", "3", "--threads", "0"],
        &["perft"],
        &["no-such-thing"],
    ] {
        let output = chuhe(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(stderr(&output).starts_with("error: "), "{arguments:?}");
        assert_eq!(stdout(&output), "");
    }
}

#[test]
fn help_is_there_for_the_program_and_for_perft() {
    let text = stdout(&chuhe(&["--help"]));
    assert!(text.contains("perft") && text.contains("Examples:"), "{text}");
    let text = stdout(&chuhe(&["help", "perft"]));
    assert!(text.contains("--divide") && text.contains("Examples:"), "{text}");
}

#[test]
fn the_log_goes_to_its_file_or_says_why_not() {
    let output = chuhe(&["perft", "1", "--log", "/no/such/folder/chuhe.log"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).starts_with("chuhe: cannot write the log file /no/such/folder/chuhe.log: "));
}

#[test]
fn a_reader_who_goes_away_is_no_failure() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_chuhe"))
        .args(["perft", "4", "--divide"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("chuhe runs");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("chuhe ends");
    assert!(output.status.success(), "{:?}", output.status);
    assert_eq!(stderr(&output), "");
}
