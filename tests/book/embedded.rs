//! The embedded opening book.

use super::support::after;
use chuhe_study::book::{Book, ChuheBook, opening_names};
use xiangqi::Position;

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
