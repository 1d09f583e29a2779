//! The version and the list of commands; `transcripts::command_line` has the rest.

use crate::common::{chuhe, command, stdout};
use std::process::Command;

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
