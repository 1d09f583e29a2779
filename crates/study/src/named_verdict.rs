//! A verdict whose sentence calls a chased piece as the moves beside it do.

use crate::notation_pair::NotationPair;
use chuhe_support::messages::xiangqi::{piece_on_square, verdict_sentence};
use xiangqi::{Position, Reason, Verdict};
use xiangqi_record::Notation;

/// A verdict, and how the piece is called that was chased.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NamedVerdict {
    /// The verdict.
    pub verdict: Verdict,
    chased: Option<NotationPair>,
}

impl NamedVerdict {
    /// The verdict on this position.
    pub fn new(verdict: Verdict, position: &Position) -> NamedVerdict {
        let chased = match verdict.reason {
            Reason::PerpetualChase { square, .. } => Some(NotationPair::of_piece(position, square)),
            _ => None,
        };
        NamedVerdict { verdict, chased }
    }

    /// A sentence with the result and the reason.
    pub fn sentence(&self, notation: Notation) -> String {
        let name = self.chased.as_ref().and_then(|name| name.get(notation));
        verdict_sentence(&self.verdict, &|piece, square| match name {
            Some(name) => name.to_string(),
            None => piece_on_square(piece, square),
        })
    }
}
