//! With all heuristics disabled the search must return the minimax score.
//!
//! Needs the feature `tune` to disable them, and a process of its own because the constants are global:
//! `cargo test --release --features tune --test minimax`.
#![cfg(feature = "tune")]

#[path = "../search/support.rs"]
mod support;

use crate::support::{search, searcher};
use chuhe_engine::nnue::{EvalMode, evaluate, large_network};
use chuhe_engine::score::{DRAW, INFINITE, Score, mated_in, rule_loss_in};
use chuhe_engine::search::{Level, Limits, params};
use chuhe_testing::{position, random_positions};
use xiangqi::{Ending, MoveList, Position, Rules};

fn ending(position: &mut Position, ply: usize) -> Option<Score> {
    let ending = Rules::default().ending_in_search(position, ply)?;
    Some(match ending {
        Ending::Draw => DRAW,
        Ending::Loss(color) if color == position.side() => rule_loss_in(ply),
        Ending::Loss(_) => -rule_loss_in(ply),
    })
}

fn minimax(position: &mut Position, depth: u32, ply: usize) -> Score {
    if depth == 0 {
        return quiescence(position, ply);
    }
    if ply > 0
        && let Some(score) = ending(position, ply)
    {
        return score;
    }
    let moves = position.legal_moves();
    let mut best = mated_in(ply);
    for mv in moves {
        position.play_unchecked(mv);
        best = best.max(-minimax(position, depth - 1, ply + 1));
        position.undo();
    }
    best
}

/// Quiescence search without pruning: captures, and all evasions in check.
fn quiescence(position: &mut Position, ply: usize) -> Score {
    if let Some(score) = ending(position, ply) {
        return score;
    }
    let mut moves = MoveList::new();
    let mut best;
    if position.in_check() {
        best = mated_in(ply);
        position.generate_legal(&mut moves);
    } else {
        best = evaluate(&EvalMode::Network(large_network()), position);
        position.generate_captures(&mut moves);
        moves.retain(|mv| position.is_legal(mv));
    }
    for mv in moves {
        position.play_unchecked(mv);
        best = best.max(-quiescence(position, ply + 1));
        position.undo();
    }
    best
}

/// Disables what `Level::None` of the option `pruning` leaves: reductions, extensions, correction history, table
/// cutoffs, the limit on losing captures and quiet checks.
const SWITCHES: [(&str, i32); 8] = [
    ("tt_natural_limit_distance", 250),
    ("correction_weight", 0),
    ("iir_depth", 99),
    ("max_extension_ratio", 0),
    ("lmr_depth", 99),
    ("alpha_raise_max_depth", 0),
    ("good_capture_margin", 9000),
    ("qs_check_plies", 0),
];

#[test]
fn search_without_heuristics_is_minimax() {
    for (name, value) in SWITCHES {
        assert!(params::set(name, value), "{name}");
    }
    let mut searcher = searcher();
    searcher.options.pruning = Level::None;
    let sparse = |position: &Position| {
        let pieces = xiangqi::Square::all().filter(|&square| position.piece_at(square).is_some());
        pieces.count() <= 14
    };
    let mut positions: Vec<_> = random_positions(99, 600).into_iter().filter(sparse).take(40).collect();
    positions.push(position("3ak1b2/4a4/4b4/r3C2R1/p8/9/P8/4p4/4p4/5K3 w"));
    positions.push(position("3k5/4P4/9/9/9/9/9/9/4p4/4K4 w"));
    assert!(positions.len() > 20);
    for mut position in positions {
        for depth in 1..=3 {
            searcher.new_game();
            let expected = minimax(&mut position, depth, 0);
            let found = search(&mut searcher, &position, &Limits::depth(depth)).score;
            assert!(expected.abs() < INFINITE);
            assert_eq!(found, expected, "depth {depth}: {}", position.fen());
        }
    }
}
