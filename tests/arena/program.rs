//! Helpers that run `chuhe arena` in a temporary folder.

use crate::common::{Folder, refusal, success};
use std::process::{Command, Output};

/// The command `chuhe arena` with these arguments, in this folder.
pub fn arena_in(folder: &Folder, words: &[&str]) -> Command {
    folder.command(&[&["arena"], words].concat())
}

/// Runs it to its end.
pub fn arena(folder: &Folder, words: &[&str]) -> Output {
    arena_in(folder, words).output().expect("chuhe runs")
}

/// Its standard output after success.
pub fn report(folder: &Folder, words: &[&str]) -> String {
    success(&arena(folder, words))
}

/// Its error message after failure.
pub fn complaint(folder: &Folder, words: &[&str]) -> String {
    refusal(&arena(folder, words))
}

/// A folder with the settings of two engines of one process, `a.toml` and `b.toml`.
pub fn two_engines(a: &str, b: &str) -> Folder {
    let folder = Folder::new();
    folder.write("a.toml", a);
    folder.write("b.toml", b);
    folder
}

/// Writes an executable script.
#[cfg(unix)]
pub fn script(folder: &Folder, name: &str, body: &str) -> String {
    use std::os::unix::fs::PermissionsExt;
    let path = folder.write(name, format!("#!/bin/sh\n{body}\n"));
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("an executable script");
    path.display().to_string()
}

/// The script of an engine with a correct handshake that runs `deed` on `go`.
#[cfg(unix)]
pub fn conversation(deed: &str) -> String {
    format!(
        "while read -r word rest; do case \"$word\" in ucci) echo ucciok;; isready) echo readyok;; \
         quit) exit;; go) {deed};; esac; done"
    )
}

/// Writes such an engine.
#[cfg(unix)]
pub fn engine(folder: &Folder, name: &str, deed: &str) -> String {
    script(folder, name, &conversation(deed))
}

/// The command that lets two processes of one engine, called a and b, play with a record.
#[cfg(unix)]
pub fn twins_in(folder: &Folder, path: &str, more: &[&str]) -> Command {
    let [a, b] = ["a", "b"].map(|name| format!("--engine=name={name},cmd={path},proto=ucci"));
    arena_in(folder, &[&[&a, &b, "--nodes", "50", "--pgn", "m.pgn"], more].concat())
}

/// Waits until the process with this id is gone.
#[cfg(unix)]
pub fn ends(number: &str) {
    let begun = std::time::Instant::now();
    let lives = || Command::new("kill").args(["-0", number]).stderr(std::process::Stdio::null()).status();
    while lives().is_ok_and(|status| status.success()) {
        assert!(begun.elapsed().as_secs() < 30, "process {number} was left behind");
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
}
