//! Readers that close the output early, as `head` does: no subcommand treats that as an error.

use crate::common::{Folder, stderr};
use clap::Command;
use std::collections::BTreeSet;
use std::process::Stdio;

/// Run first, with readers that read everything.
const MADE: [&str; 4] = [
    "show --png shot.png",
    "learn play --out games --nodes 10 --games 60 --seed 3",
    "tables build KNKA --out tables",
    "book make --out toy.chb --survey 300 --proof 500 --lines 3 --nameless --positions 2 --threads 1",
];

/// A line for every subcommand; `_` stands for a blank within a word.
const COMMANDS: &str = include_str!("../data/piped_calls.txt");

const GAME: &str = "[Red \"a\"]\n[Black \"b\"]\n\n1. h2e2 h9g7 2. h0g2 i9h9 1-0\n";

const TACTIC: &str = r#"{"fen":"2baknb2/4a4/9/p8/4p1r2/P1BR4r/5Rn2/N3B4/4A4/4KA3 w - - 0 1","moves":["f3g3","g5g3","d4i4"],"themes":["removed-defender"],"difficulty":600}"#;

/// The subcommands that have none below them, as they are typed.
fn leaves(command: &Command, path: &str, found: &mut BTreeSet<String>) {
    for inner in command.get_subcommands().filter(|inner| inner.get_name() != "help") {
        let path = format!("{path}{}", inner.get_name());
        if inner.has_subcommands() {
            leaves(inner, &format!("{path} "), found);
        } else {
            found.insert(path);
        }
    }
}

fn calls(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| !line.starts_with('#'))
}

fn words(line: &str) -> Vec<String> {
    line.split(' ').map(|word| word.replace('_', " ")).collect()
}

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("game.pgn", GAME);
    folder.write("red.pgn", "[Event \"Repertoire: red\"]\n\n1. h2e2 h9g7 2. h0g2 (2. c3c4) *\n");
    folder.write("a.toml", "hash_mb = 1\n");
    folder.write("b.toml", "hash_mb = 1\n");
    folder.write("some.jsonl", TACTIC);
    let problems: Vec<&str> = include_str!("../../crates/engine/tests/data/mates.txt").lines().take(40).collect();
    folder.write("mates.txt", problems.join("\n"));
    for line in MADE {
        let words = words(line);
        let output = folder.chuhe(&words.iter().map(String::as_str).collect::<Vec<_>>());
        assert!(output.status.success(), "{line}: {}", stderr(&output));
    }
    folder
}

#[test]
fn command_list_covers_every_subcommand() {
    let mut program = chuhe::cli::commands::english_command();
    program.build();
    let mut all = BTreeSet::new();
    leaves(&program, "", &mut all);
    // `tune` is in no release build, `tables pack` prints a single line after a long time, `learn winrate` needs a
    // thousand games, and `board` serves until it is stopped.
    all.retain(|path| !path.starts_with("tune") && !["tables pack", "learn winrate", "board"].contains(&path.as_str()));
    let is_tried = |path: &String| COMMANDS.lines().any(|line| format!("{line} ").starts_with(&format!("{path} ")));
    let missing: Vec<&String> = all.iter().filter(|path| !is_tried(path)).collect();
    assert!(missing.is_empty() && all.len() > 25, "{missing:?}");
}

#[test]
fn closed_output_is_not_an_error() {
    let folder = folder();
    let mut failures = Vec::new();
    for line in calls(COMMANDS) {
        let words = words(line);
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let mut command = folder.command(&words.iter().map(String::as_str).collect::<Vec<_>>());
        let child = command.stdin(Stdio::null()).stdout(writer).stderr(Stdio::piped()).spawn().expect("chuhe runs");
        let output = child.wait_with_output().expect("chuhe ends");
        if !output.status.success() || !output.stderr.is_empty() {
            failures.push(format!("{line}: {}, {}", output.status, stderr(&output)));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    for page in ["review.html", "check.html"] {
        assert!(folder.path(page).is_file(), "what goes into files is written: {page}");
    }
}

/// Each command that reads a file, with a pipe in its place.
#[cfg(unix)]
const READERS: &str = include_str!("../data/reading_calls.txt");

/// Whether a program that is started here ignores Ctrl-C, as those that a script starts behind itself.
#[cfg(unix)]
fn is_deaf_to_ctrl_c() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).is_some_and(|mask| mask & 2 != 0)
}

/// Waits until the program has said this on standard error.
#[cfg(unix)]
fn wait_for(child: &mut std::process::Child, words: &str) -> String {
    use std::io::{BufRead, BufReader};
    let errors = BufReader::new(child.stderr.take().expect("a pipe"));
    let mut told = String::new();
    for line in errors.lines() {
        told += &(line.expect("text") + "\n");
        if told.contains(words) {
            break;
        }
    }
    told
}

#[cfg(unix)]
#[test]
fn pipe_without_a_writer_is_waited_for_until_a_signal() {
    use rustix::process::{Pid, Signal, kill_process};

    let folder = Folder::new();
    folder.write("game.pgn", GAME);
    assert!(std::process::Command::new("mkfifo").arg(folder.path("pipe")).status().expect("mkfifo").success());
    let readers: Vec<&str> = calls(READERS).collect();
    let start = |line: &str| {
        let words = words(line);
        let mut command = folder.command(&words.iter().map(String::as_str).collect::<Vec<_>>());
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("chuhe runs")
    };
    for signal in
        [Signal::TERM, Signal::INT].into_iter().filter(|&signal| signal == Signal::TERM || !is_deaf_to_ctrl_c())
    {
        let children: Vec<_> = readers.iter().map(|line| (line, start(line))).collect();
        for (line, mut child) in children {
            let told = wait_for(&mut child, "pipe is a pipe without a writer");
            assert!(told.contains("without a writer"), "{line}: {told}");
            kill_process(Pid::from_child(&child), signal).expect("a signal");
            assert!(!child.wait().expect("it ends").success(), "{line}");
        }
    }
}

#[cfg(unix)]
#[test]
fn pipe_is_read_like_a_file() {
    let folder = Folder::new();
    folder.write("game.pgn", GAME);
    for words in ["judge", "convert --to pgn", "show", "eval", "analyse --nodes 10", "review --nodes 10"] {
        let script = format!("\"$0\" {words} <(cat game.pgn)");
        let mut shell = std::process::Command::new("bash");
        let output = shell.args(["-c", &script, crate::common::CHUHE]).current_dir(folder.root()).output();
        let output = output.expect("bash runs");
        assert!(output.status.success() && output.stderr.is_empty(), "{words}: {}", stderr(&output));
    }
}
