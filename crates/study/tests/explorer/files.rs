//! Files that grow, change, move or are copied; failures in the middle; two writers.

use super::games::{games, plain_count, write};
use chuhe_study::explorer::{Added, GameFilter, GameIndex, GameSource, IndexError, IndexWriter};
use chuhe_testing::Folder;
use std::path::Path;
use xiangqi::Position;
use xiangqi_record::Game;

fn add(index: &Path, file: &Path) -> Result<Added, IndexError> {
    let mut writer = IndexWriter::open(index)?;
    let added = writer.add_file(GameSource::open(file)?, &mut |fault| panic!("{fault}"), &mut |_| true)?;
    writer.finish()?;
    Ok(added)
}

fn games_at_start(index: &Path) -> u64 {
    GameIndex::open(index)
        .expect("an index")
        .ask(&Position::start(), &GameFilter::default(), 0)
        .expect("an answer")
        .all
        .games
}

fn count(games: &[Game]) -> u64 {
    plain_count(&Position::start(), games.iter()).0
}

#[test]
fn files_that_grow_change_move_or_are_copied_count_once() {
    let folder = Folder::new();
    let (index, all) = (folder.path("index"), games(60, 27));
    let file = write(folder.root(), "club.pgn", &all[..20]);
    let new = |games, was_known| Added { games, was_known };
    assert_eq!(add(&index, &file).expect("added"), new(20, false));
    assert_eq!(add(&index, &file).expect("known"), new(0, true));
    // It grows.
    write(folder.root(), "club.pgn", &all[..30]);
    assert_eq!(add(&index, &file).expect("added"), new(10, false));
    assert_eq!(games_at_start(&index), count(&all[..30]));
    // A copy, and a file that has moved.
    let copy = folder.path("copy.pgn");
    std::fs::copy(&file, &copy).expect("copied");
    assert_eq!(add(&index, &copy).expect("a copy"), new(0, true));
    std::fs::rename(&file, folder.path("moved.pgn")).expect("moved");
    assert_eq!(add(&index, &folder.path("moved.pgn")).expect("moved"), new(0, true));
    assert_eq!(games_at_start(&index), count(&all[..30]));
    // It changes: the earlier games do not count any more.
    write(folder.root(), "moved.pgn", &all[40..45]);
    assert_eq!(add(&index, &folder.path("moved.pgn")).expect("changed"), new(5, false));
    assert_eq!(games_at_start(&index), count(&all[40..45]));
    // Merging drops what is gone.
    for number in 0..20 {
        let one = write(folder.root(), &format!("{number}.xqf"), &all[number..=number]);
        assert_eq!(add(&index, &one).expect("added"), new(1, false));
    }
    assert_eq!(games_at_start(&index), count(&all[40..45]) + count(&all[..20]));
}

#[test]
fn other_folders_are_left_alone_and_one_program_writes_at_a_time() {
    let folder = Folder::new();
    let file = write(folder.root(), "a.pgn", &games(3, 37));
    match IndexWriter::open(folder.root()) {
        Err(IndexError::NotAnIndex(_)) => {}
        other => panic!("{:?}", other.err()),
    }
    let index = folder.path("index");
    assert!(matches!(GameIndex::open(&index), Err(IndexError::Missing(_))));
    let held = IndexWriter::open(&index).expect("a new index");
    assert!(matches!(IndexWriter::open(&index).err(), Some(IndexError::Locked(_))));
    drop(held);
    add(&index, &file).expect("added");
    // A file in the place of the folder, and damage anywhere, are errors.
    assert!(IndexWriter::open(&file).is_err() && GameIndex::open(&file).is_err());
    let segment = index.join("000000.segment");
    let whole = std::fs::read(&segment).expect("a segment");
    for cut in [0, 10, whole.len() / 2, whole.len() - 1] {
        std::fs::write(&segment, &whole[..cut]).expect("written");
        let index = GameIndex::open(&index).expect("an index");
        index.ask(&Position::start(), &GameFilter::default(), 3).expect_err("damaged");
    }
    for place in (0..whole.len()).step_by(7) {
        let mut bytes = whole.clone();
        bytes[place] ^= 0xA5;
        std::fs::write(&segment, &bytes).expect("written");
        // Wrong numbers may come out; nothing panics.
        let _ = GameIndex::open(&index).expect("an index").ask(&Position::start(), &GameFilter::default(), 3);
    }
    std::fs::write(&segment, &whole).expect("written");
    let manifest = std::fs::read(index.join("chuhe-index.json")).expect("a manifest");
    std::fs::write(index.join("chuhe-index.json"), &manifest[..manifest.len() / 2]).expect("written");
    assert!(matches!(add(&index, &file), Err(IndexError::File(_))), "it is not begun anew");
    std::fs::write(index.join("chuhe-index.json"), &manifest).expect("written");
    assert_eq!(add(&index, &file).expect("whole again"), Added { games: 0, was_known: true });
}

/// A full disk at each step of adding: the index answers as before, and the games can be added afterwards.
#[test]
#[cfg(debug_assertions)]
fn failure_at_any_step_loses_nothing() {
    use chuhe_support::files::{Failing, set_failing};
    let folder = Folder::new();
    let all = games(40, 47);
    let files: Vec<_> =
        (0..9).map(|part| write(folder.root(), &format!("{part}.pgn"), &all[4 * part..4 * part + 4])).collect();
    for failing in 0.. {
        let index = folder.path(&format!("index{failing}"));
        for file in &files[..7] {
            add(&index, file).expect("added");
        }
        // The eighth segment makes a merge.
        set_failing(Failing::From(failing));
        let added = add(&index, &files[7]);
        set_failing(Failing::None);
        let games = games_at_start(&index);
        assert!(games == count(&all[..28]) || games == count(&all[..32]), "whole or not at all: {games}");
        add(&index, &files[7]).expect("added now");
        add(&index, &files[8]).expect("and the next");
        assert_eq!(games_at_start(&index), count(&all[..36]), "after a failure at step {failing}");
        std::fs::remove_dir_all(&index).expect("removed");
        if added.is_ok() {
            assert!(failing > 10, "steps were made to fail");
            break;
        }
    }
}
