//! The sequential probability ratio test (SPRT), which stops a match as soon as it is decided.
//!
//! The generalised test on game pairs: under each hypothesis the pair probabilities are the maximum likelihood estimate
//! whose mean score is the one the Elo difference predicts. The log-likelihood ratio is compared with Wald's bounds.
//! CITE: M. Van den Bergh, "The generalized maximum likelihood ratio for the expectation value of a distribution"
//! (2019).

use super::stats::{Pentanomial, score_of_elo};

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
}

impl Default for Sprt {
    fn default() -> Sprt {
        Sprt { elo0: 0.0, elo1: 5.0, alpha: 0.05, beta: 0.05 }
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
        let null = mle_with_mean(&frequencies, score_of_elo(self.elo0));
        let alternative = mle_with_mean(&frequencies, score_of_elo(self.elo1));
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
///
/// They are `f / (1 + x·(score - mean))` for the one `x` that gives the mean; bisection finds it in the interval in
/// which all of them are positive.
fn mle_with_mean(frequencies: &[f64; 5], mean: f64) -> [f64; 5] {
    let offset = |index: usize| index as f64 / 4.0 - mean;
    let drift =
        |x: f64| -> f64 { (0..5).map(|index| frequencies[index] * offset(index) / (1.0 + x * offset(index))).sum() };
    let (mut low, mut high) = (-1.0 / offset(4), -1.0 / offset(0));
    for _ in 0..100 {
        let middle = (low + high) / 2.0;
        if drift(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    let x = (low + high) / 2.0;
    std::array::from_fn(|index| frequencies[index] / (1.0 + x * offset(index)))
}
