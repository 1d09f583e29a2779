//! Moves and squares as text, and checked moves.

use proptest::prelude::*;
use xiangqi::{IllegalMove, IllegalMoveReason, Move, Position, Square};

#[test]
fn move_parser_accepts_protocols_and_records() {
    let mv: Move = "h2e2".parse().expect("a move");
    assert_eq!(mv.from(), Square::new(7, 2));
    assert_eq!(mv.to(), Square::new(4, 2));
    assert_eq!(mv.to_string(), "h2e2");
    assert_eq!("H2-E2".parse(), Ok(mv));
    assert_eq!("H2E2".parse(), Ok(mv));
    assert_eq!("h2-e2".parse(), Ok(mv));
}

#[test]
fn move_errors_name_the_text() {
    for text in ["", "h2", "h2e", "h2e22", "h2+e2", "j2e2", "h2e:", "0000", "h2 e2", "马8进7", "h2é", "ééé-é"] {
        let error = text.parse::<Move>().expect_err(text);
        assert!(error.to_string().contains(text), "{error}");
    }
    let long = "x".repeat(1_000);
    assert!(long.parse::<Move>().expect_err("too long").to_string().len() < 100);
}

#[test]
fn move_text_round_trips() {
    for from in Square::all() {
        for to in Square::all() {
            let mv = Move::new(from, to);
            assert_eq!(mv.to_string().parse(), Ok(mv));
            assert_eq!(Move::from_bits(mv.bits()), Some(mv));
            assert_eq!(mv.mirror().mirror(), mv);
            assert_eq!(mv.flip().flip(), mv);
        }
    }
}

#[test]
fn square_accessors_agree() {
    assert_eq!("a9".parse(), Ok(Square::new(0, 9)));
    assert_eq!("I0".parse(), Ok(Square::new(8, 0)));
    assert_eq!((Square::new(0, 9).index(), Square::new(8, 0).index()), (0x33, 0xCB));
    assert!(["j0", "aa", "a", "a10", "é", ""].iter().all(|text| text.parse::<Square>().is_err()));
    assert!(Square::try_new(9, 0).is_none() && Square::try_new(0, 10).is_none());
    assert_eq!(Square::all().count(), 90);
    assert_eq!(Square::all().map(Square::dense).collect::<Vec<_>>(), (0..90).collect::<Vec<_>>());
    let by_index: Vec<Square> = (0..=255).filter_map(Square::from_index).collect();
    assert!(by_index.len() == 90 && by_index.iter().all(|square| Square::all().any(|other| other == *square)));
}

#[test]
fn play_rejects_illegal_moves_with_the_reason() {
    let mut position = Position::from_fen("3k5/9/9/9/9/9/9/9/3r5/4K4 w").expect("a position");
    let before = position.fen();
    let not_a_move: Move = "a0a1".parse().expect("a move");
    let into_check: Move = "e0d0".parse().expect("a move");
    assert_eq!(
        position.play(not_a_move),
        Err(IllegalMove { mv: not_a_move, reason: IllegalMoveReason::NoPiece(Square::A0) })
    );
    assert_eq!(
        position.play(into_check),
        Err(IllegalMove { mv: into_check, reason: IllegalMoveReason::IntoCheck(Square::D1) })
    );
    assert_eq!(
        position.play(into_check).expect_err("check").to_string(),
        "e0d0 is not legal: the king would be in check from d1"
    );
    assert_eq!(position.fen(), before);
    assert!(position.play("e0f0".parse().expect("a move")).is_ok());
}

proptest! {
    #![proptest_config(chuhe_testing::property_cases(256))]

    #[test]
    fn move_parser_does_not_panic(text in any::<String>()) {
        if let Ok(mv) = text.parse::<Move>() {
            prop_assert_eq!(mv.to_string(), text.to_lowercase().replace('-', ""));
        }
    }

    #[test]
    fn move_is_decoded_from_its_bits_alone(bits in any::<u16>()) {
        if let Some(mv) = Move::from_bits(bits) {
            prop_assert_eq!(mv.bits(), bits);
            prop_assert_eq!(mv.to_string().parse(), Ok(mv));
            prop_assert!(!Position::start().is_pseudo_legal(mv) || Position::start().legal_moves().contains(&mv));
        }
    }
}
