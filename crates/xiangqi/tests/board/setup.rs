//! Setups: what becomes a position, and what a position keeps.

use super::samples::{positions, scattered, sharp};
use rand::SeedableRng;
use rand::rngs::StdRng;
use std::collections::HashSet;
use xiangqi::{Color, Piece, PieceKind, Position, Setup, SetupError, Square};

#[test]
fn setup_of_a_position_becomes_the_same_position() {
    let mut rng = StdRng::seed_from_u64(60);
    let variant: Vec<Position> = (0..200).map(|_| scattered(&mut rng, true)).collect();
    for position in positions(1_000, 61).into_iter().chain(sharp()).chain(variant) {
        let setup = Setup::from(&position);
        assert_eq!(setup.to_string(), position.fen());
        let again = Position::try_from(setup).expect("a position");
        assert_eq!((&again, again.fen(), again.promotion()), (&position, position.fen(), position.promotion()));
        assert_eq!(again.history_len(), 0);
    }
}

#[test]
fn removing_a_piece_keeps_the_promotion_variant() {
    // In the variant the pawn may stand at home, and an advisor may still become one.
    let fen = "5k3/9/9/9/9/9/9/9/9/2PAK4 w - - 0 1";
    let mut setup = Setup::from(&Position::from_fen_variant(fen, true).expect("a position"));
    assert_eq!(setup.remove("d0".parse().expect("a square")).map(|piece| piece.kind()), Some(PieceKind::Advisor));
    assert_eq!(setup.remove("d0".parse().expect("a square")), None);
    let left = Position::try_from(setup.clone()).expect("a position of the variant");
    assert!(left.promotion());
    setup.promotion = false;
    let piece = Piece::new(Color::Red, PieceKind::Pawn);
    assert_eq!(Position::try_from(setup), Err(SetupError::ImpossibleSquare { piece, square: Square::new(2, 0) }));
}

#[test]
fn placing_replaces_what_stands_there() {
    let (king, rook) = (Piece::new(Color::Red, PieceKind::King), Piece::new(Color::Red, PieceKind::Rook));
    let mut setup = Setup::empty();
    assert_eq!(setup.place(rook, Square::new(4, 0)), None);
    assert_eq!(setup.place(king, Square::new(4, 0)), Some(rook));
    assert_eq!(setup.pieces().collect::<Vec<_>>(), [(king, Square::new(4, 0))]);
    assert_eq!(Position::try_from(setup), Err(SetupError::MissingKing(Color::Black)));
}

#[test]
fn positions_are_equal_by_pieces_side_and_variant() {
    let read = |fen: &str, promotion| Position::from_fen_variant(fen, promotion).expect("a position");
    let board = "3k5/9/9/9/9/9/9/9/4A4/3K5";
    let board = board.replace("3K5", "4K4");
    let position = read(&format!("{board} w - - 0 1"), false);
    let same = read(&format!("{board} w - - 30 40"), false);
    let others = [read(&format!("{board} b - - 0 1"), false), read(&format!("{board} w - - 0 1"), true)];
    assert!(position == same && others.iter().all(|other| *other != position));
    assert_eq!(HashSet::from([position.clone(), same]).len(), 1);
    assert_eq!(others.into_iter().chain([position]).collect::<HashSet<_>>().len(), 3);
}

#[test]
fn copy_without_history_forgets_the_moves_alone() {
    let mut position = Position::start();
    for mv in ["h2e2", "h9g7", "e2h2", "g7h9"] {
        position.play(mv.parse().expect("a move")).expect("legal");
    }
    let copy = position.without_history();
    assert_eq!((copy.fen(), copy.history_len(), copy.last_move()), (position.fen(), 0, None));
    assert_eq!((position.occurrence_count(), copy.occurrence_count()), (2, 1));
    assert!(copy == position && copy.is_consistent());
}
