//! Runs the two commands.

use crate::common::{Folder, refusal, stderr, success};

/// A quiet game, in which red leaves a rook en prise with the sixth move.
pub const GAME: &str = "startpos moves h2e2 h9g7 h0g2 i9h9 i0h0 b9c7 g3g4 c6c5 b0c2 c9e7 a0b0 b7b0 c2b0";

/// The output of a successful run without messages.
pub fn says(folder: &Folder, words: &[&str]) -> String {
    let output = folder.chuhe(words);
    assert_eq!(stderr(&output), "", "{words:?}");
    success(&output)
}

/// The message of a failed run.
pub fn complains(folder: &Folder, words: &[&str]) -> String {
    refusal(&folder.chuhe(words))
}

/// A review as JSON, on one thread, which makes it deterministic.
pub fn reviewed(folder: &Folder, game: &str, words: &[&str]) -> serde_json::Value {
    let fixed = ["review", game, "--threads", "1", "--hash", "16", "--json", "-"];
    serde_json::from_str(&says(folder, &[&fixed, words].concat())).expect("JSON")
}
