//! A verdict whose sentence calls a chased piece as the moves beside it do.

use super::notation::{self, Notation};
use xiangqi::{Position, Reason, Verdict};

/// A verdict, and how the piece is called that was chased.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NamedVerdict {
    pub verdict: Verdict,
    /// In Chinese and in WXF notation.
    chased: Option<[String; 2]>,
}

impl NamedVerdict {
    /// The verdict on this position.
    pub fn new(verdict: Verdict, position: &Position) -> NamedVerdict {
        let chased = match verdict.reason {
            Reason::PerpetualChase { victim, square } => {
                Some([Notation::Chinese, Notation::Wxf].map(|way| notation::piece_name(position, victim, square, way)))
            }
            _ => None,
        };
        NamedVerdict { verdict, chased }
    }

    /// A sentence that tells the result and the reason.
    pub fn sentence(&self, notation: Notation) -> String {
        match (&self.chased, notation) {
            (Some([name, _]), Notation::Chinese) | (Some([_, name]), Notation::Wxf) => {
                self.verdict.sentence_naming(&|_, _| name.clone())
            }
            _ => self.verdict.sentence_naming(&|kind, square| notation::named_by_square(kind, square)),
        }
    }
}
