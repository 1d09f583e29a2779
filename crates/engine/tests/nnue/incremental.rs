//! Incremental accumulators equal refreshed ones.

use super::support::{ARCHITECTURES, random_network};
use crate::search::support::{position, random_positions};
use chuhe_engine::nnue::{CorrectionKeys, EvalMode, Evaluator, evaluate};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use std::sync::Arc;
use xiangqi::Position;

fn every_knowledge() -> Vec<EvalMode> {
    let networks =
        ARCHITECTURES.into_iter().enumerate().map(|(seed, architecture)| random_network(architecture, seed as u64));
    let mut all: Vec<EvalMode> = networks.map(|network| EvalMode::Network(Arc::new(network))).collect();
    all.extend([EvalMode::Material, EvalMode::Squares]);
    all
}

/// Makes and unmakes random moves and null moves from a position, evaluating now and then.
fn wander(knowledge: &EvalMode, start: &Position, random: &mut StdRng, steps: usize) {
    let mut position = start.clone();
    let mut evaluator = Evaluator::new(knowledge, &position);
    let mut nulls: Vec<bool> = Vec::new();
    for _ in 0..steps {
        let moves = position.legal_moves();
        let back = moves.is_empty() || random.random_bool(0.3);
        if back {
            match nulls.pop() {
                None => continue,
                Some(true) => position.unmake_null(),
                Some(false) => {
                    position.unmake();
                    evaluator.pop();
                }
            }
        } else if !position.in_check() && random.random_bool(0.1) {
            position.make_null();
            nulls.push(true);
        } else {
            position.make_unchecked_observed(moves[random.random_range(0..moves.len())].mv, &mut evaluator);
            nulls.push(false);
        }
        if random.random_bool(0.4) {
            let fresh = evaluate(knowledge, &position);
            assert_eq!(evaluator.evaluate(&position), fresh, "{knowledge:?} {}", position.fen());
            assert_eq!(*evaluator.correction_keys(), CorrectionKeys::of(&position).0, "{}", position.fen());
        }
    }
}

#[test]
fn evaluator_equals_fresh_evaluation() {
    let mut random = StdRng::seed_from_u64(5);
    let starts = random_positions(6, 40);
    for knowledge in every_knowledge() {
        for start in &starts {
            wander(&knowledge, start, &mut random, 150);
        }
    }
}

#[test]
fn evaluator_refreshes_when_the_king_bucket_changes() {
    let mut random = StdRng::seed_from_u64(7);
    let start = position("3k5/9/9/9/9/2p6/6P2/9/9/4K4 w");
    for knowledge in every_knowledge() {
        for _ in 0..20 {
            wander(&knowledge, &start, &mut random, 200);
        }
    }
}

#[test]
fn evaluator_ignores_promoted_pawns_at_home() {
    let mut random = StdRng::seed_from_u64(8);
    let start = Position::from_fen_variant("2bak4/4a4/9/9/9/9/9/9/4A4/2BAK4 w", true).expect("a position");
    for knowledge in every_knowledge() {
        for _ in 0..20 {
            wander(&knowledge, &start, &mut random, 100);
        }
    }
}

#[test]
fn evaluation_is_equal_for_flipped_colors() {
    for knowledge in every_knowledge() {
        for position in random_positions(31, 200) {
            let flipped = position.color_flipped();
            assert_eq!(evaluate(&knowledge, &flipped), evaluate(&knowledge, &position), "{}", position.fen());
        }
    }
}
