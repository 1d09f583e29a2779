//! Runs the Python examples of the page for scripts.

use std::path::Path;
use std::process::{Command, Stdio};

fn python_blocks(readme: &str) -> Vec<&str> {
    readme.split("```python\n").skip(1).filter_map(|rest| rest.split("```").next()).collect()
}

#[test]
fn python_examples_are_the_same_in_both_languages() {
    let (english, chinese) = (include_str!("../../docs/scripts.md"), include_str!("../../docs/scripts.zh-CN.md"));
    assert_eq!(python_blocks(english).len(), 2);
    assert_eq!(python_blocks(english), python_blocks(chinese));
}

/// The output of an example; `None` on a machine without Python.
fn printed(example: &str) -> Option<String> {
    let works = |command: &mut Command| command.output().is_ok_and(|output| output.status.success());
    if !works(Command::new("python3").arg("--version")) {
        return None;
    }
    let folder = Path::new(env!("CARGO_BIN_EXE_chuhe")).parent().expect("a folder").display();
    let path = format!("{folder}:{}", std::env::var("PATH").unwrap_or_default());
    let mut python = Command::new("python3");
    let python = python.args(["-c", example]).env("PATH", path).env("PYTHONIOENCODING", "utf-8");
    let output = python.stdin(Stdio::null()).output().expect("python3 starts");
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{told}");
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
fn python_examples_run() {
    let [queries, session] = python_blocks(include_str!("../../docs/scripts.md"))[..] else { panic!("two") };
    if let Some(answers) = printed(queries) {
        let mut numbers: Vec<&str> = answers.lines().filter_map(|line| line.split(' ').next()).collect();
        numbers.sort();
        assert_eq!(numbers, ["0", "1", "2", "3"], "{answers}");
    }
    if let Some(moves) = printed(session) {
        super::host::after(moves.trim());
        assert_eq!(moves.split_whitespace().count(), 8, "{moves}");
    }
}
