//! Games at a terminal that a transcript cannot tell; `transcripts::terminal` has the others.

use super::terminal::Person;
use crate::common::Folder;

#[test]
fn input_typed_ahead_is_read_line_by_line() {
    let home = Folder::new();
    let mut person = Person::new(&home, &["--side", "both"]);
    person.sees("red> ").types("炮二平五\rH8+7\rh0g2\r");
    person.sees("red: 炮二平五").sees("black: 马８进７").sees("red: 马二进三");
    person.at("black> ", "quit");
    assert!(person.ends().success());
}

#[test]
fn game_is_kept_when_the_other_one_has_ended() {
    let home = Folder::new();
    let mut first = Person::new(&home, &["--side", "both"]);
    first.at("red> ", "h2e2").sees("black> ");
    let mut second = Person::new(&home, &["--side", "both"]);
    second.sees("Another game is in progress").at("red> ", "b2e2").sees("black> ");
    let kept = home.text("chuhe/unfinished.pgn");
    assert!(kept.contains("H2-E2") && !kept.contains("B2-E2"), "{kept}");
    first.types("quit\r");
    assert!(first.ends().success());
    second.types("h9g7\r").sees("This one is now saved").at("red> ", "quit");
    assert!(second.ends().success());
    assert!(home.text("chuhe/unfinished.pgn").contains("B2-E2") && home.text("chuhe/games.pgn").contains("H2-E2"));
}

#[test]
fn pipe_in_the_place_of_the_unfinished_game_is_named() {
    let home = Folder::new();
    std::fs::create_dir_all(home.path("chuhe")).expect("a folder");
    let pipe = home.path("chuhe/unfinished.pgn");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().expect("mkfifo").success());
    let mut person = Person::new(&home, &["--side", "both"]);
    person.sees("unfinished game cannot be read").sees("is not a file").at("red> ", "h2e2").at("black> ", "quit");
    assert!(person.ends().success());
}
