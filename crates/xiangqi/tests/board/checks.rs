//! Checks, attackers and reach, compared with the plain rules.

use super::samples::{names, point, positions, sharp, square};
use chuhe_testing::plain::{Plain, Point, points};
use xiangqi::engine::{Occupancy, piece_value};
use xiangqi::{Color, Move, Piece, PieceKind, Position, Square};

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

// Static exchange evaluation, compared with an exhaustive search of the captures on one square.

fn worth(letter: char) -> i32 {
    Piece::from_letter(letter).map_or(0, |piece| piece_value(piece.kind()))
}

/// The best gain of the side to move by captures on `target`, or by none.
fn best_gain(board: &Plain, target: Point) -> i32 {
    let red = board.red_to_move;
    let standing = worth(board.get(target));
    board
        .attackers(target, red, false)
        .into_iter()
        .map(|from| standing - best_gain(&board.after(from, target), target))
        .fold(0, i32::max)
}

fn exchange_value(position: &Position, mv: Move) -> i32 {
    let board = Plain::of(position);
    let (from, to) = (point(mv.from()), point(mv.to()));
    let taken = if from == to { 0 } else { worth(board.get(to)) };
    taken - best_gain(&board.after(from, to), to)
}

fn compare_all(position: &Position) {
    for mv in position.legal_moves() {
        let value = exchange_value(position, mv);
        for (threshold, expected) in [(value, true), (value + 1, false), (value - 150, true), (value + 400, false)] {
            let found = position.see_ge(mv, threshold);
            assert_eq!(found, expected, "{mv} is worth {value}, asked for {threshold}: {}", position.fen());
        }
    }
}

#[test]
fn see_equals_exhaustive_search() {
    let few = |position: &Position| {
        // The exhaustive search takes factorial time on crowded squares.
        let fen = position.fen();
        let pieces = fen.split(' ').next().unwrap_or_default().chars().filter(char::is_ascii_alphabetic);
        pieces.count() <= 32
    };
    positions(6_000, 40).iter().filter(|position| few(position)).for_each(compare_all);
    sharp().for_each(|position| compare_all(&position));
}

/// True if this move of the position wins at least the threshold.
fn wins(fen: &str, mv: &str, threshold: i32) -> bool {
    let position = Position::from_fen(fen).expect("a position");
    let mv = mv.parse().expect("a move");
    assert!(position.is_pseudo_legal(mv), "{mv} in {fen}");
    position.see_ge(mv, threshold)
}

#[test]
fn see_requires_a_screen_for_the_cannon() {
    // The black cannon on e9 has the bishop on e7 as a screen and recaptures on e5.
    assert!(!wins("3kc4/9/4b4/9/R3n4/9/9/9/9/5K3 w", "a5e5", 0));
    // Without it the horse is lost for nothing.
    assert!(wins("3kc4/9/9/9/R3n4/9/9/9/9/5K3 w", "a5e5", piece_value(PieceKind::Horse)));
}

#[test]
fn see_counts_the_cannon_behind_a_cannon() {
    // With c5 vacated only d5 is between a5 and f5, so recapturing with the rook loses it.
    assert!(wins("3k1r3/9/9/9/C1Cn1n3/9/9/9/9/4K4 w", "c5f5", piece_value(PieceKind::Horse)));
    assert!(!wins("3k1r3/9/9/9/2Cn1n3/9/9/9/9/4K4 w", "c5f5", 0));
}

#[test]
fn see_counts_the_rook_behind_a_rook() {
    // Rook captures horse, rook recaptures, the second rook recaptures: a horse won.
    let fen = "3kr4/9/9/9/RR2n4/9/9/9/9/5K3 w";
    assert!(wins(fen, "b5e5", piece_value(PieceKind::Horse)));
    // With one rook only, the rook is lost for the horse.
    assert!(!wins("3kr4/9/9/9/1R2n4/9/9/9/9/5K3 w", "b5e5", 0));
}

#[test]
fn see_forbids_the_king_protected_captures() {
    let advisor = piece_value(PieceKind::Advisor);
    assert!(wins("4k4/R3a4/9/9/9/9/9/4R4/9/3K5 w", "a8e8", advisor));
    assert!(!wins("4k4/R3a4/9/9/9/9/9/9/9/3K5 w", "a8e8", 0));
}

#[test]
fn see_of_a_promotion_risks_a_pawn_only() {
    // The advisor on d0 becomes a pawn, which the cannon captures over the pawn on b0.
    let position = Position::from_fen_variant("3k5/9/9/9/9/9/9/9/9/cP1A1K3 w", true).expect("a position");
    let mv = "d0d0".parse().expect("a move");
    let pawn = piece_value(PieceKind::Pawn);
    assert!(position.is_pseudo_legal(mv));
    assert!(position.see_ge(mv, -pawn) && !position.see_ge(mv, 1 - pawn));
}
