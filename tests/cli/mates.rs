//! `chuhe mates` on the command line.

use crate::common::{Folder, refusal, stderr, stdout, success};
use chuhe_engine::score::{MATE, mate_in};
use chuhe_engine::search::{Control, Limits, NoReporter, Options, Searcher};
use chuhe_lab::training::archive::GameArchiveWriter;
use chuhe_lab::training::game_format::{EndReason, LabelledMove, SelfplayGame};
use std::path::Path;
use xiangqi::Position;

/// Mate in two moves.
const TWO: &str = "5c1N1/3ka4/9/9/9/9/p8/9/4r4/5K3 b - - 0 1";

/// A file of games that all end in the same mate, which its player found.
fn games(file: &Path) {
    let position = Position::from_fen(TWO).expect("a position");
    let mut searcher = Searcher::new(Options::default(), 1).expect("a megabyte");
    let limits = Limits { mate: Some(2), ..Limits::default() };
    let outcome = searcher.search(&position, &limits, &Control::new(false), &mut NoReporter);
    assert_eq!(outcome.score, mate_in(3));
    let scores = [mate_in(3), 2 - MATE, mate_in(1)];
    let plies: Vec<LabelledMove> =
        outcome.pv.iter().zip(scores).map(|(&mv, score)| LabelledMove { mv, score, effort: None }).collect();
    let mut writer = GameArchiveWriter::create(file, &Vec::new().into_iter().collect()).expect("a file");
    for number in 0..40 {
        let (start, plies) = (position.clone(), plies.clone());
        writer.add(&SelfplayGame { number, start, plies, red_half_points: 0, end: EndReason::Mate }).expect("a game");
    }
    writer.flush().expect("written");
}

#[test]
fn mate_problems_are_mined_from_records() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("games")).expect("a folder");
    games(&folder.path("games/own.games"));
    let position = Position::from_fen(TWO).expect("a position");
    let mut searcher = Searcher::new(Options::default(), 1).expect("a megabyte");
    let limits = Limits { mate: Some(2), ..Limits::default() };
    let line = searcher.search(&position, &limits, &Control::new(false), &mut NoReporter).pv;
    let moves: Vec<String> = line.iter().map(ToString::to_string).collect();
    let game = format!("[FEN \"{TWO}\"]\n\n{} *\n\n", moves.join(" "));
    folder.write("games/mated.pgn", game.repeat(20));
    // Resigned where the mate was to be seen.
    folder.write("games/resigned.pgn", format!("[FEN \"{TWO}\"]\n[Result \"0-1\"]\n\n0-1\n").repeat(20));
    let words = ["mates", "mine", "games", "--hash", "1", "--strict", "0", "--longest", "3"];
    for file in ["games", "games/mated.pgn", "games/resigned.pgn"] {
        let text = success(&folder.chuhe(&[&words[..2], &[file], &words[3..]].concat()));
        assert!(text.lines().any(|line| line.contains("5c1N1/3ka4")), "{file}: {text}");
    }
    folder.write("games/bad.pgn", "[FEN \"9/9 w\"]\n\n*\n");
    let output = folder.chuhe(&words);
    assert!(stderr(&output).contains("bad.pgn") && stdout(&output).contains("5c1N1/3ka4"), "{}", stderr(&output));
    folder.write("note.txt", "nothing to play");
    assert!(refusal(&folder.chuhe(&["mates", "mine", "note.txt"])).contains("note.txt: "));
}

#[test]
fn mate_problems_are_mined_from_games_and_solved() {
    let folder = Folder::new();
    games(&folder.path("mined.games"));
    let text = success(&folder.chuhe(&["mates", "mine", "mined.games", "--hash", "1", "--strict", "0"]));
    let mut lines: Vec<&str> = text.lines().collect();
    lines.sort();
    // Each position once, however many games reached it.
    assert_eq!(lines.len(), 2, "{text}");
    let fields: Vec<Vec<&str>> = lines.iter().map(|line| line.split(';').collect()).collect();
    assert_eq!((fields[0][0], fields[1][0], fields[1][1]), ("1", "2", TWO), "{text}");
    assert_eq!((fields[1].len(), fields[1][2]), (3, "e8f7"), "the only first move: {text}");

    // A folder of files is accepted, and damage is reported in a line that is not a problem.
    let bytes = std::fs::read(folder.path("mined.games")).expect("a file");
    std::fs::create_dir(folder.path("run")).expect("a folder");
    folder.write("run/torn.games", [&bytes[..], b"a torn game"].concat());
    let again = success(&folder.chuhe(&["mates", "mine", "run", "--hash", "1", "--strict", "0"]));
    assert_eq!(again, format!("# 11 bytes of the files hold no sound games\n{text}"));

    folder.write("mined.txt", format!("\u{feff}# mined\n\n{text}"));
    let table = success(&folder.chuhe(&["mates", "solve", "mined.txt", "--nodes", "50000", "--hash", "1"]));
    let input = std::fs::File::open(folder.path("mined.txt")).expect("a file");
    let mut piped = folder.command(&["mates", "solve", "-", "--nodes", "50000", "--hash", "1"]);
    assert_eq!(success(&piped.stdin(input).output().expect("chuhe runs")), table);
    let last: Vec<&str> = table.lines().last().expect("a table").split_whitespace().collect();
    assert_eq!(last[..4], ["all", "2", "2", "2"], "{table}");
}

#[test]
fn mate_problem_errors_are_named() {
    let folder = Folder::new();
    let complain = |text: &str| {
        folder.write("bad.txt", text);
        refusal(&folder.chuhe(&["mates", "solve", "bad.txt"]))
    };
    for text in ["soon;4k4/9/9/9/9/9/9/9/9/4K4 w", "0;4k4/9/9/9/9/9/9/9/9/4K4 w", "# a\n3", "<=;4k4 w"] {
        let line = text.lines().count();
        let told = complain(text);
        assert!(told.contains(&format!("line {line}: expected 'moves; position")), "{told}");
        assert_eq!(told.lines().count(), 1, "{told}");
    }
    assert!(complain("2;4k4/9 w").contains("line 1: "));
    refusal(&folder.chuhe(&["mates", "solve", "no-such-file.txt"]));
    refusal(&folder.chuhe(&["mates", "mine", "bad.txt"]));
}
