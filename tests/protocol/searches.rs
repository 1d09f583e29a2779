//! Searches of which more is asked than a transcript says: their numbers, their order, and that each is answered.

use super::host::{Host, count, last, word_after};
use chuhe_engine::nnue::WIN_RATE;
use chuhe_engine::nnue::win_rate::material_count;

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

#[test]
fn iterations_are_printed_once_and_in_order() {
    // Two bare kings and an advisor: hundreds of iterations in no time.
    let mut host = Host::uci();
    let lines = host.ask("position fen 3ak4/9/9/9/9/9/9/9/9/3K5 w\ngo depth 200", "bestmove");
    // A slow machine also prints single moves, and bounds.
    let iterations = lines.iter().filter(|line| line.contains(" pv ") && !line.contains("bound "));
    let depths: Vec<u32> = iterations.filter_map(|line| word_after(line, "depth")?.parse().ok()).collect();
    // The newest at most, and always the last.
    assert!(depths.is_sorted_by(|one, other| one < other) && depths.starts_with(&[1, 2, 3]), "{depths:?}");
    assert_eq!(depths.last(), Some(&200));
}

/// Depths of the exact lines with this number of MultiPV.
fn depths_of_line(lines: &[String], multipv: &str) -> Vec<u32> {
    let exact = lines.iter().filter(|line| line.contains(" pv ") && !line.contains("bound "));
    let own = exact.filter(|line| word_after(line, "multipv") == Some(multipv));
    own.filter_map(|line| word_after(line, "depth")?.parse().ok()).collect()
}

#[test]
fn every_depth_of_every_line_is_sent() {
    let mut host = Host::uci();
    host.say("setoption name OwnBook value false");
    for (multipv, depth) in [(1, 12), (3, 9)] {
        let go = format!(
            "setoption name MultiPV value {multipv}\nucinewgame\nposition startpos moves h2e2 h9g7\ngo depth {depth}"
        );
        let lines = host.ask(&go, "bestmove");
        for line in 1..=multipv {
            assert_eq!(depths_of_line(&lines, &line.to_string()), (1..=depth).collect::<Vec<u32>>(), "{lines:#?}");
        }
    }
}

#[test]
fn mate_search_obeys_stop_and_limits() {
    let mut host = Host::uci();
    host.say("position startpos\ngo mate 40");
    assert_eq!(count(&host.pause(), "bestmove"), 0);
    assert_eq!(host.ask("isready", "readyok").last().map(String::as_str), Some("readyok"));
    let lines = host.ask("stop", "bestmove");
    assert!(lines.iter().any(|line| line.starts_with("info string no mate found; ")), "{lines:#?}");
    // A clock ends it, and so does a node limit.
    assert_eq!(count(&host.ask("go mate 40 movetime 50", "bestmove"), "bestmove"), 1);
    assert_eq!(count(&host.ask("go mate 40 nodes 30000", "bestmove"), "bestmove"), 1);
    assert_eq!(count(&host.ask("go mate 40 wtime 1000 btime 1000", "bestmove"), "bestmove"), 1);
}

#[test]
fn score_type_changes_the_unit_and_not_the_move() {
    let mut host = Host::uci();
    // Red has a horse less.
    let position = "fen rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKAB1R w";
    let mut search = |unit: &str| {
        let ask = format!("ucinewgame\nsetoption name ScoreType value {unit}\nposition {position}\ngo depth 6");
        let lines = host.ask(&ask, "bestmove");
        let score = lines.iter().rev().find_map(|line| word_after(line, "cp")).expect("a score").parse::<i32>();
        (score.expect("a number"), last(&lines))
    };
    let [centipawns, elo, raw] = ["PawnValueNormalized", "Elo", "Raw"].map(&mut search);
    assert!(
        raw.0 < centipawns.0 && raw.0 < elo.0 && centipawns.0 < -50 && elo.0 < -50,
        "{centipawns:?} {elo:?} {raw:?}"
    );
    assert!(centipawns.0 != elo.0 && [&centipawns.1, &elo.1].iter().all(|best| **best == raw.1));
}

#[test]
fn nodestime_counts_nodes_instead_of_milliseconds() {
    let mut host = Host::uci();
    let mut nodes = |go: &str| {
        let ask = format!("ucinewgame\nsetoption name nodestime value 10\nposition startpos\n{go}");
        let lines = host.ask(&ask, "bestmove");
        let totals = lines.iter().rev().find(|line| line.starts_with("info nodes ")).expect("the totals");
        (word_after(totals, "nodes").expect("a number").parse::<u64>().expect("a number"), last(&lines))
    };
    // An hour would be waited for in vain.
    let by_time = nodes("go movetime 3600");
    assert!((30_000..=40_000).contains(&by_time.0), "{by_time:?}");
    let by_clock = nodes("go wtime 60000 btime 60000");
    assert!((1_000..=400_000).contains(&by_clock.0), "{by_clock:?}");
    assert_eq!(nodes("go wtime 60000 btime 60000"), by_clock);
}

/// Won, lost, drawn by material or tables, mated soon, with one legal move; both sides.
const POSITIONS: [&str; 10] = [
    // Nothing to win with, and a pawn that a table knows.
    "4k4/4a4/9/4P4/9/9/9/9/4A4/4K4 w",
    "4k4/4a4/9/4P4/9/9/9/9/9/4K4 w",
    "4k4/9/9/9/9/9/9/9/9/3K5 w",
    // A mate that the search proves in no time, and the side that suffers it.
    "4k4/9/9/9/9/9/9/9/R8/1R3K3 w",
    "4k4/9/9/9/9/9/9/9/R8/1R3K3 b",
    "2bak2r1/4aP2R/2R1b4/6p1p/1Np6/P1C6/9/9/3pr4/5K2c w",
    // A long way to win, which a table knows.
    "3k5/9/9/9/9/9/9/9/4R4/4K4 w",
    "3k5/9/9/9/9/9/9/9/4R4/4K4 b",
    // One legal move.
    "3k5/9/9/9/9/9/9/9/3r5/3K5 w",
    // A draw that no table knows.
    "3aka3/9/4b4/9/9/9/2n6/4B4/4A4/2B1KA3 w",
];

const LIMITED: [&str; 9] = [
    "go depth 3",
    "go nodes 2000",
    "go movetime 60",
    "go wtime 300 btime 300 winc 10 binc 10",
    "go wtime 200 btime 200 movestogo 1",
    "go mate 3 nodes 3000",
    "go mate 60 movetime 60",
    "go mate 60 nodes 40000",
    "go mate 60 wtime 300 btime 300",
];

/// These end by `stop` alone, unless all is known before.
const UNLIMITED: [&str; 4] = ["go infinite", "go", "go mate 60", "go ponder wtime 300 btime 300"];

#[test]
fn every_go_is_answered_where_all_is_decided() {
    let mut host = Host::uci();
    host.say("setoption name OwnBook value false\nsetoption name Hash value 4");
    for fen in POSITIONS {
        for go in LIMITED {
            let answer = host.best(&format!("position fen {fen}\n{go}"));
            assert!(answer.starts_with("bestmove "), "{fen}: {go}: {answer}");
        }
        for go in UNLIMITED {
            host.say(&format!("position fen {fen}\n{go}"));
            let mut heard = host.pause();
            host.say("stop");
            heard.extend(host.pause());
            let answers = heard.iter().filter(|line| line.starts_with("bestmove ")).count();
            assert_eq!(answers, 1, "{fen}: {go}: {heard:#?}");
        }
    }
    host.say("quit");
    assert!(host.leave().1.success());
}
