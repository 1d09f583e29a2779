//! Static exchange evaluation against an exhaustive search of the captures on one square.

use super::plain::{Plain, Point};
use super::samples::{point, positions, sharp};
use chuhe_engine::board::{Position, piece_value};
use chuhe_engine::types::{Move, Piece, PieceKind};

fn worth(letter: char) -> i32 {
    Piece::from_letter(letter).and_then(Piece::kind).map_or(0, piece_value)
}

/// What the side to move wins at best by capturing on `target`, or by leaving it.
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
    for mv in position.legal_moves().moves() {
        let value = exchange_value(position, mv);
        for (threshold, expected) in [(value, true), (value + 1, false), (value - 150, true), (value + 400, false)] {
            let found = position.see_ge(mv, threshold);
            assert_eq!(found, expected, "{mv} is worth {value}, asked for {threshold}: {}", position.fen());
        }
    }
}

#[test]
fn exchanges_are_worth_what_trying_every_capture_says() {
    let few = |position: &Position| {
        // The exhaustive search takes factorial time where a whole army fights for a square.
        let fen = position.fen();
        let pieces = fen.split(' ').next().unwrap_or_default().chars().filter(char::is_ascii_alphabetic);
        pieces.count() <= 32
    };
    positions(6_000, 40).iter().filter(|position| few(position)).for_each(compare_all);
    sharp().for_each(|position| compare_all(&position));
}

/// A square, a move, and whether it wins at least this much.
fn wins(fen: &str, mv: &str, threshold: i32) -> bool {
    let position = Position::from_fen(fen).expect("a position");
    let mv = mv.parse().expect("a move");
    assert!(position.is_pseudo_legal(mv), "{mv} in {fen}");
    position.see_ge(mv, threshold)
}

#[test]
fn a_cannon_needs_its_screen_to_take_back() {
    // The black cannon on e9 has the bishop on e7 for a screen and takes back on e5.
    assert!(!wins("3kc4/9/4b4/9/R3n4/9/9/9/9/5K3 w", "a5e5", 0));
    // Without it the horse hangs.
    assert!(wins("3kc4/9/9/9/R3n4/9/9/9/9/5K3 w", "a5e5", piece_value(PieceKind::Horse)));
}

#[test]
fn a_cannon_that_leaves_frees_the_cannon_behind_it() {
    // With c5 gone only d5 is between a5 and f5, so that the rook had better not take back.
    assert!(wins("3k1r3/9/9/9/C1Cn1n3/9/9/9/9/4K4 w", "c5f5", piece_value(PieceKind::Horse)));
    assert!(!wins("3k1r3/9/9/9/2Cn1n3/9/9/9/9/4K4 w", "c5f5", 0));
}

#[test]
fn a_rook_uncovers_the_rook_behind_it() {
    // Rook takes horse, rook takes back, the second rook takes: a horse won.
    let fen = "3kr4/9/9/9/RR2n4/9/9/9/9/5K3 w";
    assert!(wins(fen, "b5e5", piece_value(PieceKind::Horse)));
    // Alone, the rook would be lost for the horse.
    assert!(!wins("3kr4/9/9/9/1R2n4/9/9/9/9/5K3 w", "b5e5", 0));
}

#[test]
fn a_king_does_not_take_what_is_defended() {
    let advisor = piece_value(PieceKind::Advisor);
    assert!(wins("4k4/R3a4/9/9/9/9/9/4R4/9/3K5 w", "a8e8", advisor));
    assert!(!wins("4k4/R3a4/9/9/9/9/9/9/9/3K5 w", "a8e8", 0));
}

#[test]
fn a_promotion_risks_a_pawn_and_no_more() {
    // The advisor on d0 becomes a pawn, which the cannon takes over the pawn on b0.
    let position = Position::from_fen_variant("3k5/9/9/9/9/9/9/9/9/cP1A1K3 w", true).expect("a position");
    let mv = "d0d0".parse().expect("a move");
    let pawn = piece_value(PieceKind::Pawn);
    assert!(position.is_pseudo_legal(mv));
    assert!(position.see_ge(mv, -pawn) && !position.see_ge(mv, 1 - pawn));
}
