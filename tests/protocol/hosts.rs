//! Conversations of real hosts: `tests/hosts` has a transcript for each, `docs/hosts.md` describes them.

use super::conversation::hold;
use std::path::{Path, PathBuf};

/// The transcripts, by name.
fn transcripts() -> Vec<(String, String)> {
    let read = |path: PathBuf| {
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        (name, std::fs::read_to_string(path).expect("a transcript"))
    };
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hosts");
    let files = std::fs::read_dir(folder).expect("transcripts").map(|entry| entry.expect("an entry").path());
    let mut found: Vec<_> = files.filter(|path| path.extension().is_some_and(|kind| kind == "txt")).map(read).collect();
    found.sort();
    found
}

#[test]
fn transcripts_of_hosts_run_as_recorded() {
    for (name, text) in transcripts() {
        hold(&name, &text, true);
    }
}

#[test]
fn transcripts_are_named_in_the_host_page() {
    let page = include_str!("../../docs/hosts.md");
    let names: Vec<String> = transcripts().into_iter().map(|(name, _)| name).collect();
    assert!(names.len() >= 15);
    for name in names {
        assert!(page.contains(&format!("`{}`", name.trim_end_matches(".txt"))), "docs/hosts.md on {name}");
    }
}
