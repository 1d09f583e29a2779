//! Moves, lines and pieces in the notations of both languages.

use xiangqi::{Move, Position, Square};
use xiangqi_record::{Notation, notation};

/// The same in Chinese and in WXF notation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotationPair<T = String> {
    /// `炮二平五`
    pub chinese: T,
    /// `C2.5`
    pub wxf: T,
}

impl<T> NotationPair<T> {
    fn new(write: impl Fn(Notation) -> T) -> NotationPair<T> {
        NotationPair { chinese: write(Notation::Chinese), wxf: write(Notation::Wxf) }
    }
}

impl NotationPair {
    /// A move.
    pub fn of_move(position: &Position, mv: Move) -> NotationPair {
        NotationPair::new(|way| notation::format(position, mv, way))
    }

    /// The piece on a square.
    pub fn of_piece(position: &Position, square: Square) -> NotationPair {
        NotationPair::new(|way| notation::piece_name(position, square, way).unwrap_or_default())
    }

    /// The text in this notation, if it is one of the two.
    pub fn get(&self, notation: Notation) -> Option<&str> {
        match notation {
            Notation::Chinese => Some(&self.chinese),
            Notation::Wxf => Some(&self.wxf),
            Notation::Iccs | Notation::Uci => None,
        }
    }
}

impl NotationPair<Vec<String>> {
    /// The moves of a line.
    pub fn of_line(start: &Position, moves: &[Move]) -> NotationPair<Vec<String>> {
        NotationPair::new(|way| notation::format_line(start, moves, way))
    }
}
