//! Elo, its error and LOS, against independently computed values.

use chuhe_lab::arena::stats::{Pentanomial, elo_of_score, normal_cdf, score_of_elo};

fn close(left: f64, right: f64, tolerance: f64) {
    assert!((left - right).abs() <= tolerance, "{left} is not {right}");
}

/// Computed by an independent program in double precision, the distribution function by `erfc`:
/// pairs, Elo, error, superiority, normalised Elo, its error.
const REFERENCE: [([u64; 5], [f64; 5]); 5] = [
    (
        [10, 20, 40, 25, 5],
        [-8.687699877294557, 34.98712390477989, 0.31258654370758043, -12.001963149255113, 48.151230669094296],
    ),
    (
        [273, 10788, 24149, 11122, 276],
        [1.2672569401624414, 1.1341734579124798, 0.9857368885589236, 2.492113117400626, 2.2303712476422657],
    ),
    (
        [3, 40, 100, 60, 9],
        [26.27151025759109, 19.347253414773082, 0.9962566998762366, 45.12483449079614, 33.07040099765101],
    ),
    (
        [0, 7, 30, 12, 1],
        [24.36033165250981, 32.2050518325687, 0.9321146505507847, 51.82790821618693, 68.09612345718845],
    ),
    (
        [50, 30, 20, 10, 2],
        [-199.22206462212216, 47.50051997661403, 5.403464174863621e-25, -238.14736506157595, 45.49863631147491],
    ),
];

#[test]
fn pentanomial_statistics_equal_those_of_an_independent_program() {
    for (counts, [elo, error, superiority, normalized, normalized_error]) in REFERENCE {
        let pairs = Pentanomial(counts);
        let estimate = pairs.elo().expect("pairs");
        close(estimate.value, elo, 1e-6);
        close(estimate.error.expect("an error"), error, 1e-6);
        close(pairs.likelihood_of_superiority().expect("pairs"), superiority, 1e-9);
        let estimate = pairs.normalized_elo().expect("pairs");
        close(estimate.value, normalized, 1e-6);
        close(estimate.error.expect("an error"), normalized_error, 1e-6);
    }
}

#[test]
fn pentanomial_reversed_negates_elo() {
    for (counts, _) in REFERENCE {
        let (own, other) = (Pentanomial(counts), Pentanomial(counts).reversed());
        let (a, b) = (own.elo().expect("pairs"), other.elo().expect("pairs"));
        close(a.value, -b.value, 1e-9);
        close(a.error.expect("an error"), b.error.expect("an error"), 1e-9);
        close(
            own.likelihood_of_superiority().expect("pairs") + other.likelihood_of_superiority().expect("pairs"),
            1.0,
            1e-12,
        );
    }
}

#[test]
fn elo_scale_is_the_published_logistic_one() {
    // Odds of 10 to 1 are 400 Elo, a score of 0.75 is 191, and back.
    close(elo_of_score(10.0 / 11.0), 400.0, 1e-9);
    close(elo_of_score(0.75), 190.848_501_8, 1e-6);
    close(score_of_elo(200.0), 0.759_746_926_6, 1e-9);
    close(elo_of_score(score_of_elo(-37.5)), -37.5, 1e-9);
}

#[test]
fn normal_cdf_equals_the_published_tables() {
    for (x, value) in [
        (0.0, 0.5),
        (1.0, 0.841_344_746_068_543),
        (1.644_853_626_951_472, 0.95),
        (1.959_963_984_540_054, 0.975),
        (2.575_829_303_548_901, 0.995),
        (4.999, 0.999_999_711_87),
        (5.001, 0.999_999_714_83),
        (-3.090_232_306_167_813, 0.001),
    ] {
        close(normal_cdf(x), value, 1e-10);
    }
}

#[test]
fn pentanomial_with_too_few_pairs_gives_no_statistics() {
    assert!(Pentanomial::default().elo().is_none());
    assert!(Pentanomial::default().likelihood_of_superiority().is_none());
    assert!(Pentanomial([0, 0, 3, 0, 0]).normalized_elo().is_none());
    for few in [[0, 0, 3, 0, 0], [0, 0, 0, 0, 1], [0, 0, 0, 0, 4], [1, 0, 1, 0, 2]] {
        assert_eq!(Pentanomial(few).likelihood_of_superiority(), None, "{few:?}");
        assert_eq!(Pentanomial(few).elo().and_then(|elo| elo.error), None, "{few:?}");
    }
    assert_eq!(Pentanomial([0, 0, 5, 0, 0]).likelihood_of_superiority(), Some(0.5));
    // With equal pairs LOS grows with their number but never reaches certainty.
    assert_eq!(Pentanomial([0, 0, 0, 0, 5]).likelihood_of_superiority(), Some(1.0 - 1.0 / 32.0));
    assert_eq!(Pentanomial([5, 0, 0, 0, 0]).likelihood_of_superiority(), Some(1.0 / 32.0));
    assert_eq!(Pentanomial([0, 0, 0, 5, 0]).elo().and_then(|elo| elo.error), None);
}

#[test]
fn elo_of_a_sweep_has_a_bound() {
    // At this expected score five won pairs in a row have probability 5 %.
    let sweep = Pentanomial([0, 0, 0, 0, 5]).elo().expect("pairs");
    close(sweep.bound.expect("a bound"), 34.354_973, 1e-5);
    close(score_of_elo(sweep.bound.expect("a bound")).powi(5), 0.05, 1e-12);
    let swept = Pentanomial([50, 0, 0, 0, 0]).elo().expect("pairs");
    close(1.0 - score_of_elo(swept.bound.expect("a bound")), 0.05f64.powf(0.02), 1e-12);
    for pairs in [[0, 0, 0, 0, 4], [0, 0, 0, 1, 50], [0, 0, 9, 0, 0]] {
        assert_eq!(Pentanomial(pairs).elo().and_then(|elo| elo.bound), None, "{pairs:?}");
    }
}
