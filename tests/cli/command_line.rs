//! `chuhe perft` and the help on the command line.

use crate::common::{Folder, chuhe, command, refusal, stderr, stdout};
use std::process::Command;
use xiangqi::fen::START_FEN;

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
    let answer: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(answer["fen"], format!("{fen} - - 0 1"));
    assert_eq!((&answer["depth"], &answer["nodes"], &answer["threads"]), (&1.into(), &4.into(), &1.into()));
    assert!(answer["seconds"].is_f64() && answer["nodes_per_second"].is_u64());
    assert_eq!(answer["divide"], serde_json::json!({"e0d0": 1, "e0e1": 1, "e0f0": 1, "e4e5": 1}));
}

#[test]
fn perft_errors_are_one_line_with_exit_code() {
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
        assert!(stderr(&output).starts_with("chuhe: "), "{arguments:?}");
        assert_eq!(stderr(&output).lines().count(), 1, "{arguments:?}");
        assert_eq!(stdout(&output), "");
    }
}

#[test]
fn number_out_of_range_is_reported_with_its_option() {
    for (arguments, told) in [
        (["judge", "--ply", "-1"].as_slice(), "invalid value '-1' for '--ply <N>': "),
        (&["analyse", "--time", "-1"], "invalid value '-1' for '--time <SECONDS>': expected seconds, "),
        (&["perft", "-1"], "invalid value '-1' for '<DEPTH>': expected a whole number from 0 to 64"),
        (&["learn", "play", "--out", "x", "--hours", "-1"], "'--hours <H>': expected hours, such as 0.5"),
        (&["book", "make", "--out", "x.chb", "--hours", "nan"], "'--hours <H>': expected hours, such as 0.5"),
        (&["judge", "--natural-limit", "-1"], "'--natural-limit <N>': expected a whole number from 0 (try"),
        (&["judge", "--natural-limit", "many"], "'--natural-limit <N>': expected a whole number from 0 (try"),
        (&["judge", "--natural-limit", "99999999999999999999"], "'--natural-limit <N>': the number is too large"),
        (&["board", "--port", "99999"], "expected a whole number from 1 to 65535"),
    ] {
        let said = refusal(&chuhe(arguments));
        assert!(said.contains(told), "{arguments:?}: {said}");
    }
}

#[test]
fn file_in_place_of_a_folder_is_reported() {
    let folder = Folder::new();
    folder.write("file", "");
    folder.write("game.pgn", "1. h2e2 *");
    for words in [
        ["learn", "play", "--out", "file"].as_slice(),
        &["tables", "build", "KPK", "--out", "file"],
        &["convert", "game.pgn", "--to", "xqf", "--out", "file/"],
        &["man", "--out", "file"],
    ] {
        let said = refusal(&folder.chuhe(&[words, &["--lang", "zh"]].concat()));
        assert!(said.contains("不是文件夹"), "{words:?}: {said}");
    }
}

#[test]
fn unknown_option_is_not_taken_as_a_value() {
    for (arguments, told) in [
        (["review", "game.pgn", "--lines", "5"].as_slice(), "'--lines' found (try 'chuhe review --help')"),
        (&["perft", "3", "--depht", "1"], "'--depht' found (try 'chuhe perft --help')"),
        (&["analyse", "--node", "5"], "'--node' found (a similar argument exists: '--nodes')"),
    ] {
        let said = refusal(&chuhe(arguments));
        assert!(said.contains(told), "{arguments:?}: {said}");
    }
}

#[test]
fn help_exists_for_the_program_and_for_perft() {
    let text = stdout(&chuhe(&["--help"]));
    assert!(text.contains("perft") && text.contains("Examples:"), "{text}");
    let text = stdout(&chuhe(&["help", "perft"]));
    assert!(text.contains("--divide") && text.contains("Examples:"), "{text}");
}

#[test]
fn log_file_is_written_or_its_error_reported() {
    let output = chuhe(&["perft", "1", "--log", "/no/such/folder/chuhe.log"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).starts_with("chuhe: cannot write the log file /no/such/folder/chuhe.log: "));
}

#[test]
fn version_names_the_commit() {
    let told = stdout(&chuhe(&["--version"]));
    let (number, commit) = told.trim_end().split_once(" (").unwrap_or((told.trim_end(), ""));
    assert_eq!(number, concat!("chuhe ", env!("CARGO_PKG_VERSION")));
    let git = Command::new("git").args(["rev-parse", "HEAD"]).current_dir(env!("CARGO_MANIFEST_DIR")).output();
    if let Some(output) = git.ok().filter(|output| output.status.success())
        && std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(".git").exists()
    {
        let commit = commit.trim_end_matches(')').split(',').next().unwrap_or_default();
        assert!(commit.len() >= 7 && stdout(&output).starts_with(commit), "{told}");
    }
}

#[test]
fn log_file_begins_with_program_arguments_and_time() {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("begins.log");
    for arguments in [["perft", "1"].as_slice(), &["bench", "1"], &["selfplay", "--games", "1", "--nodes", "1"]] {
        let _ = std::fs::remove_file(&path);
        let output = chuhe(&[arguments, &["--log", path.to_str().expect("a path")]].concat());
        assert!(output.status.success(), "{arguments:?}: {}", stderr(&output));
        let log = std::fs::read_to_string(&path).expect("a log");
        let first = log.lines().next().expect("a first line");
        assert!(first.starts_with(concat!("=== Chuhe ", env!("CARGO_PKG_VERSION"))), "{first}");
        assert!(first.contains(&format!(": chuhe {} --log ", arguments.join(" "))), "{first}");
        assert!(first.contains(", 20") && first.contains("Z: "), "{first} says when");
        assert!(log.lines().count() > 1, "and what came of it: {log}");
    }
}

#[test]
fn log_level_that_is_invalid_is_named() {
    let output = command(&["perft", "1"]).env("CHUHE_LOG", "nonsense").output().expect("chuhe runs");
    assert_eq!(output.status.code(), Some(2));
    let expected = "chuhe: CHUHE_LOG: 'nonsense' is none of off, error, warn, info, debug, trace\n";
    assert_eq!(stderr(&output), expected);
}

#[test]
fn position_is_parsed_the_same_in_every_subcommand() {
    const KINGS: &str = "4k4/9/9/9/4p4/4P4/9/9/9/4K4 w";
    let nodes = |arguments: &[&str]| {
        let output = chuhe(&[&["perft", "2"], arguments].concat());
        let text = stdout(&output);
        let line = text.lines().find(|line| line.starts_with("nodes")).unwrap_or_default().to_string();
        (line, stderr(&output))
    };
    let moved = format!("{KINGS} moves e0d0");
    let (after, _) = nodes(&["--fen", &moved]);
    assert_eq!(nodes(&["--fen", KINGS, "--moves", "e0d0"]).0, after);
    assert_ne!(nodes(&["--fen", KINGS]).0, after, "moves behind a FEN are not dropped");
    let start = nodes(&["--fen", "startpos moves h2e2", "--moves", "h9g7"]).0;
    assert_eq!(nodes(&["--moves", "h2e2 h9g7"]).0, start);
    assert_eq!(nodes(&["--moves", "C2.5 h8+7"]).0, start, "in any notation");
    assert_eq!(nodes(&["P2-5", "M8.7"]).0, start);
    assert_eq!(nodes(&["P2/1"]).0, nodes(&["h2h1"]).0, "no board");
    let told = |fen: &str| nodes(&["--fen", fen]).1;
    assert_eq!(
        told(&format!("{KINGS} moves e0e9")),
        "chuhe: move 1: e0e9 is not legal: the king does not move like that\n"
    );
    assert_eq!(told(&format!("{KINGS} - - 0 1 e0d0")), "chuhe: FEN: \"e0d0\" behind the full-move counter\n");

    let eval = |arguments: &[&str]| stdout(&chuhe(&[&["eval"], arguments].concat()));
    assert_eq!(eval(&["--fen", "startpos moves h2e2"]), eval(&["--moves", "h2e2"]));
    assert_ne!(eval(&["--moves", "h2e2 h9g7"]), eval(&[]));
    let judge = |arguments: &[&str]| stdout(&chuhe(&[&["judge"], arguments].concat()));
    assert_eq!(judge(&["--fen", "startpos moves h2e2"]), "ongoing\n");
}

#[test]
fn value_errors_point_to_the_help_of_their_subcommand() {
    for (words, help) in [
        (["perft", "many"].as_slice(), "chuhe perft --help"),
        (&["--color", "never", "perft", "many"], "chuhe perft --help"),
        (&["play", "--level", "99"], "chuhe play --help"),
        (&["tables", "--lang=en", "build", "--memory", "much"], "chuhe tables build --help"),
        (&["arena", "--games", "perft"], "chuhe arena --help"),
        (&["--nothing"], "chuhe --help"),
    ] {
        let told = stderr(&chuhe(words));
        assert!(told.ends_with(&format!("(try '{help}')\n")), "{words:?}: {told}");
    }
}

#[test]
fn help_accepts_global_options_on_either_side() {
    let help = |words: &[&str]| {
        let output = chuhe(words);
        assert!(output.status.success(), "{words:?}: {}", stderr(&output));
        stdout(&output)
    };
    let chinese = help(&["--lang", "zh", "help", "play"]);
    assert!(chinese.contains("用法："), "{chinese}");
    assert_eq!(help(&["help", "play", "--lang", "zh"]), chinese);
    assert_eq!(help(&["help", "--lang=zh", "play"]), chinese);
    assert_eq!(help(&["help", "play", "--color", "never", "--lang", "zh"]), chinese);
    assert_eq!(help(&["book", "help", "show", "--lang", "zh"]), help(&["--lang", "zh", "book", "help", "show"]));
    // A file may have this name.
    let told = stderr(&chuhe(&["convert", "help", "--to", "pgn", "--lang", "en"]));
    assert!(told.starts_with("chuhe: help"), "{told}");
}

#[test]
fn old_names_of_modes_go_on_working_and_are_not_listed() {
    let told = |words: &[&str]| stdout(&chuhe(words));
    assert_eq!(told(&["eval", "h2e2", "--json"]), told(&["analyse", "--eval", "h2e2", "--json"]));
    assert_eq!(
        told(&["selfplay", "--games", "1", "--nodes", "5"]),
        told(&["bench", "--selfplay", "1", "--nodes", "5"])
    );
    let help = told(&["help", "--lang", "en"]);
    for name in ["eval", "selfplay", "man"] {
        assert!(!help.contains(&format!("\n  {name} ")), "{help}");
        assert!(chuhe(&[name, "--help"]).status.success() && chuhe(&["help", name]).status.success(), "{name}");
    }
    // What belongs to one mode is refused in another.
    for words in
        [["bench", "--seed", "2"].as_slice(), &["bench", "9", "--selfplay"], &["analyse", "--eval", "--nodes", "5"]]
    {
        assert_eq!(chuhe(words).status.code(), Some(2), "{words:?}");
    }
}

#[test]
fn help_of_the_arena_is_brief_unless_all_is_asked_for() {
    let options = |words: &[&str]| {
        let help = stdout(&chuhe(&[words, &["--lang", "en"]].concat()));
        (help.lines().filter(|line| line.starts_with("  --")).count(), help)
    };
    let (count, brief) = options(&["arena", "--help"]);
    assert!(
        count == 11 && brief.contains("more options: --help-all lists them.") && brief.contains("--sprt"),
        "{brief}"
    );
    assert!(brief.contains("  Print help\n") && !brief.contains("see more with"), "{brief}");
    assert_eq!(options(&["arena", "-h"]).1, brief);
    let (all, whole) = options(&["arena", "--help-all"]);
    assert!(all > 40 && whole.contains("--traffic") && !brief.contains("--traffic"), "{whole}");
    assert_eq!(options(&["help", "arena"]).1, whole);
}

#[test]
fn help_lists_every_command_once_in_a_group() {
    for language in ["en", "zh"] {
        let output = command(&["--lang", language, "--help"]).output().expect("it runs");
        let help = String::from_utf8(output.stdout).expect("text");
        for inner in chuhe::cli::commands::english_command().get_subcommands() {
            let start = format!("  {} ", inner.get_name());
            assert_eq!(help.lines().filter(|line| line.starts_with(&start)).count(), 1, "{start}\n{help}");
        }
        assert!(help.contains(if language == "en" { "\nWorkshop:\n" } else { "\n开发工具：\n" }), "{help}");
    }
}
