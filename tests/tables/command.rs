//! `chuhe tables` on the command line.

use crate::common::{Folder, chuhe, stderr, stdout};
use std::fs;
use std::process::Output;

fn tables(words: &[&str]) -> Output {
    chuhe(&[&["tables"], words].concat())
}

#[test]
fn tables_are_built_listed_verified_and_probed() {
    let folder = Folder::new();
    let dir = folder.root().to_str().expect("a name");
    let text = stdout(&tables(&["build", "knka", "KPK", "--out", dir, "--threads", "2"]));
    assert!(text.contains("KNKA"), "{text}");
    assert!(text.contains("21366/60/0 longest win 37; second 0/816/21990 longest loss 38; exact"), "{text}");
    assert!(text.contains("3 tables made in "), "{text}");

    let text = stdout(&tables(&["build", "KNKA", "--out", dir]));
    assert!(text.starts_with("2 tables are there already\n0 tables made"), "{text}");

    let text = stdout(&tables(&["list", dir]));
    assert!(text.contains("21366/60/0 longest win 37; second 0/816/21990 longest loss 38; exact"), "{text}");
    assert!(text.lines().last().is_some_and(|line| line.starts_with("3 tables in ")), "{text}");

    let output = tables(&["verify", "--path", dir, "--threads", "2"]);
    assert!(output.status.success());
    assert!(stdout(&output).ends_with(" positions checked, 0 wrong\n"), "{}", stdout(&output));

    let text = stdout(&tables(&["longest", "KNKA", "--path", dir]));
    assert!(text.starts_with("first side to move wins in 37 plies  "), "{text}");

    let fen = "3a5/9/4k4/9/9/9/9/9/9/N2K5 w";
    let text = stdout(&tables(&["probe", fen, "--path", dir]));
    assert!(text.starts_with("KNKA: win in 37 plies for the side to move, red\n"), "{text}");
    let line = text.lines().last().and_then(|line| line.strip_prefix("line: ")).expect("a line");
    assert_eq!(line.split(' ').count(), 37, "{line}");
    // The line ends in mate, and half way the other side is probed.
    let text = stdout(&tables(&["probe", fen, "--moves", line, "--path", dir]));
    assert!(text.contains(": loss in 0 plies for the side to move, black\n"), "{text}");
    let first = line.split(' ').next().expect("a move");
    let text = stdout(&tables(&["probe", fen, "--moves", first, "--path", dir, "--json"]));
    assert!(text.contains("\"plies\":36,\"result\":\"loss\""), "{text}");

    // Tables know moves alone; the judge may forbid the repetition that holds a draw.
    let text = stdout(&tables(&["probe", "3k5/3P5/9/9/9/9/9/9/9/4K4 b", "--path", dir]));
    assert!(text.starts_with("KPK: draw for the side to move, black\nby the moves alone: the rules"), "{text}");
}

#[test]
fn probe_answers_without_files() {
    let fen = "4k4/4a4/4b4/9/9/9/9/9/4C4/3AK4 w";
    let text = stdout(&tables(&["probe", fen, "--json"]));
    assert!(text.contains("\"result\":\"win\""), "{text}");
    let text = stdout(&tables(&["probe", "4k4/4a4/4b4/9/9/9/9/9/4A4/3AK4 w"]));
    assert!(text.starts_with("KAAKAB: draw"), "{text}");
}

#[test]
fn practice_positions_match_the_request() {
    let practice = |words: &[&str]| tables(&[&["practice", "KNKA", "--seed", "7"], words].concat());
    let text = stdout(&practice(&["--count", "5"]));
    assert_eq!(text.lines().collect::<std::collections::BTreeSet<_>>().len(), 5, "{text}");
    assert_eq!(text, stdout(&practice(&["--count", "5"])), "the same seed, the same positions");
    for fen in text.lines() {
        let found = stdout(&tables(&["probe", fen, "--json"]));
        assert!(found.contains("\"result\":\"win\""), "{found}");
    }
    let fen = stdout(&practice(&["--count", "1", "--result", "loss", "--second"]));
    let found = stdout(&tables(&["probe", fen.trim(), "--json"]));
    assert!(fen.ends_with(" b\n") && found.contains("\"result\":\"loss\""), "{fen}{found}");

    let output = practice(&["--count", "1", "--result", "loss"]);
    assert!(!output.status.success(), "the horse never loses");
    assert!(stderr(&output).contains("0 such positions of KNKA were found"), "{}", stderr(&output));
    let output = tables(&["practice", "KNNKC"]);
    assert!(stderr(&output).contains("no table of KNNKC at hand"), "{}", stderr(&output));
}

#[test]
fn damaged_table_is_named_with_exit_code_one() {
    let folder = Folder::new();
    let dir = folder.root().to_str().expect("a name");
    assert!(tables(&["build", "KPK", "--out", dir]).status.success());
    let file = folder.path("KPK.ctb");
    let bytes = fs::read(&file).expect("a table");
    fs::write(&file, &bytes[..bytes.len() - 5]).expect("written");
    folder.write("KRK.ctb", "something else");
    let output = tables(&["list", dir]);
    assert_eq!(output.status.code(), Some(1));
    let text = stdout(&output);
    assert!(text.contains("KPK.ctb' is ") && text.contains("KRK.ctb' is no table of Chuhe"), "{text}");
    let output = tables(&["verify", "KPK", "--path", dir]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("KPK.ctb"), "{}", stderr(&output));
    // A table of this program may be rebuilt, another file stays.
    assert!(tables(&["build", "KPK", "--out", dir]).status.success());
    assert!(fs::read(&file).expect("a table") == bytes);
    let output = tables(&["build", "KRK", "--out", dir]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("KRK.ctb exists; use --force to overwrite it"), "{}", stderr(&output));
}

#[test]
fn tables_errors_are_one_line() {
    for (arguments, said) in [
        (["build"].as_slice(), "which tables?"),
        (&["build", "KNP"], "'KNP' is no material"),
        (&["build", "KAKA"], "KAKA: tables have"),
        (&["build", "KRRNNCCPPPPPKRR"], "needs"),
        (&["longest", "KNNKC", "--path", "."], "no table of KNNKC at hand"),
        (&["probe", "4k4/9/9/9/9/9/9/9/9/9 w"], "red has no king"),
        (&["probe", "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w"], "tables have 1 to 14 pieces"),
        (&["probe", "startpos"], "tables have 1 to 14 pieces"),
        (&["probe", "RRR1k4/9/9/9/9/9/9/9/9/5K3 b"], "more of some piece"),
        (&["list", "/nowhere/at/all"], "folder '/nowhere/at/all'"),
    ] {
        let output = tables(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let text = stderr(&output);
        assert!(text.starts_with("chuhe: ") && text.lines().count() == 1, "{text}");
        assert!(text.contains(said), "{text}");
    }
    let text = stdout(&tables(&["build", "--set", "study", "--estimate"]));
    assert!(text.contains("171 tables to make"), "{text}");
}
