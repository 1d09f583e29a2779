//! The quantized network, compared with a simple implementation in floating point.

use super::support::{ARCHITECTURES, random_network};
use chuhe_engine::nnue::architecture::{FEATURES, feature_index, piece_index};
use chuhe_engine::nnue::{Architecture, EvalMode, Network, evaluate, has_winning_material};
use chuhe_testing::random_positions;
use std::sync::Arc;
use xiangqi::{Position, Square};

fn plain_output(network: &Network, position: &Position) -> f64 {
    let Architecture { hidden, king_buckets, output_buckets } = network.architecture;
    let mut output = 0.0;
    let bucket = output_buckets.for_position(position);
    for (half, color) in [position.side(), !position.side()].into_iter().enumerate() {
        let king = king_buckets.king_bucket(position.king(color), color);
        for neuron in 0..hidden {
            let mut sum = f64::from(network.feature_bias[neuron]) / 255.0;
            for square in Square::all() {
                let Some(piece) = position.piece_at(square) else { continue };
                let feature = feature_index(color, king.mirrored, piece_index(piece), square.dense())
                    .expect("it can stand there");
                let row = usize::from(king.bucket) * FEATURES + feature;
                sum += f64::from(network.feature_weights[row * hidden + neuron]) / 255.0;
            }
            let active = sum.clamp(0.0, 1.0);
            output += active * active * f64::from(network.output_weights[(bucket * 2 + half) * hidden + neuron]) / 64.0;
        }
    }
    output + f64::from(network.output_bias[bucket]) / (255.0 * 64.0)
}

#[test]
fn quantized_output_equals_floating_point_within_two_points() {
    for (seed, architecture) in ARCHITECTURES.into_iter().enumerate() {
        let network = Arc::new(random_network(architecture, 100 + seed as u64));
        let mode = EvalMode::Network(Arc::clone(&network));
        let mut compared = 0;
        for position in random_positions(50, 200) {
            let score = f64::from(evaluate(&mode, &position));
            let plain = plain_output(&network, &position) * f64::from(network.scale);
            let winner = if plain > 0.0 { position.side() } else { !position.side() };
            if has_winning_material(&position, winner) {
                assert!((score - plain).abs() < 2.0, "{score} {plain} {}", position.fen());
                compared += 1;
            }
        }
        assert!(compared > 100);
    }
}
