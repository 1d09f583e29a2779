//! Files of state: what is read, what is kept aside, what is never written, and what two programs leave.

use chuhe_support::files::{Folder as StateFolder, JsonState, StateFile, StateNote};
use chuhe_testing::Folder;
use serde::{Deserialize, Serialize};
use std::fs;

#[derive(Clone, Default, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default)]
struct Sample {
    name: String,
    count: u32,
    list: Vec<String>,
}

impl JsonState for Sample {
    const FORMAT: u32 = 2;
    const MAX_BYTES: u64 = 1000;

    fn is_sound(&self) -> bool {
        self.count < 1000
    }
}

fn open(folder: &Folder) -> StateFile<Sample> {
    StateFile::open(&StateFolder::from(folder.root().to_path_buf()), "in/sample.json")
}

/// The file and its copies.
fn contents(folder: &Folder) -> Vec<(String, String)> {
    let entries = fs::read_dir(folder.path("in")).expect("a folder").flatten();
    let mut files: Vec<_> = entries
        .map(|entry| {
            (entry.file_name().to_string_lossy().into_owned(), fs::read_to_string(entry.path()).expect("text"))
        })
        .collect();
    files.sort();
    files
}

#[test]
fn damaged_file_is_kept_aside_once_and_what_can_be_read_is_used() {
    for (text, count) in [
        ("{\"count\":7", 0),
        ("", 0),
        ("[]", 0),
        ("{\"format\":1,\"count\":5000}", 0),
        ("{\"format\":\"x\",\"count\":7}", 7),
        ("{\"format\":2,\"count\":7,\"nmae\":\"x\"}", 7),
    ] {
        let folder = Folder::new();
        fs::create_dir(folder.path("in")).expect("a folder");
        fs::write(folder.path("in/sample.json"), text).expect("written");
        let mut file = open(&folder);
        assert_eq!(file.get().count, count, "{text}");
        assert!(matches!(file.take_note(), Some(StateNote::KeptAside { .. })), "{text}");
        assert!(file.take_note().is_none(), "told once");
        file.set(|state| state.name = "new".to_string()).expect("room");
        let mut again = open(&folder);
        assert_eq!((again.get().name.as_str(), again.get().count), ("new", count), "{text}");
        assert!(again.take_note().is_none());
        let files = contents(&folder);
        assert_eq!(files.len(), 2, "{files:?}");
        assert!(files[1].0.starts_with("sample.json.damaged-20") && files[1].1 == text, "{files:?}");
        // The same damage again needs no other copy, another one does.
        fs::write(folder.path("in/sample.json"), text).expect("written");
        assert!(open(&folder).take_note().is_some());
        assert_eq!(contents(&folder).len(), 2);
        fs::write(folder.path("in/sample.json"), format!("{text}!")).expect("written");
        open(&folder).set(|state| state.count = 1).expect("room");
        assert_eq!(contents(&folder).len(), 3);
    }
}

#[test]
fn file_of_an_earlier_version_is_read_and_one_of_a_newer_version_is_not_written() {
    for (text, is_newer) in [
        ("{\"count\":7}", false),
        ("{\"format\":2,\"list\":[\"a\"],\"count\":7}", false),
        ("{\"format\":3,\"count\":7,\"more\":{}}", true),
        ("{\"format\":99999999999,\"count\":{}}", true),
    ] {
        let folder = Folder::new();
        fs::create_dir(folder.path("in")).expect("a folder");
        fs::write(folder.path("in/sample.json"), text).expect("written");
        let mut file = open(&folder);
        assert_eq!(file.get().count, if text.contains("\"count\":7") { 7 } else { 0 }, "{text}");
        assert_eq!(file.set(|state| state.count = 8).is_err(), is_newer, "{text}");
        assert_eq!(matches!(file.take_note(), Some(StateNote::Newer { .. })), is_newer, "{text}");
        let there = contents(&folder);
        assert_eq!((there.len(), there[0].1 == text), (1, is_newer), "{text}");
    }
}

#[test]
fn change_that_fails_leaves_what_is_on_the_disk() {
    let folder = Folder::new();
    let mut file = open(&folder);
    file.set(|state| state.count = 1).expect("room");
    assert!(file.set(|state| state.name = "x".repeat(2000)).is_err(), "larger than it may be");
    assert_eq!((file.get(), open(&folder).get()), (&Sample { count: 1, ..Sample::default() }, file.get()));
    // What cannot be read is tried again with the next change.
    fs::rename(folder.path("in/sample.json"), folder.path("in/elsewhere")).expect("moved");
    fs::create_dir(folder.path("in/sample.json")).expect("a folder");
    let mut file = open(&folder);
    assert!(matches!(file.take_note(), Some(StateNote::Unreadable { .. })));
    assert!(file.set(|state| state.count = 2).is_err());
    fs::remove_dir(folder.path("in/sample.json")).expect("empty");
    fs::rename(folder.path("in/elsewhere"), folder.path("in/sample.json")).expect("moved");
    file.set(|state| state.name = "y".to_string()).expect("room");
    assert_eq!(open(&folder).get(), &Sample { name: "y".to_string(), count: 1, ..Sample::default() });
}

#[test]
fn programs_that_change_a_file_at_the_same_time_lose_no_change() {
    let folder = Folder::new();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let mut file = open(&folder);
                for _ in 0..20 {
                    file.set(|state| state.count += 1).expect("room");
                }
            });
        }
    });
    assert_eq!(open(&folder).get().count, 80);
}
