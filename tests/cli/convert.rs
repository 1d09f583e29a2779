//! `chuhe convert`, and `chuhe judge` of files, on the command line.

use crate::common::{answered, command};
use std::path::{Path, PathBuf};
use std::process::Output;

/// A folder for each test.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("convert").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

fn chuhe(folder: &Path, arguments: &[&str], input: &[u8]) -> Output {
    answered(command(arguments).current_dir(folder), input)
}

fn said(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

const GAME: &str = "[Game \"Chinese Chess\"]\n[Event \"E\"]\n[Red \"甲\"]\n[Result \"1-0\"]\n[Format \"Chinese\"]\n\n\
                    1. 炮二平五 {当头炮} 马８进７ (1... 炮８平５ 2. 马二进三) 2. 马二进三 $1 1-0\n\n";

#[test]
fn convert_round_trips_through_every_format() {
    let folder = folder("round");
    std::fs::write(folder.join("game.pgn"), GAME).expect("a file");
    let steps = [
        ["convert", "game.pgn", "--to", "xqf", "--out", "game.xqf"],
        ["convert", "game.xqf", "--to", "UBB", "--out", "page.txt"],
        ["convert", "page.txt", "--to", "pgn", "--out", "back.pgn"],
    ];
    for step in steps {
        let output = chuhe(&folder, &step, b"");
        assert!(output.status.success() && output.stderr.is_empty(), "{step:?}: {}", said(&output.stderr));
    }
    let back = std::fs::read_to_string(folder.join("back.pgn")).expect("a file");
    assert_eq!(back, GAME);
    let output = chuhe(&folder, &["convert", "game.pgn", "--to", "fen"], b"");
    let fen = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1 moves h2e2 h9g7 h0g2\n";
    assert_eq!(said(&output.stdout), fen);
    assert!(said(&output.stderr).contains("tags, comments and variations are left out of 1 games"), "{output:?}");
    let vietnamese = chuhe(&folder, &["convert", "-", "--to", "pgn", "--notation", "vietnamese"], GAME.as_bytes());
    assert!(said(&vietnamese.stdout).contains("1. P2-5 {"), "{}", said(&vietnamese.stdout));
    assert_eq!(said(&chuhe(&folder, &["convert", "-", "--to", "pgn"], &vietnamese.stdout).stdout), GAME);
    let gbk = ["convert", "-", "--to", "pgn", "--notation", "wxf", "--encoding", "gbk"];
    let output = chuhe(&folder, &gbk, GAME.as_bytes());
    let text = said(&output.stdout);
    assert!(text.contains("1. C2.5 {") && !text.contains("甲"), "{text}");
    // XQWizard reads a record by CR LF lines, and wants to be told which game it is.
    assert_eq!(text.matches('\n').count(), text.matches("\r\n").count());
    let bare = chuhe(&folder, &gbk, b"1. H2-E2 H9-G7 *");
    assert!(said(&bare.stdout).starts_with("[Game \"Chinese Chess\"]\r\n[Result "), "{}", said(&bare.stdout));
    assert_eq!(said(&chuhe(&folder, &["convert", "-", "--to", "pgn"], &output.stdout).stdout), GAME);
}

#[test]
fn convert_writes_one_file_or_many() {
    let folder = folder("many");
    std::fs::write(folder.join("two.pgn"), GAME.repeat(2)).expect("a file");
    std::fs::write(folder.join("list.txt"), "h2e2 h9g7 h0g2").expect("a file");
    let output = chuhe(&folder, &["convert", "two.pgn", "list.txt", "--to", "pgn", "--out", "all.pgn"], b"");
    assert!(output.status.success(), "{}", said(&output.stderr));
    let all = std::fs::read_to_string(folder.join("all.pgn")).expect("a file");
    assert_eq!(all.matches("[Format ").count(), 3);
    let output = chuhe(&folder, &["convert", "all.pgn", "--to", "xqf", "--out", "one.xqf"], b"");
    assert_eq!(output.status.code(), Some(2));
    assert!(said(&output.stderr).starts_with("chuhe: there are 3 games and a file of XQF holds one: "));
    let output = chuhe(&folder, &["convert", "all.pgn", "list.txt", "--to", "xqf", "--out", "games/"], b"");
    assert!(output.status.success(), "{}", said(&output.stderr));
    let mut names: Vec<String> = std::fs::read_dir(folder.join("games"))
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    assert_eq!(names, ["all-001.xqf", "all-002.xqf", "all-003.xqf", "list.xqf"]);
    assert_eq!(
        said(&chuhe(&folder, &["judge", "all.pgn"], b"").stdout),
        "game 1 (甲 – ?, 1-0): no rule decides (recorded 1-0)\ngame 2 (甲 – ?, 1-0): no rule decides (recorded 1-0)\ngame 3: ongoing\ngames: 3; decided by the rules: 0; against the recorded result: 0\n"
    );
    assert_eq!(said(&chuhe(&folder, &["judge", "all.pgn", "--game", "3"], b"").stdout), "ongoing\n");
    let none = chuhe(&folder, &["judge", "all.pgn", "--game", "4"], b"");
    assert_eq!(said(&none.stderr), "chuhe: all.pgn: there is no game 4: it holds 3\n");
}

#[test]
fn judge_reads_files_of_games() {
    let folder = folder("judge");
    let chase = "4k4/9/9/c8/9/R8/9/9/9/3K5 b moves a6b6 a4b4 b6a6 b4a4 a6b6 a4b4 b6a6 b4a4 a6b6 a4b4 b6a6 b4a4\n";
    std::fs::write(folder.join("chase.fen"), chase).expect("a file");
    for to in ["pgn", "xqf", "ubb"] {
        let name = format!("chase.{to}");
        assert!(chuhe(&folder, &["convert", "chase.fen", "--to", to, "--out", &name], b"").status.success());
        let output = chuhe(&folder, &["judge", &name, "--explain"], b"");
        let text = said(&output.stdout);
        assert!(text.starts_with("red-loses perpetual chase of the cannon on a6\n  black  a6b6  -\n"), "{text}");
    }
}

#[test]
fn convert_reports_faults_keeps_sound_games_and_overwrites_nothing() {
    let folder = folder("wrong");
    std::fs::write(folder.join("half.pgn"), "[Red \"a\"]\n\n1. C2.5 H8+7\n2. C5+9 H7+6 1-0\n").expect("a file");
    std::fs::write(folder.join("rubbish.xqf"), b"XQ\x12 and no more").expect("a file");
    std::fs::write(folder.join("letter.txt"), "Dear reader").expect("a file");
    let output = chuhe(&folder, &["convert", "half.pgn", "--to", "fen"], b"");
    assert_eq!(output.status.code(), Some(1));
    let fault = "chuhe: half.pgn: game 1, line 4: move 2: 'C5+9' is no legal move in this position: the cannon does not move like that\n";
    assert!(said(&output.stderr).starts_with(fault));
    assert!(said(&output.stdout).ends_with(" moves h2e2 h9g7\n"));
    let output = chuhe(&folder, &["judge", "half.pgn"], b"");
    assert_eq!((output.status.code(), said(&output.stderr).as_str()), (Some(1), fault));
    for (file, message) in [
        ("rubbish.xqf", "chuhe: rubbish.xqf: game 1, byte 15: expected a header of 1024 bytes, found 15 bytes\n"),
        (
            "letter.txt",
            "chuhe: letter.txt: expected a game (PGN, XQF, UBB, FEN, WXF, CBR, CBL, CBF or moves as text), found none\n",
        ),
        ("absent.pgn", "chuhe: absent.pgn: "),
    ] {
        for command in [&["convert", file, "--to", "pgn", "--out", "out.pgn"][..], &["judge", file]] {
            let output = chuhe(&folder, command, b"");
            assert_eq!(output.status.code(), Some(2), "{command:?}");
            assert!(said(&output.stderr).starts_with(message), "{}", said(&output.stderr));
        }
    }
    assert!(!folder.join("out.pgn").exists());
    std::fs::write(folder.join("mine.pgn"), "mine").expect("a file");
    let over = ["convert", "half.pgn", "--to", "pgn", "--out", "mine.pgn"];
    let output = chuhe(&folder, &over, b"");
    assert_eq!(output.status.code(), Some(2));
    assert!(said(&output.stderr).ends_with("chuhe: mine.pgn exists; use --force to overwrite it, or another name\n"));
    assert_eq!(std::fs::read_to_string(folder.join("mine.pgn")).expect("a file"), "mine");
    assert_eq!(chuhe(&folder, &[&over[..], &["--force"]].concat(), b"").status.code(), Some(1));
    assert_ne!(std::fs::read_to_string(folder.join("mine.pgn")).expect("a file"), "mine");
}

#[test]
fn convert_derives_the_format_from_the_file_name() {
    let folder = folder("format");
    std::fs::write(folder.join("game.pgn"), GAME).expect("a file");
    assert!(chuhe(&folder, &["convert", "game.pgn", "--out", "game.XQF"], b"").status.success());
    assert!(std::fs::read(folder.join("game.XQF")).expect("a file").starts_with(b"XQ"));
    for (words, told) in [
        (vec!["convert", "game.pgn"], "in which format? --to says it"),
        (vec!["convert", "game.pgn", "--out", "game.txt"], "in which format? --to says it"),
        (vec!["convert", "game.pgn", "--out", "game.wxf"], "games are written as pgn, xqf, ubb or fen, not as 'wxf'"),
        (vec!["convert", "game.pgn", "--to", "cbr"], "invalid value 'cbr'"),
    ] {
        let output = chuhe(&folder, &words, b"");
        assert_eq!(output.status.code(), Some(2));
        assert!(said(&output.stderr).contains(told), "{}", said(&output.stderr));
    }
    let help = chuhe(&folder, &["convert", "--help"], b"");
    assert!(said(&help.stdout).contains("[possible values: pgn, xqf, ubb, fen]"), "{}", said(&help.stdout));
}

#[test]
fn convert_refuses_non_games_and_reports_omissions() {
    let folder = folder("none");
    let noise: Vec<u8> = (0..20_000u32).map(|index| (index.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    let picture = [b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", &noise[..]].concat();
    let no_game = ": expected a game (PGN, ";
    for (name, bytes, why) in [("noise.xqf", noise, no_game), ("picture.xqf", picture, ": the picture is damaged: ")] {
        std::fs::write(folder.join(name), bytes).expect("a file");
        for words in [&["convert", name, "--to", "pgn"][..], &["judge", name], &["show", name]] {
            let output = chuhe(&folder, words, b"");
            assert_eq!(output.status.code(), Some(2), "{words:?}");
            let told = said(&output.stderr);
            assert!(output.stdout.is_empty() && told.contains(why), "{words:?}: {told}");
        }
    }
    for (text, told) in [
        ("1. e4 e5 2. Nf3", "game 1, line 1: move 2: 'Nf3' is no legal move in this position"),
        ("h2e2 h9g7\nh0g", "game 1, line 2: expected a move, found 'h0g'"),
    ] {
        std::fs::write(folder.join("text.txt"), text).expect("a file");
        for words in [&["convert", "text.txt", "--to", "pgn"][..], &["show", "text.txt"]] {
            let output = chuhe(&folder, words, b"");
            assert_eq!((output.status.code(), said(&output.stderr)), (Some(1), format!("chuhe: text.txt: {told}\n")));
        }
    }
}

#[test]
fn convert_reports_truncated_tags() {
    let folder = folder("room");
    let long = "第四十二届全国象棋团体锦标赛女子组第七轮第三台次对局记录与现场评述";
    std::fs::write(folder.join("long.pgn"), GAME.replace("\"E\"", &format!("\"{long}\""))).expect("a file");
    let output = chuhe(&folder, &["convert", "long.pgn", "--out", "long.xqf"], b"");
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(said(&output.stderr), "chuhe: long.pgn: game 1: XQF cuts these tags short: Event\n");
    let text = said(&chuhe(&folder, &["convert", "long.xqf", "--to", "pgn"], b"").stdout);
    assert!(text.contains("[Event \"第四十二届") && !text.contains(long), "{text}");
    assert!(chuhe(&folder, &["convert", "long.pgn", "--out", "long2.pgn"], b"").stderr.is_empty());
}

#[test]
fn convert_counts_a_thousand_faults_and_prints_some() {
    let folder = folder("faults");
    std::fs::write(folder.join("torn.pgn"), "1. h2e2 ".to_string() + &"(1. a0a9) ".repeat(1000)).expect("a file");
    for words in
        [&["convert", "torn.pgn", "--to", "pgn"][..], &["judge", "torn.pgn"], &["judge", "torn.pgn", "--game", "1"]]
    {
        let output = chuhe(&folder, words, b"");
        assert_eq!(output.status.code(), Some(1), "{words:?}");
        let errors = said(&output.stderr);
        assert!(errors.ends_with("chuhe: torn.pgn: 900 more faults\n"), "{words:?}: {errors}");
        assert_eq!(errors.lines().count(), 101, "{words:?}");
    }
}

#[test]
fn convert_of_many_files_goes_on_after_those_that_cannot_be_written() {
    let folder = folder("clash");
    for name in ["a", "b", "out"] {
        std::fs::create_dir_all(folder.join(name)).expect("a folder");
    }
    for file in ["a/one.pgn", "b/one.pgn", "a/two.pgn", "a/three.pgn", "out/three.xqf"] {
        std::fs::write(folder.join(file), GAME).expect("a file");
    }
    std::fs::write(folder.join("a/none.bin"), [0; 50]).expect("a file");
    let words = [
        "convert",
        "a/one.pgn",
        "missing.pgn",
        "b/one.pgn",
        "a/none.bin",
        "a/three.pgn",
        "a/two.pgn",
        "--to",
        "xqf",
        "--out",
        "out/",
    ];
    let output = chuhe(&folder, &words, b"");
    assert_eq!(output.status.code(), Some(1));
    let errors = said(&output.stderr);
    for named in [
        "missing.pgn: ",
        "a/none.bin: ",
        "out/one.xqf has the games of a/one.pgn already: convert b/one.pgn",
        "out/three.xqf exists",
    ] {
        assert!(errors.contains(named), "{named}: {errors}");
    }
    assert!(folder.join("out/one.xqf").exists() && folder.join("out/two.xqf").exists());
    assert!(std::fs::read(folder.join("out/three.xqf")).expect("a file") == GAME.as_bytes(), "left alone");
}

#[test]
fn convert_names_the_tags_that_have_no_place() {
    let folder = folder("tags");
    let tags = "[Round \"3\"]\n[ECO \"C30\"]\n[WhiteElo \"2400\"]\n[Site \"?\"]\n";
    std::fs::write(folder.join("game.pgn"), tags.to_string() + GAME).expect("a file");
    for (format, dropped) in [
        ("xqf", "XQF has no place for these tags, which are left out: ECO (1), Round (1), WhiteElo (1)"),
        ("ubb", "UBB has no place for these tags, which are left out: ECO (1)"),
    ] {
        let output = chuhe(&folder, &["convert", "game.pgn", "--to", format, "--out", &format!("game.{format}")], b"");
        assert_eq!((output.status.code(), said(&output.stderr)), (Some(0), format!("chuhe: {dropped}\n")));
    }
    assert!(chuhe(&folder, &["convert", "game.pgn", "--to", "pgn"], b"").stderr.is_empty());
}
