//! The promotion variant, in which advisors and bishops on their back rank may turn into pawns.

use super::generation::{by_plain_rules, sorted};
use super::samples::{random_game, scattered};
use rand::SeedableRng;
use rand::rngs::StdRng;
use xiangqi::{Color, Piece, PieceKind, Position, Square};

fn variant(fen: &str) -> Position {
    Position::from_fen_variant(fen, true).expect("a position of the variant")
}

fn promotions(position: &Position) -> Vec<String> {
    let legal = position.legal_moves();
    let mut names: Vec<String> =
        legal.into_iter().filter(|mv| mv.from() == mv.to()).map(|mv| mv.from().to_string()).collect();
    names.sort();
    names
}

#[test]
fn promotion_legal_moves_equal_the_plain_rules() {
    let mut rng = StdRng::seed_from_u64(50);
    let mut seen = 0;
    for _ in 0..400 {
        let start = scattered(&mut rng, true);
        random_game(&mut rng, start, 8, |position| {
            assert_eq!(sorted(position.legal_moves().into_iter()), by_plain_rules(position), "{}", position.fen());
            assert_eq!(position.count_legal() as usize, position.legal_moves().len());
            seen += promotions(position).len();
        });
    }
    assert!(seen > 300, "only {seen} promotions");
}

#[test]
fn promotion_needs_home_rank_few_pawns_and_no_check() {
    assert_eq!(promotions(&variant("3k5/9/9/9/9/9/9/9/9/2BAKAB2 w")), ["c0", "d0", "f0", "g0"]);
    assert_eq!(promotions(&variant("4k4/9/9/9/9/9/P1P1P1P1P/9/9/2BAKAB2 w")), [""; 0]);
    assert_eq!(promotions(&variant("4k4/9/9/9/9/9/P1P1P1P2/9/4A4/2B1KAB2 w")), ["c0", "f0", "g0"]);
    // The rook on e5 gives check.
    assert_eq!(promotions(&variant("3k5/9/9/9/4r4/9/9/9/9/2BAKAB2 w")), [""; 0]);
    assert_eq!(promotions(&variant("2bakab2/9/9/9/9/9/9/9/9/3K5 b")), ["c9", "d9", "f9", "g9"]);
}

#[test]
fn promotion_is_illegal_in_the_standard_game() {
    let fen = "3k5/9/9/9/9/9/9/9/9/2BAKAB2 w";
    assert_eq!(promotions(&Position::from_fen(fen).expect("a position")), [""; 0]);
    let mut position = Position::start();
    assert!(position.play("d0d0".parse().expect("a move")).is_err());
}

#[test]
fn promotion_replaces_the_piece_by_a_pawn() {
    let mut position = variant("3k5/9/9/9/9/9/9/9/9/2BAKAB2 w - - 7 30");
    position.play("d0d0".parse().expect("a move")).expect("a promotion");
    assert_eq!(position.count(Color::Red, PieceKind::Pawn), 1);
    assert_eq!(position.count(Color::Red, PieceKind::Advisor), 1);
    assert_eq!(position.plies_since_capture(), 0, "it cannot be taken back, like a capture");
    assert_eq!(position.fen(), "3k5/9/9/9/9/9/9/9/9/2BPKAB2 b - - 0 30");
    // The new pawn stands where the standard game has no pawns.
    assert!(Position::from_fen(&position.fen()).is_err());
    assert_eq!(variant(&position.fen()).key(), position.key());
    let pawn = "d0".parse::<Square>().expect("a square");
    assert_eq!(position.piece_at(pawn), Some(Piece::new(Color::Red, PieceKind::Pawn)));
}
