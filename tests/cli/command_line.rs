//! The version and the list of commands; `transcripts::command_line` has the rest.

use crate::common::{chuhe, command, stdout, success};
use chuhe_study::tactics::embedded;
use serde_json::Value;
use std::process::Command;
use xiangqi_record::Notation;
use xiangqi_record::notation::format_line;

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

fn signature(simd: &str) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_chuhe"));
    let output = command.args(["bench", "4", "--json"]).env("CHUHE_SIMD", simd).output().expect("chuhe runs");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let nodes = text.split("\"nodes\":").nth(1).expect("a count of nodes");
    nodes.trim_start().chars().take_while(char::is_ascii_digit).collect()
}

#[test]
fn signature_is_the_same_with_every_instruction_set() {
    let plain = signature("plain");
    assert!(plain.len() >= 4, "{plain}");
    assert_eq!(plain, signature("avx2"), "where there is no AVX2 it is the plain copy again");
    assert_eq!(plain, signature(""), "the best that the processor has");
}

/// The JSON of each line.
fn listed(words: &[&str]) -> Vec<Value> {
    let text = success(&chuhe(&[&["tactics", "list", "--json"], words].concat()));
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[test]
fn tactics_of_the_program_are_listed_by_theme_age_and_difficulty() {
    let all = listed(&[]);
    assert_eq!(all.len(), embedded().len());
    let has_theme = |tactic: &&Value| tactic["themes"].as_array().is_some_and(|themes| themes.contains(&"fork".into()));
    let forks: Vec<Value> = all.iter().filter(has_theme).cloned().collect();
    assert!(!forks.is_empty() && listed(&["--theme", "fork"]) == forks);
    let newest: Vec<Value> = all.iter().rev().take(3).cloned().collect();
    assert_eq!(listed(&["--newest", "--count", "3"]), newest);
    let difficulty = |tactic: &Value| tactic["difficulty"].as_u64();
    let mut sorted: Vec<_> = all.iter().map(difficulty).collect();
    sorted.sort_unstable_by(|one, other| other.cmp(one));
    let hardest: Vec<_> = listed(&["--hardest", "--count", "5"]).iter().map(difficulty).collect();
    assert_eq!(hardest, sorted[..5]);
    let text = success(&chuhe(&["tactics", "list", "--notation", "vietnamese"]));
    let first = &embedded()[0];
    let moves = format_line(&first.position().expect("a position"), &first.moves, Notation::Vietnamese).join(" ");
    assert_eq!(text.lines().nth(2), Some(format!("   {moves}").as_str()));
}
