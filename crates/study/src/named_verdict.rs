//! A verdict whose sentence calls a chased piece as the moves beside it do.

use chuhe_support::language::Language;
use chuhe_support::messages::Localize;
use serde::ser::{Serialize, SerializeStruct, Serializer};
use xiangqi::rules::piece_on_square;
use xiangqi::{Position, Reason, Verdict};
use xiangqi_record::GameResult;
use xiangqi_record::notation::{self, Notation};

/// A verdict, and how the piece is called that was chased.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NamedVerdict {
    /// The verdict.
    pub verdict: Verdict,
    /// In each notation that names pieces.
    chased: Option<[(Notation, String); 3]>,
}

impl NamedVerdict {
    /// The verdict on this position.
    pub fn new(verdict: Verdict, position: &Position) -> NamedVerdict {
        let chased = match verdict.reason {
            Reason::PerpetualChase { square, .. } => {
                let name = |way| (way, notation::piece_name(position, square, way).unwrap_or_default());
                Some([Notation::Chinese, Notation::Wxf, Notation::Vietnamese].map(name))
            }
            _ => None,
        };
        NamedVerdict { verdict, chased }
    }

    /// A sentence with the result and the reason.
    pub fn sentence(&self, notation: Notation) -> String {
        let named = self.chased.iter().flatten().find(|(way, _)| *way == notation);
        let words = self.verdict.sentence_words(&|piece, square| match named {
            Some((_, name)) => Language::in_script(name.clone()).into(),
            None => piece_on_square(piece, square),
        });
        words.localized()
    }
}

impl Serialize for NamedVerdict {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let result = self.verdict.ending.map_or(GameResult::Unknown, |ending| GameResult::from_winner(ending.winner()));
        let mut fields = to.serialize_struct("NamedVerdict", 2)?;
        fields.serialize_field("result", result.token())?;
        fields.serialize_field("reason", &self.verdict.reason.to_string())?;
        fields.end()
    }
}
