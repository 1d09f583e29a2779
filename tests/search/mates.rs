//! Mates: found within a budget of nodes, and exact.

use crate::support::{position, search, searcher};
use chuhe::board::Position;
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
