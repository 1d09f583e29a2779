//! Serialization: small values as their texts, a position as its FEN and its variant.

use crate::{Color, Move, Piece, PieceKind, Position, RuleSet, Square};
use serde::de::{Deserialize, Deserializer, Error};
use serde::ser::{Serialize, Serializer};
use std::borrow::Cow;

macro_rules! as_text {
    ($($kind:ty, $write:expr, $read:expr;)*) => {$(
        impl Serialize for $kind {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let write: fn(&$kind) -> String = $write;
                serializer.serialize_str(&write(self))
            }
        }

        impl<'de> Deserialize<'de> for $kind {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<$kind, D::Error> {
                let read: fn(&str) -> Option<$kind> = $read;
                let text = Cow::<str>::deserialize(deserializer)?;
                read(&text).ok_or_else(|| D::Error::custom(format_args!("{text:?} is no {}", stringify!($kind))))
            }
        }
    )*};
}

as_text! {
    Color, Color::to_string, |text| text.parse().ok();
    PieceKind, PieceKind::to_string, |text| text.parse().ok();
    Piece, |piece| piece.letter().to_string(), |text| {
        let mut letters = text.chars();
        letters.next().filter(|_| letters.next().is_none()).and_then(Piece::from_letter)
    };
    Square, Square::to_string, |text| text.parse().ok();
    Move, Move::to_string, |text| text.parse().ok();
    RuleSet, RuleSet::to_string, |text| text.parse().ok();
}

#[derive(serde::Serialize, serde::Deserialize)]
struct PositionFields {
    fen: String,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    promotion: bool,
}

/// The history is not part of it.
impl Serialize for Position {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        PositionFields { fen: self.fen(), promotion: self.promotion() }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Position {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Position, D::Error> {
        let PositionFields { fen, promotion } = PositionFields::deserialize(deserializer)?;
        Position::from_fen_variant(&fen, promotion).map_err(D::Error::custom)
    }
}
