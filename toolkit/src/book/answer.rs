//! The question that every book answers: what is played here?

use chuhe_engine::board::Position;
use chuhe_engine::language::Phrase;
use chuhe_engine::types::{Move, Score};
use thiserror::Error;

/// How games went for the side that made a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Games {
    pub won: u32,
    pub drawn: u32,
    pub lost: u32,
}

impl Games {
    /// How many there are.
    pub fn count(self) -> u64 {
        u64::from(self.won) + u64::from(self.drawn) + u64::from(self.lost)
    }

    /// Those of two books together.
    pub fn and(self, other: Games) -> Games {
        Games {
            won: self.won.saturating_add(other.won),
            drawn: self.drawn.saturating_add(other.drawn),
            lost: self.lost.saturating_add(other.lost),
        }
    }
}

/// A move of a book and what the book says about it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BookMove {
    pub mv: Move,
    /// How often it is to be played, beside the other moves; 0 = known, but not to be played.
    pub weight: u32,
    /// What it is worth to the side that makes it, in hundredths of a minor piece, if the book knows.
    pub score: Option<Score>,
    /// The games behind it, if the book counts them.
    pub games: Games,
}

/// Of a hundred choices among these moves so many fall on this one.
pub fn percent(entry: &BookMove, moves: &[BookMove]) -> f64 {
    let sum: u64 = moves.iter().map(|entry| u64::from(entry.weight)).sum();
    100.0 * f64::from(entry.weight) / (sum as f64).max(1.0)
}

/// Why a book does not answer any more.
#[derive(Debug, Error)]
#[error("{0}")]
pub struct ProbeError(pub String);

/// Who answers for a position?
pub trait Book: Send + Sync {
    /// The moves that the book has here as they stand in it. Keys of positions collide and files lie: some may be none.
    fn raw_moves(&self, position: &Position) -> Result<Vec<BookMove>, ProbeError>;

    /// The legal ones of them, the heaviest first. Empty if the book does not know the position.
    fn moves(&self, position: &Position) -> Result<Vec<BookMove>, ProbeError> {
        let mut moves = self.raw_moves(position)?;
        moves.retain(|entry| is_legal(position, entry.mv));
        moves.sort_by_key(|entry| (std::cmp::Reverse(entry.weight), entry.mv));
        Ok(moves)
    }

    /// How many entries it has, a move each, as far as it can tell: from there walks know what they missed.
    fn entries(&self) -> u64;

    /// What kind of book it is, in a few words.
    fn kind(&self) -> Phrase;
}

/// Whether a move out of a book may be made.
pub fn is_legal(position: &Position, mv: Move) -> bool {
    position.is_pseudo_legal(mv) && position.is_legal(mv)
}
