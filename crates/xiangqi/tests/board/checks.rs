//! Checks, attackers and reach, compared with the plain rules.

use super::samples::{names, point, positions, sharp, square};
use chuhe_testing::plain::{Plain, points};
use xiangqi::{Color, Piece, Position, Square, engine::Occupancy};

fn is_red(color: Color) -> bool {
    color == Color::Red
}

#[test]
fn checkers_are_the_attackers_of_the_king() {
    for position in positions(20_000, 10).into_iter().chain(sharp()) {
        let board = Plain::of(&position);
        for color in Color::ALL {
            let red = is_red(color);
            let expected = names(board.attackers(board.king(red), !red, true));
            let found = names(position.king_attackers(color).iter().map(point));
            assert_eq!(found, expected, "{color} king in {}", position.fen());
        }
        let checkers = position.checkers();
        assert_eq!(position.in_check(), !checkers.is_empty());
        assert_eq!(position.checker_count(), checkers.len() as usize, "{}", position.fen());
    }
}

#[test]
fn gives_check_equals_in_check_after_the_move() {
    let mut checks = 0;
    for mut position in positions(20_000, 11).into_iter().chain(sharp()) {
        let seen = position.check_squares();
        for mv in position.legal_moves() {
            let foretold = position.gives_check(mv);
            assert_eq!(position.gives_check_with(&seen, mv), foretold, "{mv} in {}", position.fen());
            position.play_unchecked(mv);
            assert_eq!(foretold, position.in_check(), "{mv} to {}", position.fen());
            checks += usize::from(foretold);
            position.undo();
        }
    }
    assert!(checks > 3_000, "only {checks} checks");
}

#[test]
fn attackers_to_are_the_pieces_that_could_capture() {
    for position in positions(600, 12).into_iter().chain(sharp()) {
        for target in points() {
            for color in Color::ALL {
                let red = is_red(color);
                let mut board = Plain::of(&position);
                board.set(target, if red { 'x' } else { 'X' });
                let expected = names(board.attackers(target, red, false));
                let target = square(target);
                let found = names(position.attackers_to(target, color).iter().map(point));
                assert_eq!(found, expected, "{color} on {target} in {}", position.fen());
                assert_eq!(position.is_attacked(target, color), !expected.is_empty());
            }
        }
    }
}

#[test]
fn reaches_ignores_the_side_to_move() {
    for position in positions(600, 13).into_iter().chain(sharp()) {
        let board = Plain::of(&position);
        for from in Square::all() {
            assert!(!position.reaches(from, from), "{from} itself in {}", position.fen());
            let own = position.piece_at(from).map(Piece::color);
            let reached = Square::all().filter(|&to| {
                position.reaches(from, to) && position.piece_at(to).map(Piece::color) != own.or(Some(Color::Red))
            });
            let expected = names(board.reach(point(from), false));
            let found = names(reached.map(point));
            assert_eq!(found, expected, "{from} in {}", position.fen());
        }
    }
}

#[test]
fn pieces_between_counts_along_lines_only() {
    let position = Position::start();
    let between = |a: &str, b: &str| {
        position.pieces_between(a.parse::<Square>().expect("a square"), b.parse::<Square>().expect("a square"))
    };
    assert_eq!(between("a0", "a9"), Some(2));
    assert_eq!(between("e9", "e0"), Some(2));
    assert_eq!(between("b2", "h2"), Some(0));
    assert_eq!(between("a0", "i0"), Some(7));
    assert_eq!(between("a0", "b1"), None);
}
