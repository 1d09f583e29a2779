//! Running the two commands in a folder of their own.

use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A quiet game, in which red leaves a rook to be taken with his sixth move.
pub const GAME: &str = "startpos moves h2e2 h9g7 h0g2 i9h9 i0h0 b9c7 g3g4 c6c5 b0c2 c9e7 a0b0 b7b0 c2b0";

/// A folder that goes when the test ends.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new() -> Folder {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("chuhe-review-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder for the test");
        Folder(path)
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    pub fn text(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).expect("a file")
    }

    pub fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_chuhe"));
        command.args(words).current_dir(&self.0).env_remove("CHUHE_LOG").env("LC_ALL", "C");
        command
    }

    pub fn run(&self, words: &[&str]) -> Output {
        self.command(words).output().expect("chuhe runs")
    }

    /// What it prints, after it ended well and without complaint.
    pub fn says(&self, words: &[&str]) -> String {
        let output = self.run(words);
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && told.is_empty(), "{words:?}: {told}");
        String::from_utf8(output.stdout).expect("UTF-8")
    }

    /// What it complains of, after it ended badly.
    pub fn complains(&self, words: &[&str]) -> String {
        let output = self.run(words);
        assert_eq!(output.status.code(), Some(2), "{words:?}");
        String::from_utf8(output.stderr).expect("UTF-8")
    }

    /// A review as JSON, on one thread, which makes it the same every time.
    pub fn review(&self, game: &str, words: &[&str]) -> serde_json::Value {
        let text =
            self.says(&[&["review", game, "--threads", "1", "--hash", "16", "--json", "-"], words].concat());
        serde_json::from_str(&text).expect("JSON")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// What happened with a move, by kind.
pub fn kinds(entry: &serde_json::Value) -> Vec<&str> {
    let events = entry["events"].as_array().expect("events");
    events.iter().map(|event| event["kind"].as_str().expect("a kind")).collect()
}
