//! The evaluation knows neither left from right nor red from black.

use crate::support::random_positions;
use chuhe::eval::evaluate_fully;

#[test]
fn evaluation_is_symmetric() {
    for position in random_positions(31, 2_000) {
        let score = evaluate_fully(&position);
        assert_eq!(evaluate_fully(&position.mirrored()), score, "mirrored {}", position.fen());
        assert_eq!(evaluate_fully(&position.color_flipped()), score, "flipped {}", position.fen());
    }
}
