//! Whole games at a terminal.

use super::terminal::Person;
use crate::common::Folder;
use xiangqi_record::pgn;

#[test]
fn game_of_two_users_accepts_all_notations_and_resumes() {
    let home = Folder::new();
    let mut person = Person::new(&home, &["--side", "both"]);
    person.sees("You play both sides").at("red> ", "1. 炮二平五。").sees("red: 炮二平五 (C2.5, h2e2)");
    person.at("black> ", "H8+7").sees("black: 马８进７ (H8+7, h9g7)");
    person.at("red> ", "h0g2").sees("red: 马二进三");
    person.at("black> ", "I9-H9").sees("black: 车９平８ (R9.8, i9h9)");
    person.at("red> ", "马七").sees("red: 马八进七 (H8+7, b0c2)");
    person.at("black> ", "h2e2").sees("'h2e2' is not possible: there is no piece on h2");
    person.at("black> ", "炮九平一").sees("'炮九平一' is not possible: there is no 炮九");
    person.at("black> ", "C5").sees("'C5' may be C2.5 or C8+5");
    person.at("black> ", "象").sees("'象' may be 象３进１ or ");
    person.at("black> ", "undo").sees("Taken back: 1 move.");
    person.at("red> ", "hint").sees("Hint: ").sees("horse");
    person.at("red> ", "moves").sees("兵七进一 c3c4");
    person.at("red> ", "c4").sees("red: 兵七进一");
    person.at("black> ", "save game.pgn").sees("Saved: game.pgn");
    person.sees("black> ").types("\x03").sees("Quit? [y/N]").types("n\r");
    person.sees("black> ").types("\x03").sees("Quit? [y/N]").types("y\r").sees("continues it");
    assert!(person.ends().success());

    let saved = home.text("game.pgn");
    let record = pgn::read(&saved).remove(0).expect("a game");
    let moves: Vec<String> = record.moves().map(|mv| mv.to_string()).collect();
    assert_eq!(moves, ["h2e2", "h9g7", "h0g2", "i9h9", "c3c4"]);

    let mut person = Person::new(&home, &[]);
    person.sees("There is an unfinished game: 5 moves").types("\r");
    person.at("black> ", "game").sees("兵七进一 c3c4");
    person.at("black> ", "认输").sees("Black resigns").sees("Red wins, 1-0.");
    person.at("over> ", "e6e5").sees("The game is over");
    person.at("over> ", "undo").sees("The game goes on.");
    person.at("black> ", "resign").at("over> ", "quit").sees("The game is saved in ").sees("games.pgn");
    assert!(person.ends().success());
    assert!(home.text("chuhe/games.pgn").contains("[Termination \"black resigns\"]"));

    let mut person = Person::new(&home, &[]);
    person.sees("You play red").at("red> ", "quit");
    assert!(person.ends().success());
}

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
fn undo_takes_back_the_engine_move_too() {
    let home = Folder::new();
    let mut person = Person::new(&home, &["--level", "1"]);
    person.sees("You play red. Chuhe plays at level 1 of 20, a beginner; `level 3` is harder.").at("red> ", "炮二平五");
    person.sees("You: 炮二平五").sees("Chuhe: ").at("red> ", "undo").sees("Taken back: 2 moves.");
    person.at("red> ", "level 3").sees("Chuhe plays at level 3 of 20, a casual player; `level 1` is easier.");
    person.at("red> ", "level 99").sees("expected level 1 to 20");
    person.at("red> ", "draw").sees("Chuhe does not agree to a draw yet.");
    person.at("red> ", "new black").sees("You play black").sees("Chuhe: ");
    person
        .at("black> ", "flip")
        .at("black> ", "eval")
        .sees("1.0 is a horse")
        .sees("At a glance, for black: ")
        .at("black> ", "clock")
        .sees("No clock");
    person.at("black> ", "help").sees("悔棋").at("black> ", "q");
    assert!(person.ends().success());
    let kept = home.text("chuhe/unfinished.pgn");
    assert!(kept.contains("[Seat \"black\"]") && kept.contains("[Strength \"level 3\"]"), "{kept}");
}

#[test]
fn ctrl_c_stops_a_search_and_asks() {
    let home = Folder::new();
    // A position outside of the book, which would answer at once: a pawn is missing.
    let unknown = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P3P/1C5C1/9/RNBAKABNR w";
    let mut person = Person::new(&home, &["--side", "black", "--time", "3600", "--fen", unknown]);
    person.sees("thinks").signals("-INT").sees("Chuhe: ").sees("Quit? [y/N]").types("\r");
    person.at("black> ", "quit");
    assert!(person.ends().success());
}

#[test]
fn game_is_offered_again_after_a_kill() {
    let home = Folder::new();
    let mut person = Person::new(&home, &["--side", "both"]);
    person.at("red> ", "h2e2").sees("black> ").signals("-KILL");
    assert!(!person.ends().success());
    let mut person = Person::new(&home, &[]);
    person.sees("unfinished game: 1 move,").types("n\r").sees("The game is saved in ").at("red> ", "quit");
    assert!(person.ends().success());
    assert!(home.text("chuhe/games.pgn").contains("H2-E2"));
}

#[test]
fn rule_verdicts_are_explained() {
    let home = Folder::new();
    let chase = "4k4/9/9/c8/9/R8/9/9/9/3K5 b moves a6b6 a4b4 b6a6 b4a4 a6b6 a4b4 b6a6";
    let mut person = Person::new(&home, &["--side", "both", "--fen", chase]);
    person
        .at("red> ", "b4a4")
        .sees("长捉判负")
        .sees("the piece that is now 炮１ (C1, a6) was chased")
        .sees("Red loses.");
    person.sees("chases 炮２ (C2, b6)").sees("Black wins, 0-1.");
    person.at("over> ", "undo").at("red> ", "quit");
    assert!(person.ends().success());
    let mate = "3k5/9/9/9/9/9/9/9/R8/1R2K4 w";
    let mut person = Person::new(&home, &["--side", "both", "--fen", mate]);
    person.at("red> ", "a1d1").sees("Checkmate (将死)").sees("Red wins, 1-0.").at("over> ", "quit");
    assert!(person.ends().success());
}

#[test]
fn clock_that_runs_out_loses() {
    let home = Folder::new();
    let mut person = Person::new(&home, &["--side", "both", "--clock", "0.000001"]);
    person.at("red 0:00.0> ", "h2e2").sees("The time of red is over").sees("Black wins, 0-1.");
    person.at("over> ", "quit");
    assert!(person.ends().success());
}

#[test]
fn foreign_save_file_is_left_alone() {
    let home = Folder::new();
    home.write("mine.pgn", "[Event \"mine\"]\n\n1. H2-E2 H9-G7 *\n");
    let mut person = Person::new(&home, &["--side", "both", "--game", "mine.pgn"]);
    person.at("red> ", "h0g2").at("black> ", "save").sees("Not saved: mine.pgn exists");
    person.at("black> ", "save other.pgn").sees("Saved: other.pgn").at("black> ", "save").sees("Saved: other.pgn");
    person.at("black> ", "quit");
    assert!(person.ends().success());
    assert!(home.text("mine.pgn").ends_with("1. H2-E2 H9-G7 *\n"));
    let other = home.text("other.pgn");
    assert!(other.contains("[Event \"mine\"]") && other.contains("H0-G2"), "{other}");
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
