//! The Python example of the page for scripts does what it says.

use std::path::Path;
use std::process::{Command, Stdio};

fn python_blocks(readme: &str) -> Vec<&str> {
    readme.split("```python\n").skip(1).filter_map(|rest| rest.split("```").next()).collect()
}

#[test]
fn both_languages_show_the_same_python() {
    let (english, chinese) =
        (include_str!("../../docs/scripts.md"), include_str!("../../docs/scripts.zh-CN.md"));
    assert_eq!(python_blocks(english).len(), 1);
    assert_eq!(python_blocks(english), python_blocks(chinese));
}

#[test]
fn the_python_example_runs() {
    let works = |command: &mut Command| command.output().is_ok_and(|output| output.status.success());
    if !works(Command::new("python3").arg("--version")) {
        return; // A machine without Python has nothing to run it with.
    }
    let folder = Path::new(env!("CARGO_BIN_EXE_chuhe")).parent().expect("a folder").display();
    let path = format!("{folder}:{}", std::env::var("PATH").unwrap_or_default());
    let example = python_blocks(include_str!("../../docs/scripts.md"))[0];
    let output = Command::new("python3")
        .args(["-c", example])
        .env("PATH", path)
        .stdin(Stdio::null())
        .output()
        .expect("python3 starts");
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{told}");
    let moves = String::from_utf8_lossy(&output.stdout);
    super::host::after(moves.trim());
    assert_eq!(moves.split_whitespace().count(), 8, "{moves}");
}
