//! Table files: round trips, damage, and the registry.

use super::name;
use chuhe_engine::tablebase::{
    ProbeResult, TableBuilder, TableFile, TableFileError, TableFormat, TableValue, Tablebase, read_table, table_path,
    verify,
};
use chuhe_testing::Folder;
use std::fs;
use std::path::PathBuf;
use xiangqi::{Color, Position};

const KPKA: &str = "4k4/4a4/9/4P4/9/9/9/9/9/3K5 w";

/// A table as the content of a file.
fn encoded(mut builder: TableBuilder, text: &str) -> Vec<u8> {
    builder.encode(name(text), TableFormat::Dtm).expect("built").bytes
}

/// Builds a table in a folder.
fn make(folder: &Folder, text: &str) -> PathBuf {
    let path = table_path(folder.root(), name(text));
    fs::write(&path, encoded(TableBuilder::in_folder(folder.root(), 2, usize::MAX), text)).expect("written");
    path
}

#[test]
fn table_file_round_trips() {
    let folder = Folder::new();
    let path = make(&folder, "KNKA");
    let made = TableBuilder::new(1).table(name("KNKA")).expect("made");
    let file = TableFile::open(&path).expect("a table");
    assert_eq!(file.counts, Color::ALL.map(|mover| made.count(mover, 1)));
    let read = read_table(&file, 2).expect("good blocks");
    for mover in Color::ALL {
        for number in 0..made.indexing.size() {
            assert_eq!(read.get(mover, number), made.get(mover, number), "{mover} {number}");
        }
    }
}

#[test]
fn table_file_is_equal_for_any_number_of_threads() {
    let bytes = |threads: usize| encoded(TableBuilder::new(threads), "KRKNA");
    assert!(bytes(1) == bytes(3), "files differ");
}

#[test]
fn builder_uses_and_verifies_smaller_tables_of_the_folder() {
    let folder = Folder::new();
    for text in ["KNK", "KNKA", "KNKAA"] {
        make(&folder, text);
    }
    let mut builder = TableBuilder::in_folder(folder.root(), 2, 0);
    let successors = builder.successors(name("KNKAA")).expect("successors");
    let table = builder.table(name("KNKAA")).expect("a table");
    let report = verify(&table, &successors, 2, 1);
    assert_eq!(report.wrong, 0, "{report:?}");
    assert!(report.checked > 40_000, "{report:?}");

    // A wrong value is detected.
    let is_long_win = |cell: u8| cell % 2 == 1 && (11..99).contains(&cell);
    let number = (0..table.indexing.size())
        .find(|&number| is_long_win(table.get(Color::Red, number)))
        .expect("a win in eleven plies or more");
    table.set(Color::Red, number, 3);
    let report = verify(&table, &successors, 2, 1);
    assert!(report.wrong > 0 && report.example.is_some());
}

#[test]
fn table_file_damage_is_reported() {
    let folder = Folder::new();
    let path = make(&folder, "KPKA");
    let good = fs::read(&path).expect("a file");
    let try_with = |bytes: &[u8]| {
        fs::write(&path, bytes).expect("written");
        TableFile::open(&path).and_then(|file| read_table(&file, 1)).map(|_| ())
    };
    assert!(try_with(&good).is_ok());
    for length in [0, 1, 7, 8, 20, 175, 176, 190, good.len() / 2, good.len() - 1] {
        let error = try_with(&good[..length]).expect_err("cut off");
        assert!(!error.to_string().is_empty());
    }
    assert!(matches!(try_with(&[good.clone(), vec![0]].concat()), Err(TableFileError::Length { .. })));
    assert!(matches!(try_with(&[b'x'; 500]), Err(TableFileError::BadMagic)));
    // A changed bit anywhere is detected.
    for at in 0..good.len() {
        let mut bad = good.clone();
        bad[at] ^= 1 << (at % 8);
        assert!(try_with(&bad).is_err(), "byte {at}");
    }
}

#[test]
fn registry_probes_files_and_disables_damaged_ones() {
    let folder = Folder::new();
    let path = make(&folder, "KPKA");
    let position = Position::from_fen(KPKA).expect("a position");
    let value = TableBuilder::new(1).table(name("KPKA")).expect("made").value(&position).expect("legal");
    for seen in [position.clone(), position.mirrored(), position.color_flipped()] {
        let tablebase = Tablebase::open(&[folder.root().to_path_buf()]);
        assert_eq!(tablebase.file_count(), 1);
        assert_eq!(tablebase.probe(&seen), Some(ProbeResult::from(value)), "{}", seen.fen());
    }

    // A damaged block: one warning, and the embedded table is used instead.
    let mut bytes = fs::read(&path).expect("a file");
    let last = bytes.len() - 3;
    bytes[last] ^= 255;
    bytes[300] ^= 255;
    fs::write(&path, &bytes).expect("written");
    let tablebase = Tablebase::open(&[folder.root().to_path_buf()]);
    let answer = tablebase.probe(&position);
    let same = match (answer, value) {
        (Some(ProbeResult::Win(None)), TableValue::Win(_)) | (Some(ProbeResult::Loss(None)), TableValue::Loss(_)) => {
            true
        }
        (answer, value) => answer == Some(ProbeResult::from(value)),
    };
    assert!(same, "{answer:?} {value:?}");
    tablebase.probe(&position);
    let warnings = tablebase.take_warnings();
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    assert!(warnings[0].to_string().contains("KPKA.ctb"), "{warnings:?}");

    let tablebase = Tablebase::open(&[folder.path("nowhere")]);
    assert_eq!((tablebase.file_count(), tablebase.take_warnings().len()), (0, 1));
}

#[test]
fn embedded_tables_cover_one_attacker() {
    let tablebase = Tablebase::built_in();
    let mut builder = TableBuilder::new(2);
    let known = |fen: &str| tablebase.probe(&Position::from_fen(fen).expect("a position"));
    assert_eq!(known("3k1a3/9/5a2b/9/6b2/9/9/9/9/5K1R1 w"), Some(ProbeResult::Win(None)));
    assert_eq!(known("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w"), None);
    // All positions of a small table, by DTM and by WDL.
    let table = builder.table(name("KNKB")).expect("made");
    for mover in Color::ALL {
        for number in (0..table.indexing.size() as u64).step_by(7) {
            let Some(fen) = table.fen(mover, number) else { continue };
            let Ok(position) = Position::from_fen(&fen) else { continue };
            let same = matches!(
                (table.value(&position), tablebase.probe(&position)),
                (Some(TableValue::Win(_)), Some(ProbeResult::Win(None)))
                    | (Some(TableValue::Loss(_)), Some(ProbeResult::Loss(None)))
                    | (Some(TableValue::Draw), Some(ProbeResult::Draw))
            );
            assert!(same, "{fen}");
        }
    }
}

#[cfg(unix)]
#[test]
fn pipe_and_device_are_refused_and_do_not_block() {
    use chuhe_engine::nnue::Network;

    let folder = Folder::new();
    let pipe = folder.path("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().expect("mkfifo").success());
    for path in [pipe, PathBuf::from("/dev/zero"), PathBuf::from("/dev/tty")] {
        assert!(Network::open(&path).is_err() && TableFile::open(&path).is_err(), "{}", path.display());
    }
}
