//! ElephantEye's BOOK.DAT.

use super::support::{after, random_book, report};
use crate::common::Folder;
use chuhe_study::book::{
    Book, ChuheBook, EleEyeBook, EleEyeError, EleEyeRecord, collect_reachable, eleeye_key, opening_names,
};
use xiangqi::{Move, Position};

fn record(moves: &str, mv: &str, weight: u16) -> EleEyeRecord {
    let lock = eleeye_key(&after(moves))[2];
    EleEyeRecord { lock, bits: mv.parse::<Move>().expect("a move").bits(), weight }
}

fn bytes(mut records: Vec<EleEyeRecord>) -> Vec<u8> {
    records.sort();
    EleEyeBook::from_records(records).write()
}

#[test]
fn eleeye_book_answers_in_both_orientations() {
    let bytes = bytes(vec![
        record("", "h2e2", 1473),
        record("", "b2e2", 1473),
        record("", "g3g4", 546),
        record("b2e2", "b9c7", 7),
    ]);
    assert_eq!(bytes.len(), 32);
    let book = EleEyeBook::read(&bytes).expect("a book");
    assert_eq!(book.write(), bytes);
    let told = |moves: &str| -> Vec<(String, u32)> {
        let moves = book.moves(&after(moves)).expect("answers always");
        moves.iter().map(|entry| (entry.mv.to_string(), entry.weight)).collect()
    };
    assert_eq!(told("").iter().map(|(_, weight)| *weight).collect::<Vec<_>>(), [1473, 1473, 546]);
    assert_eq!(told("b2e2"), [("b9c7".to_string(), 7)]);
    assert_eq!(told("h2e2"), [("h9g7".to_string(), 7)], "in the mirror");
    assert!(told("g3g4").is_empty());
}

#[test]
fn eleeye_book_drops_illegal_moves_of_colliding_keys() {
    let book = EleEyeBook::read(&bytes(vec![record("", "h2e2", 5), record("", "e9e8", 9)])).expect("a book");
    let start = after("");
    assert_eq!(book.raw_moves(&start).expect("answers always").len(), 2);
    assert_eq!(book.moves(&start).expect("answers always").len(), 1);
}

#[test]
fn eleeye_reader_refuses_other_files_with_a_reason() {
    let whole = bytes(vec![record("", "h2e2", 5), record("h2e2", "h9g7", 5), record("g3g4", "g6g5", 5)]);
    assert_eq!(EleEyeBook::read(&[]), Err(EleEyeError::Empty));
    for length in 1..whole.len() {
        match EleEyeBook::read(&whole[..length]) {
            Ok(book) => assert_eq!(book.records().len() * 8, length, "whole records are a book"),
            Err(error) => assert_eq!(error, EleEyeError::Length(length)),
        }
    }
    let mut unsorted = whole.clone();
    unsorted.rotate_left(8);
    assert!(matches!(EleEyeBook::read(&unsorted), Err(EleEyeError::Order(_))));
    assert_eq!(EleEyeBook::read(&[0; 64]), Err(EleEyeError::NoMove(1)));
    assert!(matches!(EleEyeBook::read(&[0xFF; 64]), Err(EleEyeError::NoMove(1))));
}

#[test]
fn eleeye_conversion_round_trips() {
    let folder = Folder::new();
    let mut pages = random_book(9, false);
    // The format has no scores.
    pages.positions.values_mut().flat_map(|moves| moves.values_mut()).for_each(|entry| entry.score = None);
    folder.write("a.chb", chuhe_study::book::write(&pages, ""));
    report(&folder, &["convert", "a.chb", "b.dat"]);
    report(&folder, &["convert", "b.dat", "c.chb"]);
    report(&folder, &["convert", "c.chb", "d.dat"]);
    let bytes = |name: &str| std::fs::read(folder.path(name)).expect("a file");
    assert_eq!(bytes("b.dat"), bytes("d.dat"));
    let book = chuhe_study::book::open_book(&folder.path("b.dat")).expect("a book");
    assert_eq!(collect_reachable(&*book).expect("answers").pages, pages);
}

#[test]
fn embedded_book_is_small_and_legal() {
    let book = ChuheBook::embedded();
    assert!(book.size() <= 1 << 20, "{} bytes", book.size());
    assert!(book.positions() >= 5000, "{} positions", book.positions());
    assert!(book.note().contains("book make"), "{}", book.note());
}

/// Whether a line of the book leads from here to this ply of the game.
fn reaches(book: &ChuheBook, position: &mut Position, plies: usize) -> bool {
    position.history_len() >= plies
        || book.moves(position).expect("answers always").iter().any(|entry| {
            position.play_unchecked(entry.mv);
            let found = reaches(book, position, plies);
            position.undo();
            found
        })
}

#[test]
fn embedded_book_has_every_main_system_for_eight_plies() {
    let book = ChuheBook::embedded();
    for name in [
        "中炮对屏风马",
        "顺炮",
        "列炮",
        "中炮对反宫马",
        "中炮对左单提马",
        "中炮对左三步虎",
        "仙人指路",
        "对兵局",
        "仙人指路对卒底炮",
        "飞相局",
        "过宫炮",
        "起马局",
        "士角炮",
    ] {
        let system = opening_names::named_openings().iter().find(|system| system.name.chinese == name);
        let mut position = Position::start();
        for &mv in &system.unwrap_or_else(|| panic!("{name}")).moves {
            let known = book.moves(&position).expect("answers always");
            assert!(known.iter().any(|entry| entry.mv == mv), "{name}: {mv} is not in it");
            position.play_unchecked(mv);
        }
        assert!(reaches(&book, &mut position, 8), "{name}");
    }
}

#[test]
fn embedded_book_has_several_first_moves_and_replies() {
    let book = ChuheBook::embedded();
    for moves in ["", "h2e2"] {
        let played = book.moves(&after(moves)).expect("answers always");
        let played = played.iter().filter(|entry| entry.weight > 0).count();
        assert!(played >= 3, "{played} after '{moves}'");
    }
}
