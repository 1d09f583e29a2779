//! The network in whole numbers against the same network in floating point, written again in the plainest way.

use super::support::{layouts, random_network};
use crate::search::support::random_positions;
use chuhe_engine::board::Position;
use chuhe_engine::nnue::layout::{ROWS, piece_number, row_of};
use chuhe_engine::nnue::{Knowledge, Network, can_win, evaluate};
use chuhe_engine::types::Square;
use std::sync::Arc;

fn plain_output(network: &Network, position: &Position) -> f64 {
    let layout = network.layout;
    let hidden = layout.hidden;
    let mut output = 0.0;
    let head = layout.heads.of_position(position);
    for (half, color) in [position.side(), !position.side()].into_iter().enumerate() {
        let view = layout.kings.view(position.king(color), color);
        for neuron in 0..hidden {
            let mut sum = f64::from(network.bias[neuron]) / 255.0;
            for square in Square::all() {
                let piece = position.piece_at(square);
                if !piece.is_piece() {
                    continue;
                }
                let row = row_of(color, view.mirrored, piece_number(piece), square.dense())
                    .expect("it can stand there");
                let row = usize::from(view.bucket) * ROWS + row;
                sum += f64::from(network.rows[row * hidden + neuron]) / 255.0;
            }
            let active = sum.clamp(0.0, 1.0);
            output += active * active * f64::from(network.heads[(head * 2 + half) * hidden + neuron]) / 64.0;
        }
    }
    output + f64::from(network.head_bias[head]) / (255.0 * 64.0)
}

#[test]
fn whole_numbers_equal_floating_point_within_two_points() {
    for (seed, layout) in layouts().into_iter().enumerate() {
        let network = Arc::new(random_network(layout, 100 + seed as u64));
        let knowledge = Knowledge::Network(Arc::clone(&network));
        let mut compared = 0;
        for position in random_positions(50, 200) {
            let score = f64::from(evaluate(&knowledge, &position));
            let plain = plain_output(&network, &position) * f64::from(network.scale);
            let winner = if plain > 0.0 { position.side() } else { !position.side() };
            if can_win(&position, winner) {
                assert!((score - plain).abs() < 2.0, "{score} {plain} {}", position.fen());
                compared += 1;
            }
        }
        assert!(compared > 100);
    }
}
