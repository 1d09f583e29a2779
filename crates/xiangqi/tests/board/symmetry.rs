//! The mirrored and the color-flipped position have equal properties.

use super::samples::{positions, sharp};
use std::collections::HashMap;
use xiangqi::{Move, Position};

/// Whether each legal move gives check, and its SEE at several thresholds.
fn move_properties(position: &Position) -> HashMap<Move, (bool, Vec<bool>)> {
    let thresholds = [-300, -100, 0, 1, 100, 300];
    let properties = |mv| {
        let exchange = thresholds.map(|threshold| position.see_ge(mv, threshold)).to_vec();
        (mv, (position.gives_check(mv), exchange))
    };
    position.legal_moves().into_iter().map(properties).collect()
}

fn compare(position: &Position, image: &Position, map: impl Fn(Move) -> Move) {
    let expected: HashMap<_, _> = move_properties(position).into_iter().map(|(mv, it)| (map(mv), it)).collect();
    assert_eq!(move_properties(image), expected, "{} and {}", position.fen(), image.fen());
    assert!(image.is_consistent());
    assert_eq!(image.checker_count(), position.checker_count());
    assert_eq!(image.pinned().len(), position.pinned().len());
    for mv in (0..=u16::MAX).step_by(7).filter_map(Move::from_bits) {
        assert_eq!(position.is_pseudo_legal(mv), image.is_pseudo_legal(map(mv)), "{mv}");
    }
}

#[test]
fn mirrored_position_has_mirrored_moves() {
    for position in positions(5_000, 30).into_iter().chain(sharp()) {
        compare(&position, &position.mirrored(), Move::mirror);
        assert_eq!(position.mirrored().mirrored().key(), position.key());
    }
}

#[test]
fn color_flipped_position_has_flipped_moves() {
    for position in positions(5_000, 31).into_iter().chain(sharp()) {
        let image = position.color_flipped();
        assert_eq!(image.side(), !position.side());
        compare(&position, &image, Move::flip);
        assert_eq!(image.color_flipped().key(), position.key());
    }
}

#[test]
fn images_of_squares_are_squares() {
    for square in xiangqi::Square::all() {
        assert_eq!((square.mirror().file(), square.mirror().rank()), (8 - square.file(), square.rank()));
        assert_eq!((square.flip().file(), square.flip().rank()), (square.file(), 9 - square.rank()));
    }
}
