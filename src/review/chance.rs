//! What a score means: the part of the points that a side can expect, from 0 to 1.
//!
//! This is the one place that knows how scores become chances; everything in a review is weighed by what it says.

use crate::types::{Color, Score, score};

/// The lead, in hundredths of a minor piece, at which half of the games are won.
const HALF: f64 = 100.0;
/// How fast leads become wins.
const SLOPE: f64 = 35.0;

/// The part of the points that the side of this score can expect: its wins, and half of its draws.
pub fn chance(value: Score) -> f64 {
    if score::is_decided(value) {
        return if value > 0 { 1.0 } else { 0.0 };
    }
    let wins = |lead: f64| 1.0 / (1.0 + (-(lead - HALF) / SLOPE).exp());
    let lead = f64::from(value);
    (1.0 + wins(lead) - wins(-lead)) / 2.0
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
    /// The standing of whoever has this score.
    pub fn of(score: Score) -> Standing {
        Standing { score, chance: chance(score) }
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
        let mut last = 0.0;
        for value in (-3000..=3000).step_by(10) {
            let now = chance(value);
            assert!(now >= last && (chance(-value) + now - 1.0).abs() < 1e-9, "{value}");
            last = now;
        }
        assert_eq!((chance(0), chance(score::mate_in(9)), chance(score::mated_in(9))), (0.5, 1.0, 0.0));
    }
}
