//! Moves and squares as text, and checked moves.

use super::samples::{positions, scattered, sharp};
use proptest::prelude::*;
use rand::SeedableRng;
use rand::rngs::StdRng;
use std::error::Error;
use std::fmt::{Debug, Display};
use std::str::FromStr;
use xiangqi::words::holes_match;
use xiangqi::{
    Color, IllegalMove, IllegalMoveReason, Move, PackedPosition, PieceKind, Position, RuleSet, SetupError, Square,
    SquareSet,
};

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

// Every value of every public enum is written as a text that is read again.

fn survives<T: Display + FromStr<Err: Debug> + PartialEq + Debug>(value: T) {
    let text = value.to_string();
    assert_eq!(text.parse::<T>().expect(&text), value);
    assert_eq!(text.to_uppercase().parse::<T>().expect(&text), value);
}

#[test]
fn names_of_enums_are_read_again() {
    Color::ALL.into_iter().for_each(survives);
    PieceKind::ALL.into_iter().for_each(survives);
    RuleSet::ALL.into_iter().for_each(survives);
    assert!(RuleSet::OFFERED.into_iter().all(|set| RuleSet::ALL.contains(&set)));
}

#[test]
fn names_of_nothing_are_refused() {
    assert_eq!("white".parse::<Color>().expect_err("a side").to_string(), "'white' is no side: expected red or black");
    assert!("elephant".parse::<PieceKind>().is_err() && "".parse::<RuleSet>().is_err());
}

#[test]
fn square_constants_have_their_names() {
    let named = [(Square::A0, "a0"), (Square::E0, "e0"), (Square::I9, "i9"), (Square::C7, "c7")];
    assert!(named.into_iter().all(|(square, name)| square.to_string() == name));
}

#[test]
fn set_operations_equal_those_of_single_squares() {
    let centre: SquareSet = Square::all().filter(|square| (3..=5).contains(&square.file())).collect();
    let red: SquareSet = Square::all().filter(|square| square.rank() < 5).collect();
    for square in Square::all() {
        let (one, other) = (centre.contains(square), red.contains(square));
        assert_eq!((centre & red).contains(square), one & other);
        assert_eq!((centre | red).contains(square), one | other);
        assert_eq!((centre ^ red).contains(square), one ^ other);
        assert_eq!((centre - red).contains(square), one & !other);
        assert_eq!((!centre).contains(square), !one);
    }
    assert_eq!((SquareSet::FULL.len(), (!SquareSet::FULL).len(), centre.iter().len()), (90, 0, 30));
    assert!((centre & red).is_subset(red) && !red.is_subset(centre) && centre.is_disjoint(!centre));
    let mut all = SquareSet::EMPTY;
    all.extend(centre.iter().chain(!centre));
    assert_eq!(all, SquareSet::FULL);
}

#[test]
fn packed_positions_unpack_to_themselves() {
    let variant = Position::from_fen_variant("3k5/9/9/9/9/9/9/9/9/2P1K4 b - - 3 9", true).expect("a position");
    let mut random = StdRng::seed_from_u64(4);
    let scattered = (0..500).map(|index| scattered(&mut random, index % 2 == 0));
    for position in positions(2_000, 3).into_iter().chain(sharp()).chain(scattered).chain([variant]) {
        let packed = PackedPosition::from(&position);
        assert_eq!(packed, PackedPosition::from_bytes(*packed.bytes()));
        let again = Position::try_from(packed).expect("a position");
        assert_eq!((&again, again.promotion()), (&position, position.promotion()));
    }
    let empty = PackedPosition::from_bytes([0; PackedPosition::SIZE]);
    assert_eq!(Position::try_from(empty), Err(SetupError::MissingKing(Color::Red)));
    // Any bytes are refused or make a position; nothing panics.
    for seed in 0..2_000u32 {
        let bytes =
            std::array::from_fn(|place| (seed.wrapping_mul(2_654_435_761).rotate_left(place as u32 * 7) >> 3) as u8);
        if let Ok(position) = Position::try_from(PackedPosition::from_bytes(bytes)) {
            assert!(position.fen().parse::<Position>().is_ok() || position.promotion());
        }
    }
}

#[test]
fn holes_of_a_template_are_compared_with_names() {
    for (template, names) in [("nothing", &[][..]), ("{side} and {side}", &["side"]), ("{a}{b}", &["b", "a"])] {
        assert!(holes_match(template, names), "{template}");
    }
    for template in ["{sid}", "no hole", "{side", "side}", "{}", "{side:?}"] {
        assert!(!holes_match(template, &["side"]), "{template}");
    }
    assert!(!holes_match("{side}", &[]) && !holes_match("{side}", &["sid"]));
}

#[test]
fn errors_name_their_cause_and_are_padded() {
    let error = Position::from_fen("4k4/9/9/9/9/9/9/9/9/9 w").expect_err("no king");
    let cause = error.source().map(ToString::to_string);
    assert_eq!(cause.as_deref(), Some("red has no king"));
    assert_eq!(
        (error.to_string(), format!("{error:<28}|")),
        ("FEN board: red has no king".to_string(), "FEN board: red has no king  |".to_string())
    );
}
