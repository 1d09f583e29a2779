//! FEN: parsing, formatting, and every error.

use super::samples::{positions, scattered, sharp};
use proptest::prelude::*;
use rand::SeedableRng;
use rand::rngs::StdRng;
use std::collections::HashSet;
use xiangqi::fen::{FenError, START_FEN};
use xiangqi::{Color, Piece, PieceKind, Position, Setup, SetupError, Square};

fn error(fen: &str) -> FenError {
    match Position::from_fen(fen) {
        Ok(position) => panic!("{fen} was read as {}", position.fen()),
        Err(error) => error,
    }
}

fn square(text: &str) -> Square {
    text.parse().expect("a square")
}

#[test]
fn fen_round_trips() {
    assert_eq!(Position::start().fen(), START_FEN);
    for position in positions(2_000, 60) {
        let fen = position.fen();
        let reread = Position::from_fen(&fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
        assert_eq!(reread.fen(), fen);
        assert_eq!(reread.key(), position.key());
    }
}

#[test]
fn fen_accepts_common_variations() {
    let same = [
        "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR",
        "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w",
        "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR r",
        "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR R - -",
        "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0",
        "rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR w - - 0 1",
        "  rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR   w  -\t- 0   1 \r\n",
        "rnbakabnr/45/1c5c1/p1p1p1p1p/333/111111111/P1P1P1P1P/1C5C1/9/RNBAKABNR w 0 1",
    ];
    for fen in same {
        let position = Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
        assert_eq!(position.fen(), START_FEN);
    }
    let black = Position::from_fen("4k4/9/9/9/4p4/9/9/9/9/4K4 B - - 12 34").expect("a position");
    assert_eq!((black.side(), black.plies_since_capture()), (Color::Black, 12));
    assert_eq!(black.fen(), "4k4/9/9/9/4p4/9/9/9/9/4K4 b - - 12 34");
}

#[test]
fn fen_requires_ten_ranks_of_nine_squares() {
    assert_eq!(error(""), FenError::Empty);
    assert_eq!(error(" \t "), FenError::Empty);
    assert_eq!(error("startpos"), FenError::RankCount(1));
    assert_eq!(error("4k4/9/9/9/9/9/9/9/3K5 w"), FenError::RankCount(9));
    assert_eq!(error("4k4/9/9/9/9/9/9/9/9/9/3K5 w"), FenError::RankCount(11));
    assert_eq!(error("4k4/9/9/8/9/9/9/9/9/3K5 w"), FenError::RankLength { rank: 6, files: 8 });
    assert_eq!(error("4k4/9/9/9/9/9/9/9/9/3K6 w"), FenError::RankLength { rank: 0, files: 10 });
    assert_eq!(error("4k4/9/9//9/9/9/9/9/3K5 w"), FenError::RankLength { rank: 6, files: 0 });
    assert_eq!(error("4k4/4q4/9/9/9/9/9/9/9/3K5 w"), FenError::UnknownPiece { letter: 'q', rank: 8 });
    assert_eq!(error("4k4/4将4/9/9/9/9/9/9/9/3K5 w"), FenError::UnknownPiece { letter: '将', rank: 8 });
    let crowd = "R".repeat(5_000);
    assert!(matches!(error(&format!("{crowd}/9/9/9/9/9/9/9/9/9 w")), FenError::RankLength { rank: 9, .. }));
}

#[test]
fn fen_requires_one_king_per_side() {
    assert_eq!(error("9/9/9/9/9/9/9/9/9/3K5 w"), FenError::Setup(SetupError::MissingKing(Color::Black)));
    assert_eq!(error("4k4/9/9/9/9/9/9/9/9/9 w"), FenError::Setup(SetupError::MissingKing(Color::Red)));
    let second = FenError::Setup(SetupError::SecondKing { color: Color::Red, square: square("d0") });
    assert_eq!(error("4k4/9/9/9/9/9/9/9/3K5/3K5 w"), second);
}

#[test]
fn fen_rejects_impossible_squares() {
    let cases = [
        ("3k5/9/9/9/9/9/9/9/9/2K6", Color::Red, PieceKind::King, "c0"),
        ("3k5/9/9/9/9/9/3K5/9/9/9", Color::Red, PieceKind::King, "d3"),
        ("9/9/9/3k5/9/9/9/9/9/4K4", Color::Black, PieceKind::King, "d6"),
        ("9/9/9/9/9/9/9/9/4k4/3K5", Color::Black, PieceKind::King, "e1"),
        ("3k5/9/9/9/9/9/9/9/3A5/4K4", Color::Red, PieceKind::Advisor, "d1"),
        ("3kA4/9/9/9/9/9/9/9/9/4K4", Color::Red, PieceKind::Advisor, "e9"),
        ("3k5/9/a8/9/9/9/9/9/9/4K4", Color::Black, PieceKind::Advisor, "a7"),
        ("3k5/9/9/9/9/9/9/1B7/9/4K4", Color::Red, PieceKind::Bishop, "b2"),
        ("2Bk5/9/9/9/9/9/9/9/9/4K4", Color::Red, PieceKind::Bishop, "c9"),
        ("3k5/9/9/9/9/9/9/b8/9/4K4", Color::Black, PieceKind::Bishop, "a2"),
        ("3k5/9/9/9/9/9/1P7/9/9/4K4", Color::Red, PieceKind::Pawn, "b3"),
        ("3k5/9/9/9/9/9/9/P8/9/4K4", Color::Red, PieceKind::Pawn, "a2"),
        ("3k5/9/9/1p7/9/9/9/9/9/4K4", Color::Black, PieceKind::Pawn, "b6"),
        ("3k4p/9/9/9/9/9/9/9/9/4K4", Color::Black, PieceKind::Pawn, "i9"),
    ];
    for (fen, color, kind, at) in cases {
        assert_eq!(
            error(fen),
            FenError::Setup(SetupError::ImpossibleSquare { piece: Piece::new(color, kind), square: square(at) }),
            "{fen}"
        );
    }
    // Beyond the river a pawn may stand anywhere, even on the last rank.
    assert!(Position::from_fen("3k4P/9/9/1P7/9/9/9/9/9/4K4").is_ok());
}

#[test]
fn fen_rejects_a_capturable_king() {
    let by_rook = FenError::Setup(SetupError::KingCapturable { mover: Color::Red, square: square("e9") });
    assert_eq!(error("4k4/9/9/9/4R4/9/9/9/9/3K5 w"), by_rook);
    assert!(Position::from_fen("4k4/9/9/9/4R4/9/9/9/9/3K5 b").is_ok());
    let facing = FenError::Setup(SetupError::KingCapturable { mover: Color::Black, square: square("e0") });
    assert_eq!(error("4k4/9/9/9/9/9/9/9/9/4K4 b"), facing);
}

#[test]
fn fen_parses_side_and_counters() {
    let board = "4k4/9/9/9/4p4/9/9/9/9/4K4";
    assert_eq!(error(&format!("{board} x")), FenError::UnknownSide("x".into()));
    for (tail, field) in [("w - - many 1", "half-move counter"), ("w - - 0 -3", "full-move counter")] {
        match error(&format!("{board} {tail}")) {
            FenError::BadCounter { counter, .. } => assert_eq!(counter.to_string(), field),
            other => panic!("{other}"),
        }
    }
    assert!(matches!(error(&format!("{board} w - - 65536 1")), FenError::BadCounter { .. }));
}

#[test]
fn fen_accepts_sixteen_pieces_per_side_and_no_more() {
    let fifteen = "RRRRRRRRR/9/9/3k5/9/9/9/9/RRR1RRR2/4K4";
    assert!(Position::from_fen(&format!("{fifteen} b")).is_err(), "the king on d6");
    assert!(Position::from_fen("3k5/9/CCCCCCCCC/9/9/9/9/9/CCC1CCC2/4K4 w").is_ok());
    let sixteen = Position::from_fen("3k5/9/CCCCCCCCC/9/9/9/9/9/CCC1CCCC1/4K4 w");
    assert_eq!(sixteen.err(), Some(FenError::Setup(SetupError::TooManyPieces { color: Color::Red, count: 17 })));
    let board = ["nnnnnnnnn"; 10].join("/");
    assert_eq!(error(&board), FenError::Setup(SetupError::TooManyPieces { color: Color::Black, count: 90 }));
}

#[test]
fn fen_errors_are_one_line() {
    let named = [
        ("4k4/9/9/8/9/9/9/9/9/3K5 w", "FEN board: expected 9 squares on rank 6, found 8"),
        ("4k4/9/9/9/9/9/9/9/9/9 w", "FEN board: red has no king"),
        ("3k5/9/9/9/9/9/9/9/3A5/4K4", "FEN board: a red advisor can never stand on d1"),
        ("4k4/9/9/9/4p4/9/9/9/9/4K4 \u{1b}[2J", r#"FEN side to move: "\u{1b}[2J" is none of w, r, b"#),
        ("4k4/4\u{0}4/9/9/9/9/9/9/9/3K5 w", r"FEN board: '\0' on rank 8 is no piece"),
    ];
    for (fen, text) in named {
        assert_eq!(error(fen).to_string(), text);
    }
}

proptest! {
    #![proptest_config(chuhe_testing::property_cases(256))]

    #[test]
    fn fen_parser_does_not_panic_on_any_text(text in any::<String>()) {
        if let Err(error) = Position::from_fen(&text) {
            let shown = error.to_string();
            prop_assert!(shown.len() < 200 && !shown.chars().any(char::is_control), "{}", shown);
        }
    }

    #[test]
    fn fen_parser_does_not_panic_on_board_like_text(
        text in "([kabnrcpKABNRCP1-9]{0,10}/){8,10}[kabnrcpKABNRCP1-9]{1,9}( [wrb-]( -){0,2}( [0-9]{1,7}){0,3})?",
        promotion in any::<bool>(),
    ) {
        if let Ok(position) = Position::from_fen_variant(&text, promotion) {
            prop_assert!(position.is_consistent());
            prop_assert!(position.count_legal() as usize == position.legal_moves().len());
        }
    }
}

// Setups: what becomes a position, and what a position keeps.

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
