//! A text in both languages: the page shows one of them, and its reader may change his mind.

use crate::board::Position;
use crate::language::Language;
use crate::record::{Notation, notation};
use crate::types::Move;
use serde::Serialize;
use std::fmt::Display;

/// The same in Chinese and in English.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Both<T = String> {
    pub zh: T,
    pub en: T,
}

impl Both {
    /// What is said in each of them.
    pub fn of(make: impl Fn() -> String) -> Both {
        Both { zh: Language::CHINESE.with(&make), en: Language::ENGLISH.with(&make) }
    }

    /// What is wrong.
    pub fn told(error: impl Display) -> Both {
        Both::of(|| error.to_string())
    }

    /// A move in the notations of their readers.
    pub fn of_move(position: &Position, mv: Move) -> Both {
        let written = |way| notation::write(position, mv, way);
        Both { zh: written(Notation::Chinese), en: written(Notation::Wxf) }
    }
}

impl Both<Vec<String>> {
    /// The moves of a line.
    pub fn of_line(start: &Position, moves: &[Move]) -> Both<Vec<String>> {
        let written = |way| notation::write_line(start, moves, way);
        Both { zh: written(Notation::Chinese), en: written(Notation::Wxf) }
    }
}
