//! Values survive JSON, and what is none of them is refused.

use serde::de::DeserializeOwned;
use serde_json::{from_str, to_string};
use std::fmt::Debug;
use xiangqi::{Color, Move, Piece, PieceKind, Position, RuleSet, Square};

fn survives<T: serde::Serialize + DeserializeOwned + PartialEq + Debug>(value: T, json: &str) {
    assert_eq!(to_string(&value).expect("JSON"), json);
    assert_eq!(from_str::<T>(json).expect("a value"), value);
}

#[test]
fn values_survive_json() {
    survives(Color::Black, "\"black\"");
    survives(PieceKind::Horse, "\"horse\"");
    survives(Piece::new(Color::Black, PieceKind::Cannon), "\"c\"");
    survives(Square::new(4, 0), "\"e0\"");
    survives("h2e2".parse::<Move>().expect("a move"), "\"h2e2\"");
    RuleSet::ALL.into_iter().for_each(|set| survives(set, &format!("\"{set}\"")));
    survives(Position::default(), &format!("{{\"fen\":\"{}\"}}", xiangqi::fen::START_FEN));
    // A pawn at home is possible in the variant alone.
    let fen = "3k5/9/9/9/9/9/9/9/9/2P1K4 w - - 0 1";
    let variant = Position::from_fen_variant(fen, true).expect("a position");
    survives(variant, &format!("{{\"fen\":\"{fen}\",\"promotion\":true}}"));
}

#[test]
fn texts_of_other_things_are_refused() {
    assert!(from_str::<Square>("\"j0\"").is_err() && from_str::<Move>("\"h2\"").is_err());
    assert!(from_str::<Piece>("\"cc\"").is_err() && from_str::<Color>("\"white\"").is_err());
    assert!(from_str::<RuleSet>("\"chess\"").is_err() && from_str::<Position>("{\"fen\":\"9/9 w\"}").is_err());
}
