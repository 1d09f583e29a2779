//! Several lines (MultiPV): however a search ends, the last lines before `bestmove` are in order of their scores, and the
//! first of them begins with the move that is played.

use super::host::{Host, word_after};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use std::collections::BTreeMap;

/// From the start to an ending that the built-in tables know.
const POSITIONS: [&str; 6] = [
    "startpos moves h2e2",
    "fen r1bakabr1/9/1cn4c1/p1p1p3p/5np2/2P6/P3P1P1P/1CN1C1N2/9/R1BAKAB1R w",
    "fen 2bak2r1/4aP2R/2R1b4/6p1p/1Np6/P1C6/9/9/3pr4/5K2c w",
    "fen 4k4/9/9/9/9/9/9/9/R8/1R3K3 w",
    "fen 3k5/9/9/9/9/9/9/9/4R4/4K4 w",
    "fen 3aka3/9/4b4/9/9/9/2n6/4B4/4A4/2B1KA3 w",
];

/// The number of a UCI or UCCI score, larger for the better: a mate is worth more the sooner it comes.
fn score_of(line: &str) -> i64 {
    let number = |word| word_after(line, word).and_then(|text| text.parse::<i64>().ok());
    match (number("cp"), number("mate")) {
        (Some(score), _) => score,
        (None, Some(moves)) if moves > 0 => 1_000_000 - moves,
        (None, Some(moves)) => -1_000_000 - moves,
        (None, None) => number("score").unwrap_or_else(|| panic!("no score: {line}")),
    }
}

/// Asserts that the last lines are in order and agree with the answer.
fn assert_ordered(heard: &[String], wanted: usize, what: &str) {
    let mut last = BTreeMap::new();
    for line in heard.iter().filter(|line| line.contains(" pv ")) {
        let index: usize = word_after(line, "multipv").and_then(|text| text.parse().ok()).expect("an index");
        last.insert(index, line.as_str());
    }
    let answer = heard.last().and_then(|line| word_after(line, "bestmove")).expect("an answer");
    let firsts: Vec<&str> = last.values().map(|line| word_after(line, "pv").expect("a variation")).collect();
    let scores: Vec<i64> = last.values().map(|line| score_of(line)).collect();
    assert!(!last.is_empty() && last.len() <= wanted && last.keys().copied().eq(1..=last.len()), "{what}: {heard:#?}");
    assert_eq!(firsts[0], answer, "{what}: {heard:#?}");
    assert!(scores.is_sorted_by(|one, next| one >= next), "{what}: {scores:?} {heard:#?}");
    let is_new = |index: usize| !firsts[..index].contains(&firsts[index]);
    assert!((0..firsts.len()).all(is_new), "{what}: a move has two lines: {firsts:?}");
}

/// Searches that end in all ways, in this protocol.
fn search_in_all_ways(mut host: Host, names: [&str; 2], seed: u64) {
    let mut rng = StdRng::seed_from_u64(seed);
    let set = |host: &mut Host, name: &str, value: usize| host.say(&format!("setoption {name}{value}"));
    set(&mut host, if names[0].contains("name") { "name Hash value " } else { "hashsize " }, 4);
    for round in 0..120 {
        let (lines, threads) = (rng.random_range(2..6), if round % 4 == 3 { 3 } else { 1 });
        set(&mut host, names[0], lines);
        set(&mut host, names[1], threads);
        let position = POSITIONS[rng.random_range(0..POSITIONS.len())];
        let go = match round % 8 {
            0..3 => format!("nodes {}", 1 << rng.random_range(0..14)),
            3 => format!("nodes {}", rng.random_range(500..9000)),
            4 => format!("movetime {}", rng.random_range(1..40)),
            5 => format!("depth {}", rng.random_range(1..7)),
            6 => format!("mate {} nodes 4000", rng.random_range(1..5)),
            _ => "infinite".to_string(),
        };
        host.say(&format!("position {position}\ngo {go}"));
        let mut heard = Vec::new();
        if go == "infinite" {
            // Every position has this many lines; further answers take the search on into some iteration.
            heard.extend((0..rng.random_range(0..=lines)).map(|_| host.hear().expect("a line")));
            (0..rng.random_range(0..30)).for_each(|_| heard.extend(host.pause()));
            host.say("stop");
        }
        heard.extend(host.listen_for(&["bestmove"]));
        assert_ordered(&heard, lines, &format!("{position}, {lines} lines, go {go}"));
    }
}

#[test]
fn lines_end_in_order_and_the_first_is_played_in_uci() {
    let mut host = Host::uci();
    host.say("setoption name OwnBook value false");
    search_in_all_ways(host, ["name MultiPV value ", "name Threads value "], 71);
}

#[test]
fn lines_end_in_order_and_the_first_is_played_in_ucci() {
    search_in_all_ways(Host::ucci(), ["multipv ", "threads "], 72);
}

/// Every number of nodes ends the search somewhere else.
#[test]
fn lines_end_in_order_after_any_number_of_nodes() {
    for (mut host, multi_pv) in [(Host::uci(), "name MultiPV value 3"), (Host::ucci(), "multipv 3")] {
        host.say(&format!("setoption {multi_pv}"));
        for nodes in (1..6000).step_by(197) {
            let new_game = format!("ucinewgame\nposition startpos moves h2e2\ngo nodes {nodes}");
            assert_ordered(&host.ask(&new_game, "bestmove"), 3, &format!("{nodes} nodes"));
        }
    }
}

#[test]
fn lines_end_in_order_when_the_pondered_move_is_played() {
    let mut host = Host::uci();
    host.say("setoption name MultiPV value 4\nposition startpos moves b0c2 b9c7\ngo ponder wtime 60 btime 60");
    let mut heard = vec![host.hear().expect("a line"), host.hear().expect("a line")];
    host.say("ponderhit");
    heard.extend(host.listen_for(&["bestmove"]));
    assert_ordered(&heard, 4, "ponderhit");
}
