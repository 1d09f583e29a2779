//! Runs the program, in a temporary folder.

use std::io::Write;
use std::ops::Deref;
use std::process::{Command, Output, Stdio};

/// The program under test.
pub const CHUHE: &str = env!("CARGO_BIN_EXE_chuhe");

/// Runs the program with these arguments.
pub fn chuhe(words: &[&str]) -> Output {
    command(words).output().expect("chuhe runs")
}

/// The program with these arguments, not yet started.
pub fn command(words: &[&str]) -> Command {
    let mut command = Command::new(CHUHE);
    command.args(words).env_remove("CHUHE_LOG").env_remove("NO_COLOR").env("LC_ALL", "C");
    command
}

/// Runs a command with this standard input.
pub fn answered(command: &mut Command, input: &[u8]) -> Output {
    let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = piped.spawn().expect("it runs");
    // A program that refuses its arguments reads nothing, and may have exited.
    let _ = child.stdin.take().expect("a pipe").write_all(input);
    child.wait_with_output().expect("it ends")
}

/// Standard output.
pub fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

/// Standard error.
pub fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("UTF-8")
}

/// Standard output of a successful run.
pub fn success(output: &Output) -> String {
    assert!(output.status.success(), "{}", stderr(output));
    stdout(output)
}

/// Standard error of a failed run.
pub fn refusal(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(2), "{}", stdout(output));
    stderr(output)
}

/// A temporary folder in which the program runs.
pub struct Folder(chuhe_testing::Folder);

impl Deref for Folder {
    type Target = chuhe_testing::Folder;

    fn deref(&self) -> &chuhe_testing::Folder {
        &self.0
    }
}

impl Folder {
    pub fn new() -> Folder {
        Folder(chuhe_testing::Folder::new())
    }

    /// The program with these arguments, in this folder, not yet started.
    pub fn command(&self, words: &[&str]) -> Command {
        let mut command = command(words);
        command.current_dir(self.root());
        command
    }

    /// Runs the program with these arguments, in this folder.
    pub fn chuhe(&self, words: &[&str]) -> Output {
        self.command(words).output().expect("chuhe runs")
    }
}
