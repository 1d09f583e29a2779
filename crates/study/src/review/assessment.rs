//! The assessment of a position: its score and expected result.

pub use chuhe_engine::nnue::win_rate::expected_score;
use chuhe_engine::score::Score;
use xiangqi::{Color, Position};

/// An assessment from one side's view.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Assessment {
    /// The score of the search.
    pub score: Score,
    /// The expected result, from 0 to 1.
    pub chance: f64,
}

impl Assessment {
    /// The assessment for the side to move with this score.
    pub fn of(score: Score, position: &Position) -> Assessment {
        Assessment { score, chance: expected_score(score, position) }
    }

    /// The same for the other side.
    pub fn opposite(self) -> Assessment {
        Assessment { score: -self.score, chance: 1.0 - self.chance }
    }

    /// Converts between this side's view and red's.
    pub fn from_red(self, side: Color) -> Assessment {
        if side == Color::Red { self } else { self.opposite() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chuhe_engine::score;

    #[test]
    fn chances_increase_with_the_score_and_add_up_to_one() {
        let ending = Position::from_fen("3ak4/4a4/9/9/4p4/9/9/4C4/9/3AK4 w").expect("a position");
        for position in [Position::start(), ending] {
            let chance = |value| expected_score(value, &position);
            let mut last = 0.0;
            for value in (-12_000..=12_000).step_by(10) {
                let now = chance(value);
                assert!(now >= last && (chance(-value) + now - 1.0).abs() < 1e-9, "{value}");
                last = now;
            }
            assert_eq!((chance(0), chance(score::mate_in(9)), chance(score::mated_in(9))), (0.5, 1.0, 0.0));
        }
    }
}
