//! The rooms and their arrows: `src/lib.rs` lists the rooms from the ground up, and each uses only rooms named
//! before it.

use std::fs;
use std::path::{Path, PathBuf};

/// The rooms that have somebody to talk to.
const TALKERS: [&str; 6] = ["protocol", "arena", "play", "learn", "web", "cli"];

pub fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// The rooms in the order of the list in `src/lib.rs`.
fn rooms() -> Vec<String> {
    let text = fs::read_to_string(source().join("lib.rs")).expect("src/lib.rs");
    let listed = text.lines().filter_map(|line| line.strip_prefix("//! * [`"));
    listed.filter_map(|line| line.split('`').next()).map(str::to_string).collect()
}

/// Every Rust file below a folder, with its text.
pub fn files(folder: &Path) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a room") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).expect("a source file");
            found.push((path, text));
        }
    }
    found
}

#[test]
fn every_room_is_listed_and_described() {
    let rooms = rooms();
    let page = include_str!("../../docs/architecture.md");
    for room in &rooms {
        assert!(page.contains(&format!("**{room}** — ")), "docs/architecture.md says nothing of {room}");
    }
    for entry in fs::read_dir(source()).expect("src") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            let name = path.file_name().expect("a name").to_string_lossy().into_owned();
            assert!(rooms.contains(&name), "src/lib.rs does not say what {name} is for");
        }
    }
}

#[test]
fn arrows_point_down_only() {
    let rooms = rooms();
    for (height, room) in rooms.iter().enumerate() {
        for (path, text) in files(&source().join(room)) {
            for above in &rooms[height + 1..] {
                let looks_up = ["::", "::{", ";", "}", ",", " "]
                    .iter()
                    .any(|end| text.contains(&format!("crate::{above}{end}")));
                assert!(!looks_up, "{} looks up to {above}", path.display());
            }
        }
    }
}

#[test]
fn only_the_rooms_that_talk_print() {
    for room in rooms().iter().filter(|room| !TALKERS.contains(&room.as_str())) {
        for (path, text) in files(&source().join(room)) {
            for macro_name in ["print!(", "println!(", "dbg!("] {
                assert!(!text.contains(macro_name), "{} says {macro_name}", path.display());
            }
        }
    }
}

#[test]
fn only_the_rooms_that_talk_and_the_time_of_the_search_read_a_clock() {
    let quiet = rooms().into_iter().filter(|room| !TALKERS.contains(&room.as_str()));
    for (path, text) in quiet.flat_map(|room| files(&source().join(room))) {
        let is_the_clock = path.ends_with("search/time.rs");
        assert!(is_the_clock || !text.contains("Instant"), "{} reads a clock", path.display());
        assert!(!text.contains("SystemTime"), "{} asks for the date", path.display());
    }
}

#[test]
fn only_the_command_line_knows_its_reader() {
    for room in rooms().iter().filter(|room| *room != "cli") {
        for (path, text) in files(&source().join(room)) {
            assert!(!text.contains("clap"), "{} knows clap", path.display());
        }
    }
}

#[test]
fn every_file_says_what_it_is_about() {
    for (path, text) in files(&source()) {
        assert!(text.starts_with("//! "), "{} does not begin with its subject", path.display());
    }
}

#[test]
fn no_file_is_longer_than_a_chapter() {
    for (path, text) in files(&source()) {
        let lines = text.lines().count();
        assert!(lines <= 450, "{} has {lines} lines", path.display());
    }
}
