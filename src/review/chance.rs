//! What a score means: the part of the points that a side can expect, from 0 to 1.
//!
//! This is the one place that knows how scores become chances; everything in a review is weighed by what it says.

use crate::board::Position;
use crate::eval::win_rate::{WIN_RATE, material};
use crate::types::{Color, Score, score};

/// The part of the points that the side to move can expect of this score here: its wins, and half of its draws.
pub fn chance(value: Score, position: &Position) -> f64 {
    if score::is_decided(value) {
        return if value > 0 { 1.0 } else { 0.0 };
    }
    let [wins, losses] = WIN_RATE.at(material(position)).chances(f64::from(value));
    // In this order, so that nothing for either side is a half to the last bit.
    (1.0 + (wins - losses)) / 2.0
}

/// How a position stands, as one side sees it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Standing {
    /// In hundredths of a minor piece, or a mate and its like.
    pub score: Score,
    /// What can be expected of it.
    pub chance: f64,
}

impl Standing {
    /// The standing of the side to move that has this score.
    pub fn of(score: Score, position: &Position) -> Standing {
        Standing { score, chance: chance(score, position) }
    }

    /// The same for the other side.
    pub fn turned(self) -> Standing {
        Standing { score: -self.score, chance: 1.0 - self.chance }
    }

    /// Seen from red, if it is now seen from this side.
    pub fn from_red(self, side: Color) -> Standing {
        if side == Color::Red { self } else { self.turned() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_grow_with_the_score_and_add_up_to_one() {
        let ending = Position::from_fen("3ak4/4a4/9/9/4p4/9/9/4C4/9/3AK4 w").expect("a position");
        for position in [Position::start(), ending] {
            let chance = |value| chance(value, &position);
            let mut last = 0.0;
            for value in (-3000..=3000).step_by(10) {
                let now = chance(value);
                assert!(now >= last && (chance(-value) + now - 1.0).abs() < 1e-9, "{value}");
                last = now;
            }
            assert_eq!((chance(0), chance(score::mate_in(9)), chance(score::mated_in(9))), (0.5, 1.0, 0.0));
        }
    }
}
