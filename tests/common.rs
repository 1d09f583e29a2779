//! Runs the program, in a temporary folder.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

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

/// A folder that is deleted when the test ends.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new() -> Folder {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("chuhe-test-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder for the test");
        Folder(path)
    }

    pub fn root(&self) -> &Path {
        &self.0
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        std::fs::write(&path, bytes).expect("a file of the test");
        path
    }

    pub fn text(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).expect("a file")
    }

    /// The program with these arguments, in this folder, not yet started.
    pub fn command(&self, words: &[&str]) -> Command {
        let mut command = command(words);
        command.current_dir(&self.0);
        command
    }

    /// Runs the program with these arguments, in this folder.
    pub fn chuhe(&self, words: &[&str]) -> Output {
        self.command(words).output().expect("chuhe runs")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
