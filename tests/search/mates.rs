//! Mates: found within a budget of nodes, and exact.

use crate::support::{position, search, searcher};
use chuhe::board::{Position, START_FEN};
use chuhe::search::Limits;
use chuhe::types::score;

/// Moves to mate and FEN, a line each.
const SUITE: &str = include_str!("../data/mates.txt");
const BUDGET: u64 = 8_000_000;

fn suite() -> impl Iterator<Item = (u32, &'static str)> {
    SUITE.lines().filter(|line| !line.starts_with('#')).map(|line| {
        let (moves, fen) = line.split_once(';').expect(line);
        (moves.parse().expect(line), fen)
    })
}

#[test]
fn every_mate_is_found_at_its_exact_distance() {
    assert!(suite().count() >= 40);
    for (moves, fen) in suite() {
        let mut searcher = searcher();
        let limits = Limits { mate: Some(moves), ..Limits::nodes(BUDGET) };
        let position = position(fen);
        let outcome = search(&mut searcher, &position, &limits);
        let plies = 2 * moves as i32 - 1;
        assert_eq!(score::mate_plies(outcome.score), Some(plies), "mate in {moves}: {fen}");

        // The variation ends in that mate, move by move.
        let mut line = position.clone();
        for &mv in &outcome.pv {
            line.play(mv).expect("the variation is legal");
        }
        assert_eq!(outcome.pv.len() as i32, plies, "{:?} in {fen}", outcome.pv);
        assert!(!line.has_legal_move(), "{fen}");
    }
}

/// The shortest forced mate by trying everything, up to `moves` moves.
fn brute_force(position: &mut Position, moves: u32) -> Option<u32> {
    (1..=moves).find(|&moves| forces_mate(position, moves))
}

fn forces_mate(position: &mut Position, moves: u32) -> bool {
    let attacks = position.legal_moves();
    attacks.moves().any(|attack| {
        position.make(attack);
        let defences = position.legal_moves();
        let forced = defences.is_empty()
            || moves > 1
                && defences.moves().all(|defence| {
                    position.make(defence);
                    let forced = forces_mate(position, moves - 1);
                    position.unmake();
                    forced
                });
        position.unmake();
        forced
    })
}

#[test]
fn short_mates_of_the_suite_are_the_shortest_there_are() {
    for (moves, fen) in suite().filter(|&(moves, _)| moves <= 2) {
        assert_eq!(brute_force(&mut position(fen), moves), Some(moves), "{fen}");
    }
}

#[test]
fn a_mate_that_is_not_there_is_not_sought_for_ever() {
    // No limit but the mate: without an end of its own the search would not come back.
    for (moves, fen) in [(1, START_FEN), (2, START_FEN), (3, "3ak4/9/9/9/9/9/9/9/9/3K5 w - - 0 1")] {
        let limits = Limits { mate: Some(moves), ..Limits::default() };
        let outcome = search(&mut searcher(), &position(fen), &limits);
        assert!(outcome.best.is_some() && !score::is_decided(outcome.score), "{fen}: {}", outcome.score);
    }
    let (moves, fen) = suite().find(|&(moves, _)| moves == 3).expect("a mate in three");
    let limits = Limits { mate: Some(moves - 1), ..Limits::default() };
    let outcome = search(&mut searcher(), &position(fen), &limits);
    assert!(score::mate_plies(outcome.score).is_none_or(|plies| plies > 4), "{}", outcome.score);
}

#[test]
fn short_mates_are_found_however_unlikely_their_moves() {
    // The main search needs a million nodes for some of these, because it prunes the quiet moves that they begin with.
    for (threads, nodes) in [(1, 60_000), (3, 600_000)] {
        for (moves, fen) in suite().filter(|&(moves, _)| moves <= 2) {
            let limits = Limits { mate: Some(moves), ..Limits::nodes(nodes) };
            let mut searcher = searcher();
            searcher.options.threads = threads;
            let outcome = search(&mut searcher, &position(fen), &limits);
            let plies = Some(2 * moves as i32 - 1);
            assert_eq!(score::mate_plies(outcome.score), plies, "{threads} threads: {fen}");
        }
    }
}
