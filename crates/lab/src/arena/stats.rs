//! Match statistics: Elo with its error from game pairs, and the likelihood of superiority (LOS).
//!
//! Both games of a pair start from the same opening with colours swapped, so they are not independent. Counting pairs
//! by their points (0, ½, 1, 1½, 2: the pentanomial) removes the opening's bias from the variance.
//!
//! The sequential probability ratio test (SPRT), which stops a match as soon as it is decided.
//!
//! The generalised test on game pairs: under each hypothesis the pair probabilities are the maximum likelihood estimate
//! whose mean score is the one the Elo difference predicts. The log-likelihood ratio is compared with Wald's bounds.
//! CITE: M. Van den Bergh, "The generalized maximum likelihood ratio for the expectation value of a distribution"
//! (2019); for normalized Elo: the same, "A practical introduction to normalized Elo" (2021).

/// Counts of pairs by the points of the first engine: index 0 is no point, index 4 two points.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Pentanomial(pub [u64; 5]);

/// With fewer pairs no error and no likelihood is reported.
pub const MIN_PAIRS: u64 = 5;

/// A value with its 95 % error.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    pub value: f64,
    /// Half the width of the interval; `None` with fewer than [`MIN_PAIRS`] pairs, and while all pairs are equal.
    pub error: Option<f64>,
    /// If one side won every game (infinite value): the 95 % confidence bound.
    pub bound: Option<f64>,
}

impl Pentanomial {
    pub fn count(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Adds a pair with this many half points (0 to 4).
    pub fn add(&mut self, half_points: usize) {
        self.0[half_points.min(4)] += 1;
    }

    /// The pairs from the opponent's side.
    pub fn reversed(&self) -> Pentanomial {
        let mut counts = self.0;
        counts.reverse();
        Pentanomial(counts)
    }

    pub fn plus(&self, other: &Pentanomial) -> Pentanomial {
        Pentanomial(std::array::from_fn(|index| self.0[index] + other.0[index]))
    }

    /// Mean and variance of a pair's score, scaled to 0..1. `None` without pairs.
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

    /// The Elo difference of the score. `None` without pairs; infinite if one side won every game.
    pub fn elo(&self) -> Option<Estimate> {
        let (mean, variance) = self.moments()?;
        let margin = 1.959_963_985 * (variance / self.count() as f64).sqrt();
        let low = elo_of_score((mean - margin).max(0.0));
        let high = elo_of_score((mean + margin).min(1.0));
        let error = self.reliable_error((high - low) / 2.0);
        Some(Estimate { value: elo_of_score(mean), error, bound: self.sweep_bound() })
    }

    /// The Elo bound for a match in which one side won every game. An engine with expected score `s` wins both games of
    /// a pair with probability at most `s`, so scores at which all pairs would be won with probability 5 % are not
    /// ruled out.
    fn sweep_bound(&self) -> Option<f64> {
        let count = self.count();
        let share = 0.05f64.powf(1.0 / count as f64);
        match self.0 {
            [lost, 0, 0, 0, 0] if lost >= MIN_PAIRS => Some(elo_of_score(1.0 - share)),
            [0, 0, 0, 0, won] if won >= MIN_PAIRS => Some(elo_of_score(share)),
            _ => None,
        }
    }

    /// Normalized Elo: the score difference in units of a game's standard deviation, independent of the draw rate.
    pub fn normalized_elo(&self) -> Option<Estimate> {
        let (mean, variance) = self.moments().filter(|(_, variance)| *variance > 0.0)?;
        // The score of a pair is the mean of two games: its variance is half that of a game.
        let unit = 800.0 / 10f64.ln() / (2.0 * variance).sqrt();
        let error = 1.959_963_985 * (variance / self.count() as f64).sqrt() * unit;
        Some(Estimate { value: (mean - 0.5) * unit, error: self.reliable_error(error), bound: None })
    }

    /// The error, if there are enough pairs and it is finite and positive.
    fn reliable_error(&self, error: f64) -> Option<f64> {
        (self.count() >= MIN_PAIRS && error.is_finite() && error > 0.0).then_some(error)
    }

    /// The probability that the first engine is stronger. `None` with fewer than [`MIN_PAIRS`] pairs.
    pub fn likelihood_of_superiority(&self) -> Option<f64> {
        let (mean, variance) = self.moments().filter(|_| self.count() >= MIN_PAIRS)?;
        let deviation = (variance / self.count() as f64).sqrt();
        // Equal pairs have no variance. An equal opponent would score each of them with probability 1/2.
        let by_chance = 0.5f64.powf(self.count() as f64);
        Some(match (deviation > 0.0, mean) {
            (true, _) => normal_cdf((mean - 0.5) / deviation),
            (false, mean) if mean > 0.5 => 1.0 - by_chance,
            (false, mean) if mean < 0.5 => by_chance,
            _ => 0.5,
        })
    }
}

/// The Elo difference that predicts this score.
pub fn elo_of_score(score: f64) -> f64 {
    -400.0 * (1.0 / score - 1.0).log10()
}

/// The expected score at an Elo difference.
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

/// What the Elo differences of the hypotheses are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum EloModel {
    /// Differences of the expected score.
    #[default]
    Logistic,
    /// Differences of the score in units of a game's standard deviation.
    Normalized,
}

impl EloModel {
    pub fn name(self) -> &'static str {
        match self {
            EloModel::Logistic => "logistic",
            EloModel::Normalized => "normalized",
        }
    }
}

/// Two hypotheses and the allowed error probabilities.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sprt {
    /// The Elo difference of the null hypothesis.
    pub elo0: f64,
    /// The Elo difference of the alternative.
    pub elo1: f64,
    /// Allowed probability of accepting the alternative when the null hypothesis is true.
    pub alpha: f64,
    /// Allowed probability of accepting the null hypothesis when the alternative is true.
    pub beta: f64,
    pub model: EloModel,
}

impl Default for Sprt {
    fn default() -> Sprt {
        Sprt { elo0: 0.0, elo1: 5.0, alpha: 0.05, beta: 0.05, model: EloModel::Logistic }
    }
}

/// The state of the test.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SprtVerdict {
    Open,
    /// The alternative is accepted.
    H1,
    /// The null hypothesis is accepted.
    H0,
}

impl Sprt {
    /// The bounds of the log-likelihood ratio: H0 is accepted below the first, H1 above the second.
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The log-likelihood ratio of the alternative to the null hypothesis.
    pub fn log_likelihood_ratio(&self, pairs: &Pentanomial) -> f64 {
        if pairs.count() == 0 {
            return 0.0;
        }
        // A small count for unseen results keeps both likelihoods positive.
        let counts = pairs.0.map(|count| if count == 0 { 1e-3 } else { count as f64 });
        let total: f64 = counts.iter().sum();
        let frequencies = counts.map(|count| count / total);
        let likeliest = |elo: f64| match self.model {
            EloModel::Logistic => mle_with_mean(&frequencies, score_of_elo(elo)),
            EloModel::Normalized => mle_with_normalized_elo(&frequencies, elo),
        };
        let (null, alternative) = (likeliest(self.elo0), likeliest(self.elo1));
        (0..5).map(|index| counts[index] * (alternative[index] / null[index]).ln()).sum()
    }

    /// The verdict after these pairs.
    pub fn decide(&self, pairs: &Pentanomial) -> SprtVerdict {
        let (lower, upper) = self.bounds();
        match self.log_likelihood_ratio(pairs) {
            ratio if ratio >= upper => SprtVerdict::H1,
            ratio if ratio <= lower => SprtVerdict::H0,
            _ => SprtVerdict::Open,
        }
    }
}

/// The maximum likelihood probabilities of the five pair scores under the constraint of this mean.
fn mle_with_mean(frequencies: &[f64; 5], mean: f64) -> [f64; 5] {
    mle_with_offsets(frequencies, &std::array::from_fn(|index| pair_score(index) - mean))
}

/// The same under the constraint that the mean score is so far from one half, in units of a game's standard deviation.
///
/// The constraint depends on the deviation of the probabilities that are looked for, so it is linearized at the last
/// estimate until that no longer changes.
fn mle_with_normalized_elo(frequencies: &[f64; 5], elo: f64) -> [f64; 5] {
    // The score of a pair is the mean of two games: its variance is half that of a game.
    let units = elo * 10f64.ln() / 800.0 * 2f64.sqrt();
    let mut estimate = *frequencies;
    for _ in 0..MAX_ITERATIONS {
        let average = |value: &dyn Fn(f64) -> f64| -> f64 {
            (0..5).map(|index| estimate[index] * value(pair_score(index))).sum()
        };
        let mean = average(&|score| score);
        let deviation = average(&|score| (score - mean).powi(2)).sqrt();
        let offsets: [f64; 5] = std::array::from_fn(|index| {
            let distance = (pair_score(index) - mean) / deviation;
            pair_score(index) - 0.5 - units * deviation * (1.0 + distance * distance) / 2.0
        });
        // Nothing has this mean: far outside of what can be measured.
        if offsets.iter().all(|offset| *offset >= 0.0) || offsets.iter().all(|offset| *offset <= 0.0) {
            break;
        }
        let next = mle_with_offsets(frequencies, &offsets);
        let change = (0..5).map(|index| (next[index] - estimate[index]).abs()).fold(0.0, f64::max);
        estimate = next;
        if change < 1e-9 {
            break;
        }
    }
    estimate
}

/// The most steps of the approximation for normalized Elo.
const MAX_ITERATIONS: usize = 20;

/// The score of a pair of games with so many half points, from 0 to 1.
fn pair_score(half_points: usize) -> f64 {
    half_points as f64 / 4.0
}

/// The maximum likelihood probabilities under which the mean of these offsets is 0.
///
/// They are `f / (1 + x·offset)` for the one `x` that gives that mean; bisection finds it in the interval in which all of
/// them are positive.
fn mle_with_offsets(frequencies: &[f64; 5], offsets: &[f64; 5]) -> [f64; 5] {
    let drift =
        |x: f64| -> f64 { (0..5).map(|index| frequencies[index] * offsets[index] / (1.0 + x * offsets[index])).sum() };
    let (least, largest) =
        offsets.iter().fold((0.0f64, 0.0f64), |(low, high), &offset| (low.min(offset), high.max(offset)));
    let (mut low, mut high) = (-1.0 / largest, -1.0 / least);
    for _ in 0..100 {
        let middle = (low + high) / 2.0;
        if drift(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    let x = (low + high) / 2.0;
    std::array::from_fn(|index| frequencies[index] / (1.0 + x * offsets[index]))
}
