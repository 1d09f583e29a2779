//! Which pieces belong to which side: two clusters of colour over the whole board, named by the network and by redness.

use crate::network::{EMPTY, JUNK, Seen};
use crate::pixels::{FILES, PATCH, POINTS, STEP, Scaled, median};

const FEATURES: usize = 9;
type Features = [f32; FEATURES];

/// The mean colour of a piece, that of its ink, and that of the disc around the glyph.
fn features(board: &Scaled, point: usize) -> Features {
    let (top, left) = (point / FILES * STEP, point % FILES * STEP);
    let middle = (PATCH as f32 - 1.0) / 2.0;
    let mut inside: Vec<[f32; 3]> = Vec::new();
    let mut around: [Vec<f32>; 3] = Default::default();
    for y in 0..PATCH {
        for x in 0..PATCH {
            let away = (x as f32 - middle).hypot(y as f32 - middle) / STEP as f32;
            let at = ((top + y) * board.width + left + x) * 3;
            let colour = [board.rgb[at], board.rgb[at + 1], board.rgb[at + 2]].map(f32::from);
            if away < 0.33 {
                inside.push(colour);
            }
            if (0.29..0.38).contains(&away) {
                (0..3).for_each(|c| around[c].push(colour[c]));
            }
        }
    }
    let mean = |pixels: &[[f32; 3]]| -> [f32; 3] {
        std::array::from_fn(|c| pixels.iter().map(|p| p[c]).sum::<f32>() / pixels.len().max(1) as f32)
    };
    // The disc is what most pixels are like; ink is what is least like it.
    let disc = around.map(|values| median(values, f32::total_cmp));
    let whole = mean(&inside);
    inside.sort_unstable_by(|a, b| {
        let away = |p: &[f32; 3]| (0..3).map(|c| (p[c] - disc[c]).powi(2)).sum::<f32>();
        away(b).total_cmp(&away(a))
    });
    // An arrow over a piece is less than half of what is unlike the disc.
    let ink =
        std::array::from_fn(|c| median(inside[..inside.len() / 4].iter().map(|p| p[c]).collect(), f32::total_cmp));
    [whole, ink, disc].map(apart).concat().try_into().unwrap_or_default()
}

/// A colour's light, and how red and how yellow it is: light and shadow change the first alone.
fn apart([red, green, blue]: [f32; 3]) -> [f32; 3] {
    [(red + green + blue) / 3.0f32.sqrt(), (red - green) / 2.0f32.sqrt(), (red + green - 2.0 * blue) / 6.0f32.sqrt()]
}

/// How much redder than the rest a colour is.
fn redness(f: &Features) -> f32 {
    // What red has more than the mean of green and blue.
    let of = |c: &[f32]| 1.06 * c[1] + 0.61 * c[2];
    of(&f[..3]) + of(&f[3..6]) + of(&f[6..])
}

/// A way to divide the pieces.
pub(crate) struct Division {
    /// How much speaks for black at each point, in units of a logit.
    pub(crate) black: Vec<f32>,
    /// What speaks against it: colours that are spread as wide within a side as between the sides.
    pub(crate) cost: f32,
}

/// What a piece counts for in the cost of a division.
const SPREAD: f32 = 0.15;

/// What the distance of one number to a side counts for at most, in squares of its spread.
const FARTHEST: f32 = 16.0;
/// What the network sees on a piece alone is a witness if it is as sure as this.
const WITNESS: f32 = 2.5;
/// Where it agrees with the colours of so many of the pieces, it is believed to know this set.
const KNOWN_SET: f32 = 0.85;
/// What is left of the colours' word where the witness says the opposite.
const CONTRADICTED: f32 = 0.7;

/// Ways to divide the pieces by their colours.
pub(crate) fn divisions(board: &Scaled, seen: &[Seen]) -> Vec<Division> {
    let share = |s: &Seen| {
        let top = s.classes.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let all: f32 = s.classes.iter().map(|c| (c - top).exp()).sum();
        s.classes
            .iter()
            .enumerate()
            .filter(|(i, _)| *i != EMPTY && *i != JUNK)
            .map(|(_, c)| (c - top).exp())
            .sum::<f32>()
            / all
    };
    let weights: Vec<f32> = seen.iter().map(share).collect();
    let colours: Vec<Features> =
        (0..POINTS).map(|i| if weights[i] > 0.05 { features(board, i) } else { [0.0; FEATURES] }).collect();
    let pieces: Vec<usize> = (0..POINTS).filter(|&i| weights[i] > 0.5).collect();
    let alone: Vec<f32> = seen.iter().map(|s| s.black.clamp(-5.0, 5.0)).collect();
    if pieces.len() < 2 {
        return vec![Division { black: alone, cost: 0.0 }];
    }
    let mut divisions = Vec::new();
    // From what the network sees, and from the widest spread of the colours.
    let spread = principal(&pieces, &colours);
    let toward_red: f32 = {
        let middle = pieces.iter().map(|&i| redness(&colours[i])).sum::<f32>() / pieces.len() as f32;
        pieces.iter().map(|&i| spread[i] * (redness(&colours[i]) - middle)).sum()
    };
    let sign = if toward_red > 0.0 { -1.0 } else { 1.0 };
    let by_colour: Vec<f32> = spread.iter().map(|v| v * sign).collect();
    for start in [&alone, &by_colour] {
        let (clusters, within) = settle(&pieces, &colours, start, &weights);
        let all = spread_within(&pieces, &colours, &vec![0.0; POINTS], &weights).1;
        let narrower: f32 = within.iter().zip(&all).map(|(w, a)| (w / a).ln()).sum::<f32>() / FEATURES as f32;
        for sign in [1.0, -1.0] {
            let contradicts = |i: usize| sign * clusters[i] * alone[i] < 0.0 && alone[i].abs() > WITNESS;
            let agreeing = pieces.iter().filter(|&&i| !contradicts(i)).count() as f32 / pieces.len() as f32;
            let black = (0..POINTS)
                .map(|i| {
                    let together = sign * clusters[i] + alone[i] * 0.4;
                    let is_doubtful = agreeing >= KNOWN_SET && contradicts(i);
                    if is_doubtful { together.clamp(-CONTRADICTED, CONTRADICTED) } else { together }
                })
                .collect();
            // What the network sees of each piece alone.
            let against: f32 =
                pieces.iter().map(|&i| (1.0 + (-sign * clusters[i].signum() * alone[i] * 0.5).exp()).ln()).sum();
            divisions.push(Division { black, cost: against + narrower * SPREAD * pieces.len() as f32 });
        }
    }
    divisions
}

/// Each piece's place along the widest spread of the colours.
fn principal(pieces: &[usize], colours: &[Features]) -> Vec<f32> {
    let n = pieces.len() as f32;
    let mean: Features = std::array::from_fn(|c| pieces.iter().map(|&i| colours[i][c]).sum::<f32>() / n);
    let mut axis: Features = std::array::from_fn(|c| 1.0 + c as f32 * 0.1);
    for _ in 0..30 {
        let mut next = [0.0; FEATURES];
        for &i in pieces {
            let along: f32 = (0..FEATURES).map(|c| (colours[i][c] - mean[c]) * axis[c]).sum();
            (0..FEATURES).for_each(|c| next[c] += along * (colours[i][c] - mean[c]));
        }
        let length = next.iter().map(|v| v * v).sum::<f32>().sqrt().max(1e-6);
        axis = next.map(|v| v / length);
    }
    (0..POINTS).map(|i| (0..FEATURES).map(|c| (colours[i][c] - mean[c]) * axis[c]).sum::<f32>() / 20.0).collect()
}

/// Two clusters grown from a first guess: how much nearer to black's each point is, and how far the colours spread in them.
fn settle(pieces: &[usize], colours: &[Features], start: &[f32], weights: &[f32]) -> (Vec<f32>, Features) {
    let mut logits = start.to_vec();
    for _ in 0..8 {
        let (means, spread) = spread_within(pieces, colours, &logits, weights);
        for (i, logit) in logits.iter_mut().enumerate() {
            // A mark can change one number as far as it likes.
            let far = |side: usize| {
                (0..FEATURES).map(|c| ((colours[i][c] - means[side][c]).powi(2) / spread[c]).min(FARTHEST)).sum::<f32>()
            };
            // The numbers depend on each other: a third of what they would say alone.
            *logit = ((far(0) - far(1)) / 6.0).clamp(-7.0, 7.0);
        }
    }
    let (_, spread) = spread_within(pieces, colours, &logits, weights);
    (logits, spread)
}

/// The mean colours of both sides, and how far their pieces spread around them.
fn spread_within(pieces: &[usize], colours: &[Features], logits: &[f32], weights: &[f32]) -> ([Features; 2], Features) {
    let mut sums = [[1e-3; FEATURES]; 2];
    let mut totals = [1e-3; 2];
    let shares = |i: usize| {
        let black = 1.0 / (1.0 + (-logits[i]).exp());
        [(0, 1.0 - black), (1, black)]
    };
    for &i in pieces {
        for (side, share) in shares(i) {
            totals[side] += share * weights[i];
            (0..FEATURES).for_each(|c| sums[side][c] += share * weights[i] * colours[i][c]);
        }
    }
    let means: [Features; 2] = std::array::from_fn(|s| sums[s].map(|v| v / totals[s]));
    let mut spread = [0.0; FEATURES];
    for &i in pieces {
        for (side, share) in shares(i) {
            (0..FEATURES).for_each(|c| spread[c] += share * (colours[i][c] - means[side][c]).powi(2));
        }
    }
    (means, spread.map(|v| v / pieces.len() as f32 + 36.0))
}
