//! The commands and output of UCI, and the change from one dialect to the other.

use super::host::{Host, count, last, legal_answer, program, word_after};
use chuhe_engine::nnue::WIN_RATE;
use chuhe_engine::nnue::win_rate::material_count;
use xiangqi::Position;

const MATED: &str = "R2k5/1R7/9/9/9/9/9/9/9/4K4 b - - 0 1";

#[test]
fn greeting_declares_what_interfaces_need() {
    let mut host = Host::start();
    let lines = host.ask("uci", "uciok");
    let version = program().arg("--version").output().expect("the program runs").stdout;
    let version = String::from_utf8(version).expect("text").trim_end().replace("chuhe", "Chuhe");
    assert_eq!(lines[0], format!("id name {version}"), "two builds can be told apart");
    for option in [
        "option name Hash type spin default 16 min 0 max 33554432",
        "option name Threads type spin default 1 min 0 max 1024",
        "option name MultiPV type spin default 1 min 1 max 128",
        "option name Ponder type check default false",
        "option name Move Overhead type spin default 20 min 0 max 5000",
        "option name Clear Hash type button",
        "option name UCI_Variant type combo default xiangqi var xiangqi",
        "option name UCI_ShowWDL type check default false",
    ] {
        assert!(lines.iter().any(|line| line == option), "{option} in {lines:#?}");
    }
}

#[test]
fn host_that_tries_both_protocols_gets_both_greetings() {
    let mut host = Host::start();
    host.ask("uci", "uciok");
    let lines = host.ask("ucci", "ucciok");
    assert!(lines.iter().any(|line| line == "option usemillisec type check default true"));
    assert_eq!(last(&host.ask("stop", "nobestmove")), "nobestmove");
    let lines = host.ask("uci", "uciok");
    assert!(lines.iter().any(|line| line.starts_with("option name Hash ")));
}

#[test]
fn info_has_every_field_and_the_kind_of_score() {
    let mut host = Host::uci();
    let lines = host.ask("go depth 4", "bestmove");
    let info = lines.iter().find(|line| line.starts_with("info depth 1 ")).expect("a first iteration");
    for word in ["seldepth", "multipv", "score", "nodes", "nps", "hashfull", "time", "pv"] {
        assert!(word_after(info, word).is_some(), "{word} in {info}");
    }
    assert_eq!(word_after(info, "score"), Some("cp"));
    assert!(word_after(info, "wdl").is_none());
    let lines = host.ask("setoption name UCI_ShowWDL value true\ngo depth 4", "bestmove");
    let info = lines.iter().find(|line| line.contains(" wdl ")).expect("chances");
    let chances: Vec<u32> = info
        .split_whitespace()
        .skip_while(|word| *word != "wdl")
        .skip(1)
        .take(3)
        .map(|word| word.parse().expect("a number"))
        .collect();
    assert_eq!(chances.iter().sum::<u32>(), 1000, "{info}");
    host.say(&format!("position fen {MATED}\ngo depth 4"));
    let lines = host.listen_for(&["bestmove"]);
    assert!(lines.iter().any(|line| line.contains("score mate 0")), "{lines:#?}");
    assert_eq!(last(&lines), "bestmove (none)");
}

#[test]
fn option_names_of_several_words_are_understood() {
    let mut host = Host::uci();
    for fine in [
        "setoption name Clear Hash",
        "setoption name clear  hash",
        "setoption name Move Overhead value 100",
        "setoption name UCI_Variant value xiangqi",
        "setoption name Hash value 4",
        "setoption name LogFile value <empty>",
        "debug on",
        "debug off",
        "ucinewgame",
    ] {
        host.say(fine);
        assert_eq!(host.pause(), Vec::<String>::new(), "{fine}");
    }
    assert!(!std::path::Path::new("<empty>").exists(), "that is no file name");
    host.say("setoption name UCI_Variant value chess");
    assert_eq!(host.pause(), ["info string option UCI_Variant: 'chess' is none of xiangqi"]);
    host.say("setoption name Use NNUE value true");
    assert_eq!(host.pause(), ["info string there is no option 'Use NNUE'"]);
    host.say("setoption name Thread value 2");
    assert_eq!(host.pause(), ["info string there is no option 'Thread'; did you mean Threads?"]);
    host.say("setoption name Threads value many");
    assert!(host.pause()[0].starts_with("info string option Threads: 'many'"));
}

#[test]
fn options_are_accepted_in_the_other_dialects_words() {
    let mut host = Host::start();
    let lines = host.ask("setoption name MultiPV value 3\ngo depth 2", "bestmove");
    assert!(lines.iter().any(|line| word_after(line, "multipv") == Some("3")), "{lines:#?}");
    host.ask("uci", "uciok");
    let lines = host.ask("setoption multipv 2\ngo depth 2", "bestmove");
    assert!(lines.iter().any(|line| word_after(line, "multipv") == Some("2")), "{lines:#?}");
    assert!(!lines.iter().any(|line| word_after(line, "multipv") == Some("3")), "{lines:#?}");
}

#[test]
fn position_without_its_command_is_accepted() {
    let mut host = Host::uci();
    host.say("startpos moves h2e2 h9g7\nd");
    assert!(host.pause().iter().any(|line| line.contains("w - - 2 2")));
    host.say("fen 3k5/9/9/9/9/9/9/9/9/3AK4 b - - 0 1\nd");
    assert!(host.pause().iter().any(|line| line.contains("3k5/9/9/9/9/9/9/9/9/3AK4 b - - 0 1")));
}

#[test]
fn searchmoves_limits_the_root_moves() {
    let mut host = Host::uci();
    let answer = host.best("go searchmoves a3a4 i3i4 depth 4");
    assert!(["a3a4", "i3i4"].contains(&word_after(&answer, "bestmove").unwrap()), "{answer}");
    let answer = host.best("go searchmoves a3a9 depth 2");
    legal_answer(&answer, &Position::start());
}

#[test]
fn perft_counts_below_each_move() {
    let mut host = Host::uci();
    let lines = host.ask("go perft 3", "Nodes");
    assert_eq!(last(&lines), "Nodes searched: 79666");
    assert_eq!(lines.iter().filter(|line| line.contains(": ")).count(), 44 + 1);
    assert_eq!(last(&host.ask("perft 0", "Nodes")), "Nodes searched: 1");
    assert_eq!(count(&host.pause(), "bestmove"), 0);
}

#[test]
fn dialects_search_alike() {
    let moves = "h2e2 h9g7 h0g2 i9h9";
    let node_count = |lines: &[String]| -> String {
        let totals = lines.iter().rev().find(|line| word_after(line, "nodes").is_some()).expect("totals");
        word_after(totals, "nodes").expect("nodes").to_string()
    };
    let (mut ucci, mut uci) = (Host::ucci(), Host::uci());
    let go = format!("position startpos moves {moves}\ngo depth 6");
    let (ucci, uci) = (ucci.ask(&go, "bestmove"), uci.ask(&go, "bestmove"));
    assert_eq!(word_after(&last(&ucci), "bestmove"), word_after(&last(&uci), "bestmove"));
    assert_eq!(node_count(&ucci), node_count(&uci));
}

#[test]
fn scores_keep_the_resolution_of_the_search() {
    let mut host = Host::uci();
    let mut finer = 0;
    for moves in ["h2e2", "h2e2 h9g7", "c3c4 h7e7 b2c2 e7e3"] {
        let rate = WIN_RATE.at(material_count(&super::host::after(moves)));
        // The resolution if scores were first cut to hundredths of a minor piece.
        let coarse: Vec<i32> = (-150..=150).map(|score| rate.centipawns(4 * score)).collect();
        host.say(&format!("position startpos moves {moves}"));
        for line in host.ask("go depth 9", "bestmove") {
            let score = word_after(&line, "cp").map(|score| score.parse().expect("a number"));
            finer += usize::from(score.is_some_and(|score| !coarse.contains(&score)));
        }
    }
    assert!(finer > 5, "{finer} scores between the steps");
}

#[test]
fn hashfull_is_the_same_in_all_lines_of_an_iteration() {
    let mut host = Host::uci();
    host.say("setoption name Hash value 1\nsetoption name MultiPV value 3");
    let lines = host.ask("go depth 9", "bestmove");
    let of = |depth: u32| -> Vec<&str> {
        let start = format!("info depth {depth} ");
        lines.iter().filter(|line| line.starts_with(&start)).filter_map(|line| word_after(line, "hashfull")).collect()
    };
    assert_ne!(of(9)[0], "0");
    assert_eq!(of(9).len(), 3, "the last iteration is shown as a whole");
    for depth in 1..=9 {
        let told = of(depth);
        assert!(told.iter().all(|fill| *fill == told[0]), "{depth}: {told:?}");
    }
}
