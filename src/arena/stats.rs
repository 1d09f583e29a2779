//! What results are worth: Elo with its error from game pairs, and the likelihood of superiority.
//!
//! Both games of a pair begin from the same opening with colours swapped, so they are not independent. Counting
//! pairs by their points (0, ½, 1, 1½, 2: the pentanomial) takes the opening's own bias out of the variance.

/// Pairs by the points of the engine in question: index 0 is no point, index 4 both.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Pentanomial(pub [u64; 5]);

/// Pairs below which neither an error nor a likelihood is told: the spread of so few says nothing.
pub const MIN_PAIRS: u64 = 5;

/// A value and how far it may be off, with 95 % confidence.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    pub value: f64,
    /// Half the width of the interval; unknown with less than a handful of pairs, and while all are alike.
    pub error: Option<f64>,
    /// Where one side made every point, which speaks for an infinite value: what it is beyond, with 95 % confidence.
    pub bound: Option<f64>,
}

impl Pentanomial {
    pub fn count(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Adds a pair in which so many half points were made (0 to 4).
    pub fn add(&mut self, half_points: usize) {
        self.0[half_points.min(4)] += 1;
    }

    /// The same pairs from the opponent's side.
    pub fn reversed(&self) -> Pentanomial {
        let mut counts = self.0;
        counts.reverse();
        Pentanomial(counts)
    }

    /// The sum of two sets of pairs.
    pub fn plus(&self, other: &Pentanomial) -> Pentanomial {
        Pentanomial(std::array::from_fn(|index| self.0[index] + other.0[index]))
    }

    /// Mean and variance of a pair's score, which goes from 0 to 1. `None` without pairs.
    pub fn moments(&self) -> Option<(f64, f64)> {
        let count = self.count() as f64;
        if count == 0.0 {
            return None;
        }
        let weighted = |value: &dyn Fn(f64) -> f64| -> f64 {
            self.0.iter().enumerate().map(|(index, &n)| n as f64 * value(index as f64 / 4.0)).sum::<f64>() / count
        };
        let mean = weighted(&|score| score);
        Some((mean, weighted(&|score| (score - mean).powi(2))))
    }

    /// The Elo difference that the score speaks for. `None` without pairs; infinite when one side made every point.
    pub fn elo(&self) -> Option<Estimate> {
        let (mean, variance) = self.moments()?;
        let reach = 1.959_963_985 * (variance / self.count() as f64).sqrt();
        let low = elo_of_score((mean - reach).max(0.0));
        let high = elo_of_score((mean + reach).min(1.0));
        let error = self.reliable_error((high - low) / 2.0);
        Some(Estimate { value: elo_of_score(mean), error, bound: self.sweep_bound() })
    }

    /// Whoever may expect a share `s` of the points takes both of a pair with a chance of `s` at most, however the two
    /// games hang together: shares for which all pairs would go one way once in twenty times are not ruled out. Less than
    /// a handful of pairs does not even say who is the stronger one.
    fn sweep_bound(&self) -> Option<f64> {
        let count = self.count();
        let share = 0.05f64.powf(1.0 / count as f64);
        match self.0 {
            [lost, 0, 0, 0, 0] if lost >= MIN_PAIRS => Some(elo_of_score(1.0 - share)),
            [0, 0, 0, 0, won] if won >= MIN_PAIRS => Some(elo_of_score(share)),
            _ => None,
        }
    }

    /// The Elo difference in units of the noise of a game, which does not depend on how many games are drawn.
    pub fn normalized_elo(&self) -> Option<Estimate> {
        let (mean, variance) = self.moments().filter(|(_, variance)| *variance > 0.0)?;
        // A pair is the mean of two games: its variance is half that of a game.
        let unit = 800.0 / 10f64.ln() / (2.0 * variance).sqrt();
        let error = 1.959_963_985 * (variance / self.count() as f64).sqrt() * unit;
        Some(Estimate { value: (mean - 0.5) * unit, error: self.reliable_error(error), bound: None })
    }

    /// An error that is worth telling.
    fn reliable_error(&self, error: f64) -> Option<f64> {
        (self.count() >= MIN_PAIRS && error.is_finite() && error > 0.0).then_some(error)
    }

    /// The likelihood that the engine is the stronger one, from 0 to 1. `None` with less than a handful of pairs.
    pub fn likelihood_of_superiority(&self) -> Option<f64> {
        let (mean, variance) = self.moments().filter(|_| self.count() >= MIN_PAIRS)?;
        let deviation = (variance / self.count() as f64).sqrt();
        // Pairs that are all alike have no spread to measure by. An equal opponent would have had each of them
        // with one chance in two.
        let luck = 0.5f64.powf(self.count() as f64);
        Some(match (deviation > 0.0, mean) {
            (true, _) => normal_cdf((mean - 0.5) / deviation),
            (false, mean) if mean > 0.5 => 1.0 - luck,
            (false, mean) if mean < 0.5 => luck,
            _ => 0.5,
        })
    }
}

/// The Elo difference at which this score is expected.
pub fn elo_of_score(score: f64) -> f64 {
    -400.0 * (1.0 / score - 1.0).log10()
}

/// The score expected at an Elo difference.
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The standard normal distribution function, from a continued fraction for the tail (Laplace) and a power
/// series near zero (Marsaglia 2004).
pub fn normal_cdf(x: f64) -> f64 {
    let density = (-x * x / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt();
    if x.abs() < 5.0 {
        let (mut term, mut sum, mut divisor) = (x, x, 3.0);
        while term.abs() > 1e-17 {
            term *= x * x / divisor;
            sum += term;
            divisor += 2.0;
        }
        return 0.5 + sum * density;
    }
    let fraction = (1..60).rev().fold(x.abs(), |rest, k| x.abs() + f64::from(k) / rest);
    let tail = density / fraction;
    if x > 0.0 { 1.0 - tail } else { tail }
}
