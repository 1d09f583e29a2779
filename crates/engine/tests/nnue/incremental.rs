//! Incremental accumulators equal refreshed ones.

use super::support::{ARCHITECTURES, random_network};
use chuhe_engine::nnue::{EvalMode, Evaluator, evaluate};
use chuhe_testing::{position, random_positions};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use std::sync::Arc;
use xiangqi::Position;

fn every_mode() -> Vec<EvalMode> {
    let networks =
        ARCHITECTURES.into_iter().enumerate().map(|(seed, architecture)| random_network(architecture, seed as u64));
    let mut all: Vec<EvalMode> = networks.map(|network| EvalMode::Network(Arc::new(network))).collect();
    all.extend([EvalMode::Material, EvalMode::Squares]);
    all
}

/// Makes and unmakes random moves and null moves from a position, evaluating now and then.
fn wander(mode: &EvalMode, start: &Position, random: &mut StdRng, steps: usize) {
    let mut position = start.clone();
    let mut evaluator = Evaluator::new(mode, &position);
    let mut nulls: Vec<bool> = Vec::new();
    for _ in 0..steps {
        let moves = position.legal_moves();
        let back = moves.is_empty() || random.random_bool(0.3);
        if back {
            match nulls.pop() {
                None => continue,
                Some(true) => position.undo(),
                Some(false) => {
                    position.undo();
                    evaluator.pop();
                }
            }
        } else if !position.in_check() && random.random_bool(0.1) {
            position.play_null();
            nulls.push(true);
        } else {
            position.play_unchecked_observed(moves[random.random_range(0..moves.len())], &mut evaluator);
            nulls.push(false);
        }
        if random.random_bool(0.4) {
            let fresh = evaluate(mode, &position);
            assert_eq!(evaluator.evaluate(&position), fresh, "{mode:?} {}", position.fen());
        }
    }
}

#[test]
fn evaluator_equals_fresh_evaluation() {
    let mut random = StdRng::seed_from_u64(5);
    let starts = random_positions(6, 40);
    for mode in every_mode() {
        for start in &starts {
            wander(&mode, start, &mut random, 150);
        }
    }
}

#[test]
fn evaluator_follows_kings_across_buckets_and_promoted_pawns_at_home() {
    let mut random = StdRng::seed_from_u64(7);
    let kings = position("3k5/9/9/9/9/2p6/6P2/9/9/4K4 w");
    let variant = Position::from_fen_variant("2bak4/4a4/9/9/9/9/9/9/4A4/2BAK4 w", true).expect("a position");
    for mode in every_mode() {
        for _ in 0..20 {
            wander(&mode, &kings, &mut random, 200);
            wander(&mode, &variant, &mut random, 100);
        }
    }
}

#[test]
fn evaluation_is_equal_for_flipped_colors() {
    for mode in every_mode() {
        for position in random_positions(31, 200) {
            let flipped = position.color_flipped();
            assert_eq!(evaluate(&mode, &flipped), evaluate(&mode, &position), "{}", position.fen());
        }
    }
}
