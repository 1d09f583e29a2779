//! `chuhe play` without a terminal: a script, which is asked nothing.

use super::terminal::play;
use crate::common::{Folder, answered, stderr, stdout};

fn told(home: &Folder, arguments: &[&str], input: &str) -> (String, String, Option<i32>) {
    let output = answered(&mut play(home, arguments), input.as_bytes());
    (stdout(&output), stderr(&output), output.status.code())
}

#[test]
fn script_plays_without_saving() {
    let home = Folder::new();
    let (shown, errors, code) = told(&home, &["--level", "1"], "炮二平五\nnonsense\nresign\n");
    assert_eq!((errors.as_str(), code), ("", Some(0)));
    for wanted in ["You: 炮二平五", "Chuhe: ", "'nonsense' is not understood", "Red resigns", "Black wins, 0-1."] {
        assert!(shown.contains(wanted), "no '{wanted}' in\n{shown}");
    }
    assert!(!shown.contains('\x1b'), "colours are for terminals");
    assert!(home.names().is_empty());
}

#[test]
fn script_plays_in_the_chosen_notation() {
    let home = Folder::new();
    let both = ["--side", "both", "--notation", "vietnamese"];
    let (shown, errors, code) = told(&home, &both, "C7.1\nM8.7\nP2+5\nP2-5\ngame\nsave a.pgn\n");
    assert_eq!((errors.as_str(), code), ("", Some(0)));
    for wanted in
        ["red: B7.1 (c3c4)", "black: M8.7 (h9g7)", "'P2+5' is not possible", "red: P2-5 (h2e2)", "1. B7.1     c3c4"]
    {
        assert!(shown.contains(wanted), "no '{wanted}' in\n{shown}");
    }
    assert!(home.text("a.pgn").contains("[Format \"Vietnamese\"]\n\n1. B7.1 M8.7 2. P2-5 *"));
    // Without a choice the moves are in three notations, and C is a cannon.
    let (shown, ..) = told(&home, &["--side", "both"], "C7.1\nP2-5\n");
    assert!(shown.contains("there is no C7") && shown.contains("炮二平五 (C2.5, h2e2)"), "{shown}");
}

#[test]
fn script_saves_and_resumes_games() {
    let home = Folder::new();
    let both = ["--side", "both", "--game", "a.pgn"];
    let (shown, _, _) = told(&home, &both, "h2e2\nsave\n");
    assert!(shown.contains("a.pgn is not there yet") && shown.contains("Saved: a.pgn"), "{shown}");
    let (shown, _, code) = told(&home, &["--game", "a.pgn"], "h9g7\nsave\n");
    assert!(shown.contains("You play both sides") && code == Some(0), "{shown}");
    assert!(home.text("a.pgn").contains("1. H2-E2 H9-G7 *"));
}

#[test]
fn save_does_not_replace_several_games_by_one() {
    let home = Folder::new();
    told(&home, &["--side", "both", "--game", "one.pgn"], "h2e2\nsave\n");
    let both = home.text("one.pgn").repeat(2);
    home.write("two.pgn", &both);
    let (shown, _, _) = told(&home, &["--game", "two.pgn"], "h9g7\nsave\nsave two.pgn\nsave one.pgn\n");
    assert!(shown.contains("Game 1 of 2; ") && shown.contains("Under which name?"), "{shown}");
    assert!(shown.contains("Not saved: two.pgn exists") && shown.contains("Saved: one.pgn"), "{shown}");
    assert_eq!(home.text("two.pgn"), both);
}

#[test]
fn unplayable_input_is_named() {
    let home = Folder::new();
    home.write("bad.pgn", "1. H2-E2 H2-E2 *\n");
    home.write("none.pgn", "");
    for (arguments, wanted) in [
        (
            ["--game", "bad.pgn"],
            "chuhe: bad.pgn: game 1, line 1: move 1: 'H2-E2' is no legal move in this position: there is no piece on h2\n",
        ),
        (["--game", "none.pgn"], "chuhe: none.pgn: expected a game"),
        (["--fen", "nothing"], "chuhe: FEN"),
        (["--time", "-1"], "chuhe: "),
        (["--time=0", "--side=red"], "chuhe: invalid value '0' for '--time <SECONDS>': expected level 1 to 20"),
        (["bad.pgn", "--side=red"], "chuhe: bad.pgn: game 1, line 1: move 1: 'H2-E2' is no legal move"),
        (["nothing", "--side=red"], "chuhe: 'nothing' is neither a file nor a FEN\n"),
        (["typo.pgn", "--side=red"], "chuhe: typo.pgn: there is no such file (`--game typo.pgn` begins a new game"),
        (["-", "--side=red"], "chuhe: -: standard input is where moves are typed"),
        (["--level", "21"], "chuhe: "),
        (["--clock", "x"], "chuhe: "),
    ] {
        let (shown, errors, code) = told(&home, &arguments, "");
        assert_eq!(code, Some(2), "{arguments:?}");
        assert!(errors.starts_with(wanted) && shown.is_empty(), "{arguments:?}: {errors}");
    }
}

#[test]
fn player_names_of_a_loaded_game_are_kept() {
    let home = Folder::new();
    let own = "[Event \"E\"]\n[White \"许银川\"]\n[Black \"吕钦\"]\n\n1. H2-E2 *\n";
    home.write("masters.pgn", own);
    let (shown, _, _) = told(&home, &["--game", "masters.pgn", "--side", "both"], "h9g7\nsave on.pgn\n");
    assert!(shown.contains("Saved: on.pgn"), "{shown}");
    let read = home.text("on.pgn");
    assert!(read.contains("[White \"许银川\"]") && read.contains("[Black \"吕钦\"]"), "{read}");
    assert!(!read.contains("[Red ") && read.contains("1. H2-E2 H9-G7 *"), "{read}");
}

#[test]
fn save_derives_the_format_from_the_file_name() {
    let home = Folder::new();
    let input = "h2e2\nsave a.xqf\nh9g7\nsave\nsave b.UBB\nsave c.fen\nsave d.txt\nsave e.wxf\n";
    let (shown, _, code) = told(&home, &["--side", "both"], input);
    assert_eq!((shown.matches("Saved: ").count(), code), (5, Some(0)), "{shown}");
    assert!(shown.contains("Not saved: games are written as pgn, xqf, ubb or fen, not as 'wxf'"), "{shown}");
    let read = |name: &str| {
        let source = xiangqi_record::RecordFile::read(std::fs::read(home.path(name)).expect("a file"));
        let reading = source.games().next().expect("a game").expect("a start");
        (source.format().to_string(), reading.game.main_line_nodes().count())
    };
    assert_eq!(read("a.xqf"), ("XQF".to_string(), 2), "it is the one that was saved before");
    assert_eq!((read("b.UBB").0.as_str(), read("c.fen").0.as_str(), read("d.txt").0.as_str()), ("UBB", "FEN", "PGN"));
    assert!(shown.contains("no place for"), "{shown}");
    let (shown, ..) = told(&home, &["a.xqf", "--side", "both"], "h0g2\nsave\n");
    assert!(shown.contains("Saved: a.xqf"), "{shown}");
    // The next game knows the file as one that was saved here; a list of FENs does not say that.
    home.write("foreign.xqf", &std::fs::read(home.path("a.xqf")).expect("a file")[..480]);
    let again = "h2e2\nsave a.xqf\nsave b.UBB\nsave d.txt\nsave foreign.xqf\nsave c.fen\n";
    let (shown, _, _) = told(&home, &["--side", "both"], again);
    for wanted in ["Saved: a.xqf", "Saved: b.UBB", "Saved: d.txt", "Not saved: foreign.xqf", "Not saved: c.fen exists"]
    {
        assert!(shown.contains(wanted), "{wanted}: {shown}");
    }
}

#[test]
fn game_begins_with_the_named_position_or_file() {
    let home = Folder::new();
    home.write("mine.pgn", "1. h2e2 h9g7 *\n");
    let mate = "3k5/9/9/9/9/9/9/9/R8/1R2K4 w";
    for (arguments, wanted) in [
        (&["startpos", "moves", "b2e2"][..], "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/4C2C1/9/RNBAKABNR b"),
        (&["b2e2"], "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/4C2C1/9/RNBAKABNR b"),
        (&[mate], mate),
        (&["mine.pgn"], "rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR w"),
    ] {
        let arguments = [arguments, &["--side", "both"]].concat();
        let (shown, errors, code) = told(&home, &arguments, "game\n");
        assert_eq!((code, errors.as_str()), (Some(0), ""), "{arguments:?}");
        assert!(shown.contains(wanted), "{arguments:?}: {shown}");
    }
}

#[test]
fn illegal_move_is_explained_and_nonsense_is_not_understood() {
    let home = Folder::new();
    let moves = "马二进四\nh0h4\ne4e5\n炮九平一\n你好\nhepl\n";
    let (shown, _, code) = told(&home, &["--side", "both"], moves);
    for wanted in [
        "'马二进四' is not possible: 相三 blocks the leg of the horse",
        "'h0h4' is not possible: the horse does not move like that",
        "'e4e5' is not possible: there is no piece on e4",
        "'炮九平一' is not possible: there is no 炮九",
        "'你好' is not understood",
        "'hepl' is not understood",
    ] {
        assert!(code == Some(0) && shown.contains(wanted), "no '{wanted}' in\n{shown}");
    }
}

#[test]
fn review_of_a_finished_game_is_offered_and_shown() {
    let home = Folder::new();
    let mate = ["--side", "both", "--fen", "3k5/9/9/9/9/9/9/9/R8/1R2K4 w"];
    let (shown, errors, code) = told(&home, &mate, "review\na1d1\nreview 0.01\nreview never\n");
    assert_eq!((errors.as_str(), code), ("", Some(0)));
    let (before, after) = shown.split_once("Red wins, 1-0. `review` shows where it turned").expect(&shown);
    assert!(before.contains("There is no move to review yet."), "{shown}");
    assert!(after.contains("车九平六") || after.contains("R9.6"), "{shown}");
    assert!(after.contains("make a page of it") && after.contains("not 'never'"), "{shown}");
}

#[test]
fn game_in_chinese_is_saved_with_chinese_moves() {
    let home = Folder::new();
    let chinese = ["--side", "both", "--lang", "zh"];
    let (shown, _, code) = told(&home, &chinese, "炮二平五\n马８进７\n保存 x.pgn\n马二进四\n");
    assert!(code == Some(0) && shown.contains("“马二进四”走不了：相三蹩马腿"), "{shown}");
    let saved = home.text("x.pgn");
    assert!(saved.contains("炮二平五 马８进７"), "{saved}");
    // It is read again, and known as one that was saved here.
    let (shown, errors, _) = told(&home, &["x.pgn", "--lang", "en"], "h0g2\nsave\n");
    assert!(shown.contains("Saved: x.pgn") && errors.is_empty(), "{shown} {errors}");
    assert!(home.text("x.pgn").contains("H2-E2 H9-G7 2. H0-G2"));
}

#[test]
fn game_is_saved_in_gbk_for_xqwizard() {
    let home = Folder::new();
    let arguments = ["--side", "both", "--lang", "zh", "--encoding", "gbk"];
    let (shown, errors, _) = told(&home, &arguments, "炮二平五\n保存 x.pgn\n马８进７\n保存\n");
    assert!(shown.matches("x.pgn").count() == 2 && errors.is_empty(), "{shown} {errors}");
    let bytes = std::fs::read(home.path("x.pgn")).expect("a file");
    assert!(bytes.starts_with(b"[Game \"Chinese Chess\"]\r\n"), "{}", bytes.escape_ascii());
    let lines = bytes.iter().filter(|&&byte| byte == b'\n').count();
    assert_eq!(bytes.windows(2).filter(|pair| pair == b"\r\n").count(), lines, "every line ends so");
    // 炮二平五 马８进７ in GBK.
    let moves = b"\xc5\xda\xb6\xfe\xc6\xbd\xce\xe5 \xc2\xed\xa3\xb8\xbd\xf8\xa3\xb7";
    assert!(bytes.windows(moves.len()).any(|part| part == moves), "{}", bytes.escape_ascii());
    // It is read again, and known as one that was saved here: now in UTF-8, as nothing else is said.
    let (shown, errors, _) = told(&home, &["x.pgn", "--lang", "zh"], "马二进三\n保存\n");
    assert!(shown.contains("x.pgn") && errors.is_empty(), "{shown} {errors}");
    assert!(home.text("x.pgn").contains("炮二平五 马８进７ 2. 马二进三"), "{}", home.text("x.pgn"));
}
