//! Evaluations of simple positions by the embedded networks.

use chuhe_engine::nnue::{EvalMode, evaluate, explain, large_network, medium_network};
use chuhe_testing::random_positions;
use xiangqi::Position;

fn networks() -> [EvalMode; 2] {
    [EvalMode::Network(large_network()), EvalMode::Network(medium_network())]
}

fn score(knowledge: &EvalMode, fen: &str) -> i32 {
    evaluate(knowledge, &Position::from_fen(fen).expect(fen))
}

#[test]
fn embedded_networks_value_simple_material() {
    for knowledge in networks() {
        let start = evaluate(&knowledge, &Position::start());
        assert!((-80..=120).contains(&start), "{start}");
        let rook_ahead = score(&knowledge, "1nbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w") - start;
        let horse_ahead = score(&knowledge, "r1bakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w") - start;
        assert!((450..=1300).contains(&rook_ahead), "{rook_ahead}");
        assert!((180..=650).contains(&horse_ahead), "{horse_ahead}");
        assert!(rook_ahead * 10 > horse_ahead * 14, "{rook_ahead} {horse_ahead}");
    }
}

#[test]
fn embedded_networks_value_mirrored_positions_alike() {
    for knowledge in networks() {
        let mut difference = 0;
        let positions = random_positions(77, 300);
        for position in &positions {
            difference += (evaluate(&knowledge, position) - evaluate(&knowledge, &position.mirrored())).abs();
        }
        let mean = difference / positions.len() as i32;
        assert!(mean < 80, "{mean}");
    }
}

#[test]
fn evaluation_is_zero_without_winning_material() {
    for knowledge in networks() {
        // No attackers; a cannon without a screen; a lone rook against all guards.
        assert_eq!(score(&knowledge, "3k5/9/9/9/9/9/9/4B4/4A4/4K4 w"), 0);
        assert_eq!(score(&knowledge, "3k5/9/9/9/9/9/9/4B3C/9/4K4 w"), 0);
        assert_ne!(score(&knowledge, "3k5/9/9/9/9/9/9/4B3C/4A4/4K4 w"), 0);
        let rook = score(&knowledge, "2bak1b2/4a4/9/9/9/9/9/9/9/R3K4 w");
        assert!(rook.abs() < 250, "{rook}");
    }
}

#[test]
fn explanation_adds_up() {
    let network = large_network();
    for position in random_positions(13, 50) {
        let explained = explain(&network, &position);
        let score = evaluate(&EvalMode::Network(large_network()), &position);
        assert_eq!(explained.total.abs(), score.abs());
        let said = if explained.has_winning_material { explained.output_scores[explained.output_bucket] } else { 0 };
        assert_eq!(explained.total, said, "{}", position.fen());
        let kings = explained.pieces.iter().filter(|piece| piece.2.is_none()).count();
        assert_eq!(kings, 2);
        assert!(explained.to_string().contains(&format!("evaluation {:+} for red", explained.total)));
    }
}
