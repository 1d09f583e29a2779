//! The sequential probability ratio test (SPRT), which stops a match as soon as it is decided.
//!
//! The generalised test on game pairs: under each hypothesis the pair probabilities are the maximum likelihood estimate
//! whose mean score is the one the Elo difference predicts. The log-likelihood ratio is compared with Wald's bounds.
//! CITE: M. Van den Bergh, "The generalized maximum likelihood ratio for the expectation value of a distribution"
//! (2019); for normalized Elo: the same, "A practical introduction to normalized Elo" (2021).

use super::stats::{Pentanomial, score_of_elo};

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
