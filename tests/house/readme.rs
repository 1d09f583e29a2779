//! The README keeps its promises: the examples run, and the Chinese twin shows the same ones.
//!
//! Commands in blocks marked `sh` are run; blocks marked `text` show what is not (conversations, other engines).
#![cfg(unix)]

use std::path::Path;
use std::process::{Command, Stdio};

const ENGLISH: &str = include_str!("../../README.md");
const CHINESE: &str = include_str!("../../README.zh-CN.md");

/// The commands of the blocks marked `sh`, comments cut off.
fn commands(readme: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut inside = false;
    for line in readme.lines() {
        if line.starts_with("```") {
            inside = line == "```sh";
        } else if inside {
            let command = line.split("  #").next().unwrap_or_default().trim();
            found.push(command.to_string());
        }
    }
    found
}

#[test]
fn both_languages_show_the_same_commands() {
    assert_eq!(commands(ENGLISH), commands(CHINESE));
}

#[test]
fn the_examples_run() {
    let program = Path::new(env!("CARGO_BIN_EXE_chuhe"));
    let folder = program.parent().expect("the program is in a folder").display();
    let path = format!("{folder}:{}", std::env::var("PATH").unwrap_or_default());
    let examples: Vec<String> =
        commands(ENGLISH).into_iter().filter(|command| !command.starts_with("cargo ")).collect();
    assert!(examples.len() >= 10, "{examples:?}");
    for example in examples {
        let output = Command::new("sh")
            .args(["-c", &example])
            .env("PATH", &path)
            .env_remove("CHUHE_LOG")
            .current_dir(env!("CARGO_TARGET_TMPDIR"))
            .stdin(Stdio::null())
            .output()
            .expect("a shell");
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && told.is_empty(), "{example}: {told}");
        assert!(!output.stdout.is_empty(), "{example} says nothing");
    }
}
