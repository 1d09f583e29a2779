//! Elo, its error and LOS, against independently computed values.

use chuhe_lab::arena::stats::{EloModel, Pentanomial, Sprt, SprtVerdict, elo_of_score, normal_cdf, score_of_elo};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

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

/// Computed by an independent program that maximises both likelihoods over the five probabilities with Newton steps on
/// the constrained problem: pairs, then the ratios for [0, 5], [0, 10] and [-5, 0].
const RATIOS: [([u64; 5], [f64; 3]); 5] = [
    ([10, 20, 40, 25, 5], [-0.17856436041538237, -0.43748623289033506, -0.09841440973017423]),
    ([273, 10788, 24149, 11122, 276], [-18.403698091221003, -111.32717924968698, 56.19351619407996]),
    ([3, 40, 100, 60, 9], [1.2092640830675134, 2.1712102495194205, 1.4486023617355834]),
    ([0, 7, 30, 12, 1], [0.41473569221786744, 0.7353378344119894, 0.5068695795848293]),
    ([50, 30, 20, 10, 2], [-1.505266482180627, -3.036864312758715, -1.478689044511221]),
];

#[test]
fn log_likelihood_ratio_equals_that_of_an_independent_program() {
    for (counts, ratios) in RATIOS {
        for ((elo0, elo1), expected) in [(0.0, 5.0), (0.0, 10.0), (-5.0, 0.0)].into_iter().zip(ratios) {
            let ratio = Sprt { elo0, elo1, ..Sprt::default() }.log_likelihood_ratio(&Pentanomial(counts));
            assert!((ratio - expected).abs() < 1e-6, "{counts:?} [{elo0}, {elo1}]: {ratio}, not {expected}");
        }
    }
}

/// The normalized Elo of a record is the likeliest hypothesis.
#[test]
fn normalized_elo_is_measured_in_deviations_of_a_game() {
    let ratio = |elo0: f64, elo1: f64, counts| {
        Sprt { elo0, elo1, model: EloModel::Normalized, ..Sprt::default() }.log_likelihood_ratio(&Pentanomial(counts))
    };
    for counts in [[10, 20, 40, 25, 5], [3, 40, 100, 60, 9], [0, 7, 30, 12, 1], [50, 30, 20, 10, 2]] {
        let measured = Pentanomial(counts).normalized_elo().expect("an estimate").value;
        for away in [-40.0, -10.0, 10.0, 40.0] {
            assert!(ratio(measured + away, measured, counts) > 0.0, "{counts:?} {away}");
        }
        // Near the estimate the ratio is that of a normal distribution of the estimate.
        let error = Pentanomial(counts).normalized_elo().expect("an estimate").error.expect("an error") / 1.959_963_985;
        let expected = (10.0 / error).powi(2) / 2.0;
        let found = ratio(measured - 10.0, measured, counts);
        // The deviation is measured as well, which counts where the score is far from one half.
        let is_even = measured.abs() < 100.0;
        assert!(!is_even || (found / expected - 1.0).abs() < 0.05, "{counts:?}: {found}, not {expected}");
    }
    // Small differences are the same in both models but for the unit.
    let counts = [273, 10788, 24149, 11122, 276];
    let (_, variance) = Pentanomial(counts).moments().expect("pairs");
    let unit = 2.0 * (2.0 * variance).sqrt();
    let logistic = Sprt { elo0: 0.0, elo1: 5.0, ..Sprt::default() }.log_likelihood_ratio(&Pentanomial(counts));
    let normalized = ratio(0.0, 5.0 / unit, counts);
    assert!((normalized / logistic - 1.0).abs() < 0.02, "{normalized} and {logistic}");
}

#[test]
fn sprt_bounds_are_those_of_wald() {
    let (lower, upper) = Sprt::default().bounds();
    assert!((upper - 2.944_438_979).abs() < 1e-8 && (lower + 2.944_438_979).abs() < 1e-8);
    let (lower, upper) = Sprt { alpha: 0.05, beta: 0.10, ..Sprt::default() }.bounds();
    assert!((upper - 2.890_371_758).abs() < 1e-8 && (lower + 2.251_291_799).abs() < 1e-8);
}

#[test]
fn sprt_is_open_without_games() {
    assert_eq!(Sprt::default().decide(&Pentanomial::default()), SprtVerdict::Open);
}

/// Pair probabilities with the mean of this Elo difference and the variance of real matches.
fn model(elo: f64) -> [f64; 5] {
    let base = [0.04, 0.21, 0.48, 0.22, 0.05];
    let mean = |tilt: f64| {
        let weights: Vec<f64> = (0..5).map(|index| base[index] * (tilt * index as f64).exp()).collect();
        let total: f64 = weights.iter().sum();
        let mean = (0..5).map(|index| weights[index] / total * index as f64 / 4.0).sum::<f64>();
        (mean, std::array::from_fn(|index| weights[index] / total))
    };
    let (mut low, mut high) = (-5.0, 5.0);
    for _ in 0..80 {
        let middle = (low + high) / 2.0;
        if mean(middle).0 < score_of_elo(elo) { low = middle } else { high = middle }
    }
    mean(low).1
}

/// How many of `tests` simulated tests accept H1 at this true Elo difference.
fn accepted(sprt: &Sprt, elo: f64, tests: usize, random: &mut StdRng) -> usize {
    let probabilities = model(elo);
    let run = |random: &mut StdRng| {
        let mut pairs = Pentanomial::default();
        loop {
            let mut rest: f64 = random.random();
            let score = probabilities.iter().position(|p| {
                rest -= p;
                rest < 0.0
            });
            pairs.add(score.unwrap_or(4));
            match sprt.decide(&pairs) {
                SprtVerdict::Open => {}
                decision => return decision == SprtVerdict::H1,
            }
        }
    };
    (0..tests).filter(|_| run(random)).count()
}

#[test]
fn sprt_error_rates_stay_within_alpha_and_beta() {
    let sprt = Sprt { elo0: 0.0, elo1: 40.0, alpha: 0.05, beta: 0.10, ..Sprt::default() };
    let mut random = StdRng::seed_from_u64(7);
    const TESTS: usize = 1500;
    // Three standard deviations of the count above the limit.
    let most = |rate: f64| (TESTS as f64 * rate + 3.0 * (TESTS as f64 * rate * (1.0 - rate)).sqrt()) as usize;
    let false_alarms = accepted(&sprt, 0.0, TESTS, &mut random);
    assert!(false_alarms <= most(sprt.alpha), "{false_alarms} of {TESTS} false alarms");
    assert!(false_alarms >= TESTS / 100, "so few false alarms ({false_alarms}) mean that it plays too long");
    let missed = TESTS - accepted(&sprt, 40.0, TESTS, &mut random);
    assert!(missed <= most(sprt.beta), "{missed} of {TESTS} missed");
    // Below H0 almost never accepted, above H1 almost always.
    assert!(accepted(&sprt, -40.0, 300, &mut random) <= 3);
    assert!(accepted(&sprt, 80.0, 300, &mut random) >= 295);
}
