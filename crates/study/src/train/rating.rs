//! The rating of a person in tactics, after Glickman, "Example of the Glicko-2 system" (2013): a number, how far it may be off,
//! and how much it changes. Each tactic is an opponent of a known rating; so is the engine at a level, for the strength of a
//! person in games.

use std::f64::consts::PI;

/// The scale of the system, and its middle.
const SCALE: f64 = 173.7178;
const MIDDLE: f64 = 1500.0;
/// Where a person begins.
const FIRST: Rating = Rating { number: 1100.0, deviation: 350.0, volatility: 0.06 };
/// How much the volatility may change.
const TAU: f64 = 0.5;
/// How far the difficulty of a tactic may be off.
const TACTIC_DEVIATION: f64 = 80.0;
/// How far the strength of a level may be off.
const LEVEL_DEVIATION: f64 = 60.0;
/// The strength that an accuracy speaks for, in Elo: at no accuracy, for each part of a hundred, and how far one game is off.
/// Fitted to the games of `examples/own_level.rs`; `docs/levels.md` has the table.
const BY_ACCURACY: (f64, f64, f64) = (-6400.0, 100.0, 740.0);
/// Less than so many moves of a side say nothing about its accuracy.
pub const LEAST_MOVES: usize = 12;
/// The number is never taken for surer than this.
const LEAST_DEVIATION: f64 = 45.0;
/// The volatility is computed to this.
const PRECISION: f64 = 1e-6;

/// A game of a person against the engine.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RatedGame {
    /// The Elo of the engine's level.
    pub opponent: f64,
    /// 1 for a win, ½ for a draw.
    pub score: f64,
    /// The accuracy of the person, from 0 to 100, if the game was reviewed.
    pub accuracy: Option<f64>,
}

/// A rating.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rating {
    pub number: f64,
    /// Two of these around the number hold the true one nineteen times of twenty.
    pub deviation: f64,
    volatility: f64,
}

impl Default for Rating {
    fn default() -> Rating {
        FIRST
    }
}

impl Rating {
    /// The rating after these answers: difficulties, and whether they were right.
    pub fn after(answers: impl IntoIterator<Item = (u16, bool)>) -> Rating {
        answers.into_iter().fold(FIRST, |rating, (difficulty, is_right)| rating.updated(difficulty.into(), is_right))
    }

    /// The strength of a person who begins here, after games against the engine.
    pub fn after_games(first: f64, games: impl IntoIterator<Item = RatedGame>) -> Rating {
        games.into_iter().fold(Rating { number: first, ..FIRST }, |rating, game| {
            let rating = rating.updated_by(game.opponent, LEVEL_DEVIATION, game.score);
            game.accuracy.map_or(rating, |accuracy| rating.weighed(accuracy))
        })
    }

    /// The rating after a look at the moves of a game: the mean of both, each by how sure it is.
    fn weighed(self, accuracy: f64) -> Rating {
        let (base, slope, deviation) = BY_ACCURACY;
        let (own, other) = (self.deviation.powi(-2), deviation.powi(-2));
        let number = (self.number * own + (base + slope * accuracy) * other) / (own + other);
        Rating { number, deviation: (own + other).powf(-0.5).max(LEAST_DEVIATION), ..self }
    }

    /// The rating after a tactic.
    fn updated(self, difficulty: f64, is_right: bool) -> Rating {
        self.updated_by(difficulty, TACTIC_DEVIATION, f64::from(u8::from(is_right)))
    }

    /// The rating after a game against an opponent of this rating, which may be so far off: 1 is a win.
    fn updated_by(self, opponent: f64, deviation: f64, score: f64) -> Rating {
        let scaled = |number: f64| (number - MIDDLE) / SCALE;
        let (mu, phi) = (scaled(self.number), self.deviation / SCALE);
        let other = deviation / SCALE;
        let g = 1.0 / (1.0 + 3.0 * other * other / (PI * PI)).sqrt();
        let expected = 1.0 / (1.0 + (-g * (mu - scaled(opponent))).exp());
        let variance = 1.0 / (g * g * expected * (1.0 - expected));
        let surprise = g * (score - expected);
        let volatility = self.next_volatility(phi, variance, variance * surprise);
        let before = (phi * phi + volatility * volatility).sqrt();
        let phi = 1.0 / (1.0 / (before * before) + 1.0 / variance).sqrt();
        Rating {
            number: SCALE * (mu + phi * phi * surprise) + MIDDLE,
            deviation: (SCALE * phi).clamp(LEAST_DEVIATION, FIRST.deviation),
            volatility,
        }
    }

    /// The fifth step of the paper: the zero of a function, by the Illinois method.
    fn next_volatility(self, phi: f64, variance: f64, delta: f64) -> f64 {
        let a = (self.volatility * self.volatility).ln();
        let f = |x: f64| {
            let sum = phi * phi + variance + x.exp();
            x.exp() * (delta * delta - sum) / (2.0 * sum * sum) - (x - a) / (TAU * TAU)
        };
        let (mut low, mut high) = (a, (delta * delta - phi * phi - variance).max(f64::MIN_POSITIVE).ln());
        if delta * delta <= phi * phi + variance {
            let steps = (1..100).map(f64::from);
            high = steps.map(|step| a - step * TAU).find(|&x| f(x) >= 0.0).unwrap_or(a);
        }
        let (mut at_low, mut at_high) = (f(low), f(high));
        for _ in 0..100 {
            if (high - low).abs() <= PRECISION {
                break;
            }
            let next = low + (low - high) * at_low / (at_high - at_low);
            let at_next = f(next);
            if at_next * at_high <= 0.0 {
                (low, at_low) = (high, at_high);
            } else {
                at_low /= 2.0;
            }
            (high, at_high) = (next, at_next);
        }
        (low / 2.0).exp()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rating_agrees_with_the_example_of_the_paper_for_one_game() {
        // A player of 1500 ± 200 beats one of 1400 ± 30: the paper has 1.0 for the outcome and 0.639 expected.
        let player = Rating { number: 1500.0, deviation: 200.0, volatility: 0.06 };
        let after = player.updated(1400.0, true);
        assert!(after.number > 1550.0 && after.number < 1580.0, "{after:?}");
        assert!(after.deviation < 200.0 && (after.volatility - 0.06).abs() < 1e-3, "{after:?}");
    }

    #[test]
    fn rating_settles_where_half_is_solved() {
        let strong_at = |difficulty: u16| difficulty < 1400;
        let answers =
            (0..300).map(|index| 1200 + index * 37 % 400).map(|difficulty| (difficulty, strong_at(difficulty)));
        let rating = Rating::after(answers);
        assert!((rating.number - 1400.0).abs() < 120.0 && rating.deviation < 80.0, "{rating:?}");
        assert!(Rating::after([(1100, true)]).number > FIRST.number);
        assert!(Rating::after([(1100, false)]).number < FIRST.number);
    }
}
