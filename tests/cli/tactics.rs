//! The tactics that `chuhe tactics list` has; `transcripts::tactics` has the rest of the command.

use crate::common::{chuhe, success};
use chuhe_study::tactics::embedded;
use serde_json::Value;
use xiangqi_record::Notation;
use xiangqi_record::notation::format_line;

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
