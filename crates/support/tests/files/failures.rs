//! Every step that changes the disk fails once, and from one step on, as after a kill.

use chuhe_support::files::{AppendFile, Failing, remove_stale_parts, set_failing, write_atomic};
use chuhe_testing::Folder;
use std::fs::{self, OpenOptions};
use std::path::Path;

/// Does something with each step failing in turn, until none is left to fail; returns how many there were.
fn with_each_failure(kind: fn(usize) -> Failing, mut work: impl FnMut()) -> usize {
    for index in 0.. {
        set_failing(kind(index));
        work();
        if set_failing(Failing::None) <= index {
            return index;
        }
    }
    0
}

#[test]
fn atomic_write_leaves_the_old_or_the_new_content_whatever_step_fails() {
    for kind in [Failing::Once, Failing::From] {
        let folder = Folder::new();
        let path = folder.path("game.pgn");
        fs::write(&path, b"old content").expect("written");
        let count = with_each_failure(kind, || {
            let before = fs::read(&path).expect("a file");
            let content: &[u8] = if before == b"old content" { b"new content, longer" } else { b"old content" };
            let outcome = write_atomic(&path, content);
            let after = fs::read(&path).expect("still a file");
            assert!(after == before || after == content, "{}", String::from_utf8_lossy(&after));
            assert!(outcome.is_err() || after == content, "told as written");
        });
        assert!(count >= 5, "create, write, sync, rename and the folder: {count}");
        // What was left behind goes with the next write.
        write_atomic(&path, b"at last").expect("written");
        assert_eq!(
            (fs::read(&path).expect("a file").as_slice(), folder.names()),
            (&b"at last"[..], vec!["game.pgn".to_string()])
        );
    }
}

#[test]
fn atomic_write_replaces_only_temporary_files_that_nobody_writes() {
    let folder = Folder::new();
    let (path, part) = (folder.path("a.txt"), folder.path("a.txt.chuhe.part"));
    fs::write(&part, b"of a process that was killed").expect("written");
    write_atomic(&path, b"one").expect("written");
    assert_eq!(folder.names(), ["a.txt"]);
    let held = fs::File::create(&part).expect("a file");
    held.lock().expect("a lock");
    write_atomic(&path, b"two").expect("written beside it");
    assert_eq!(folder.names(), ["a.txt", "a.txt.chuhe.part"]);
    drop(held);
    remove_stale_parts(folder.root());
    assert_eq!((folder.names(), fs::read(&path).expect("a file").as_slice()), (vec!["a.txt".to_string()], &b"two"[..]));
}

fn open(path: &Path, length: u64) -> AppendFile {
    let mut options = OpenOptions::new();
    let file = options.read(true).write(true).create(true).truncate(false).open(path).expect("a file");
    AppendFile::new(file, length).expect("an append file")
}

#[test]
fn append_file_holds_whole_records_whatever_step_fails() {
    let folder = Folder::new();
    let path = folder.path("games");
    let mut file = open(&path, 0);
    let mut expected = Vec::new();
    let mut number = 0;
    with_each_failure(Failing::Once, || {
        number += 1;
        let record = format!("record {number}\n");
        if file.append(record.as_bytes()).is_ok() {
            expected.extend_from_slice(record.as_bytes());
        }
        assert_eq!(fs::read(&path).expect("a file"), expected);
    });
    assert!(!expected.is_empty() && file.len() == expected.len() as u64);
}

#[test]
fn append_file_goes_on_where_a_kill_tore_it() {
    let folder = Folder::new();
    let path = folder.path("games");
    let mut length = 0;
    with_each_failure(Failing::From, || {
        // Steps of an earlier process failed to the end of it; this one begins where the whole records end.
        let failing = set_failing(Failing::None);
        assert_eq!(failing, 0);
        let mut file = open(&path, length);
        assert_eq!(fs::metadata(&path).expect("a file").len(), length);
        set_failing(Failing::From(1));
        assert!(file.append(b"half of this is written and cannot be cut off").is_err());
        assert!(fs::metadata(&path).expect("a file").len() > length);
        set_failing(Failing::None);
        // The same process, too, cuts it off before the next record.
        file.append(b"whole").expect("room again");
        length += 5;
        assert_eq!(fs::read(&path).expect("a file"), b"whole".repeat(length as usize / 5));
    });
}
