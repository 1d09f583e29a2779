//! The network during training: the NNUE architecture in floating point, with forward and backward pass.
//!
//! With several king buckets the feature weights are factorised: the weight of a feature in a bucket is the sum of a
//! weight shared by all buckets and its own, so that every position trains the shared part. `export` adds them up.

use super::samples::TrainingSample;
use super::settings::Settings;
use chuhe_engine::nnue::architecture::{Architecture, FEATURES, KingBuckets, OutputBuckets, feature_index};
use chuhe_engine::nnue::network::{Network, NetworkError, NetworkParts, OUTPUT_WEIGHT_LIMIT, QA, QB};
use chuhe_support::language::tr;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use thiserror::Error;
use xiangqi::{Color, Square};

/// Limit of the weights, which the quantised network can represent.
const WEIGHT_LIMIT: f32 = OUTPUT_WEIGHT_LIMIT as f32 / QB as f32;

/// Offsets of the model's parts in its vector of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ModelShape {
    /// The architecture of the exported network.
    pub layout: Architecture,
}

impl ModelShape {
    /// The shape given by the settings.
    pub fn of(settings: &Settings) -> ModelShape {
        ModelShape {
            layout: Architecture {
                hidden: settings.hidden,
                king_buckets: settings.king_buckets,
                output_buckets: settings.output_buckets,
            },
        }
    }

    /// Number of feature sets: one per king bucket, plus the shared one if there are several.
    fn feature_sets(self) -> usize {
        match self.layout.king_buckets.count() {
            1 => 1,
            several => several + 1,
        }
    }

    /// Number of feature weights, which come first.
    pub fn feature_weights(self) -> usize {
        self.feature_sets() * FEATURES * self.layout.hidden
    }

    fn bias(self) -> usize {
        self.feature_weights()
    }

    fn output_weights(self) -> usize {
        self.bias() + self.layout.hidden
    }

    fn output_bias(self) -> usize {
        self.output_weights() + 2 * self.layout.hidden * self.layout.output_buckets.count()
    }

    /// Number of all values.
    pub fn size(self) -> usize {
        self.output_bias() + self.layout.output_buckets.count()
    }
}

/// A network cannot be trained further in this shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("{}", tr!("a network with hidden = {hidden}, king_buckets = {kings} and output_buckets = {outputs} cannot continue with {new_hidden}, {new_kings} and {new_outputs}",
        hidden = old.hidden, kings = old.king_buckets, outputs = old.output_buckets, new_hidden = new.hidden, new_kings = new.king_buckets, new_outputs = new.output_buckets))]
pub struct ShapeMismatch {
    old: Architecture,
    new: Architecture,
}

impl ShapeMismatch {
    /// Weights and moments can be taken over in the same shape alone.
    pub fn check(old: ModelShape, new: ModelShape) -> Result<(), ShapeMismatch> {
        if old == new { Ok(()) } else { Err(ShapeMismatch { old: old.layout, new: new.layout }) }
    }
}

/// The parameters of a model, or their gradients.
#[derive(Clone)]
pub struct Model {
    pub shape: ModelShape,
    pub values: Vec<f32>,
}

/// Buffers of one thread for forward and backward pass.
pub struct ForwardBuffers {
    features: [Vec<u32>; 2],
    sums: Vec<f32>,
    gradients: Vec<f32>,
}

impl ForwardBuffers {
    pub fn new(shape: ModelShape) -> ForwardBuffers {
        let hidden = 2 * shape.layout.hidden;
        ForwardBuffers { features: [Vec::new(), Vec::new()], sums: vec![0.0; hidden], gradients: vec![0.0; hidden] }
    }
}

impl Model {
    pub fn random(shape: ModelShape, settings: &Settings) -> Model {
        let mut random = StdRng::seed_from_u64(settings.seed);
        let mut values = vec![0.0; shape.size()];
        let (shared, rest) = values.split_at_mut(FEATURES * shape.layout.hidden);
        shared.iter_mut().for_each(|value| *value = random.random_range(-0.1..0.1));
        let bias = shape.bias() - FEATURES * shape.layout.hidden;
        rest[bias..bias + shape.layout.hidden].iter_mut().for_each(|value| *value = random.random_range(0.0..0.3));
        let spread = 1.0 / (2.0 * shape.layout.hidden as f32).sqrt();
        let begin = shape.output_weights() - FEATURES * shape.layout.hidden;
        let count = shape.output_bias() - shape.output_weights();
        rest[begin..begin + count].iter_mut().for_each(|value| *value = random.random_range(-spread..spread));
        Model { shape, values }
    }

    /// Converts a quantised network back. A network with one king bucket can continue with several: its weights become
    /// the shared ones. A network with one output bucket can continue with several.
    pub fn of(network: &Network, shape: ModelShape) -> Result<Model, ShapeMismatch> {
        let (old, new) = (network.architecture, shape.layout);
        let king_buckets_fit = old.king_buckets == new.king_buckets || old.king_buckets == KingBuckets::Plain;
        let output_buckets_fit = old.output_buckets == new.output_buckets || old.output_buckets == OutputBuckets::One;
        if old.hidden != new.hidden || !king_buckets_fit || !output_buckets_fit {
            return Err(ShapeMismatch { old, new });
        }
        let mut model = Model::zero(shape);
        let real = |whole: i32, one: i32| whole as f32 / one as f32;
        let weights = network.feature_weights.iter().map(|&weight| real(weight.into(), QA));
        let shared =
            if old.king_buckets == new.king_buckets && shape.feature_sets() > 1 { FEATURES * new.hidden } else { 0 };
        fill(&mut model.values[shared..shape.feature_weights()], weights);
        fill(
            &mut model.values[shape.bias()..shape.output_weights()],
            network.feature_bias.iter().map(|&bias| real(bias.into(), QA)),
        );
        let weights = network.output_weights.iter().map(|&weight| real(weight.into(), QB));
        fill(&mut model.values[shape.output_weights()..shape.output_bias()], weights.cycle());
        let output_bias = network.output_bias.iter().map(|&bias| real(bias, QA * QB));
        fill(&mut model.values[shape.output_bias()..], output_bias.cycle());
        Ok(model)
    }

    pub fn zero(shape: ModelShape) -> Model {
        Model { shape, values: vec![0.0; shape.size()] }
    }

    /// The output for the side to move; the buffers keep what `backward` needs.
    #[inline(always)]
    #[allow(clippy::needless_range_loop)]
    pub fn forward(&self, sample: &TrainingSample, mirrored: bool, scratch: &mut ForwardBuffers) -> f32 {
        let layout = self.shape.layout;
        let hidden = layout.hidden;
        let side = sample.side();
        for (index, color) in [side, !side].into_iter().enumerate() {
            self.active_features(sample, color, mirrored, &mut scratch.features[index]);
            let sums = &mut scratch.sums[index * hidden..(index + 1) * hidden];
            sums.copy_from_slice(&self.values[self.shape.bias()..self.shape.bias() + hidden]);
            for &feature in &scratch.features[index] {
                let start = feature as usize * hidden;
                add_assign(sums, &self.values[start..start + hidden]);
            }
        }
        let bucket = self.output_bucket(sample);
        let weights = &self.values[self.output_bucket_start(bucket)..self.output_bucket_start(bucket) + 2 * hidden];
        // Eight partial sums let the compiler vectorise without reordering floating-point additions.
        let mut partial = [0f32; 8];
        let (sums, weights) = (scratch.sums.as_chunks::<8>().0, weights.as_chunks::<8>().0);
        let count = sums.len().min(weights.len());
        let (sums, weights) = (&sums[..count], &weights[..count]);
        for index in 0..count {
            for lane in 0..8 {
                let active = sums[index][lane].clamp(0.0, 1.0);
                partial[lane] += active * active * weights[index][lane];
            }
        }
        partial.iter().sum::<f32>() + self.values[self.shape.output_bias() + bucket]
    }

    /// Adds the gradients of the last forward pass; `slope` is the derivative of the loss by the output.
    #[inline(always)]
    #[allow(clippy::needless_range_loop)]
    pub fn backward(&self, sample: &TrainingSample, slope: f32, scratch: &mut ForwardBuffers, gradients: &mut Model) {
        let hidden = self.shape.layout.hidden;
        let bucket = self.output_bucket(sample);
        let start = self.output_bucket_start(bucket);
        gradients.values[self.shape.output_bias() + bucket] += slope;
        let weights = &self.values[start..start + 2 * hidden];
        let weight_gradients = &mut gradients.values[start..start + 2 * hidden];
        let (sums, slopes) = (&scratch.sums[..2 * hidden], &mut scratch.gradients[..2 * hidden]);
        for index in 0..2 * hidden {
            let sum = sums[index];
            let active = sum.clamp(0.0, 1.0);
            weight_gradients[index] += slope * active * active;
            let inside = if sum > 0.0 && sum < 1.0 { 1.0 } else { 0.0 };
            slopes[index] = slope * weights[index] * 2.0 * active * inside;
        }
        for index in 0..2 {
            let slopes = &scratch.gradients[index * hidden..(index + 1) * hidden];
            let bias = self.shape.bias();
            add_assign(&mut gradients.values[bias..bias + hidden], slopes);
            for &feature in &scratch.features[index] {
                let start = feature as usize * hidden;
                add_assign(&mut gradients.values[start..start + hidden], slopes);
            }
        }
    }

    fn output_bucket(&self, sample: &TrainingSample) -> usize {
        self.shape.layout.output_buckets.select(sample.pieces().len(), sample.attackers.into())
    }

    fn output_bucket_start(&self, bucket: usize) -> usize {
        self.shape.output_weights() + bucket * 2 * self.shape.layout.hidden
    }

    /// The active features of a sample in a perspective, over all feature sets.
    #[inline(always)]
    fn active_features(&self, sample: &TrainingSample, color: Color, mirrored: bool, features: &mut Vec<u32>) {
        features.clear();
        let own_king =
            sample.pieces().iter().map(|&place| usize::from(place)).find(|place| place / 90 == color as usize * 7);
        let king = own_king.map_or(4, |place| place % 90);
        let king = Square::new((king % 9) as u8, (king / 9) as u8);
        let king = if mirrored { king.mirror() } else { king };
        let king_bucket = self.shape.layout.king_buckets.king_bucket(king, color);
        let mirror = mirrored != king_bucket.mirrored;
        let factorised = self.shape.feature_sets() > 1;
        for &place in sample.pieces() {
            let (piece, square) = (usize::from(place) / 90, usize::from(place) % 90);
            if let Some(feature) = feature_index(color, mirror, piece, square) {
                features.push(feature as u32);
                if factorised {
                    features.push(((1 + usize::from(king_bucket.bucket)) * FEATURES + feature) as u32);
                }
            }
        }
    }

    /// Clamps values to what the quantised network can represent.
    #[inline(always)]
    pub fn clamp(values: &mut [f32]) {
        values.iter_mut().for_each(|value| *value = value.clamp(-WEIGHT_LIMIT, WEIGHT_LIMIT));
    }

    /// The model after quantisation; `None` if the values do not fit.
    pub fn quantized(&self) -> Option<Model> {
        let network = self.export(1, String::new()).ok()?;
        Model::of(&network, self.shape).ok()
    }

    /// Writes the values as `export` rounds them, without its limits, to another model of this shape.
    #[inline(always)]
    pub fn round_into(&self, rounded: &mut Model) {
        let shape = self.shape;
        let real = |value: f32, one: f32| (value * one).round() / one;
        let (first, second) = (QA as f32, QB as f32);
        if shape.feature_sets() == 1 {
            fill(&mut rounded.values, self.values[..shape.feature_weights()].iter().map(|&value| real(value, first)));
        } else {
            // The sums are rounded, and the shared weights stay zero.
            let shared_count = FEATURES * shape.layout.hidden;
            let (shared, own) = self.values[..shape.feature_weights()].split_at(shared_count);
            let sums = own.iter().zip(shared.iter().cycle()).map(|(own, shared)| real(own + shared, first));
            fill(&mut rounded.values[shared_count..], sums);
        }
        let rest = [
            (shape.bias()..shape.output_weights(), first),
            (shape.output_weights()..shape.output_bias(), second),
            (shape.output_bias()..shape.size(), first * second),
        ];
        for (part, one) in rest {
            let values = self.values[part.clone()].iter().map(|&value| real(value, one));
            fill(&mut rounded.values[part], values);
        }
    }

    pub fn export(&self, scale: i32, description: String) -> Result<Network, NetworkError> {
        let shape = self.shape;
        let hidden = shape.layout.hidden;
        let first = |value: f32| (value * QA as f32).round() as i16;
        let feature_weights: Vec<i16> = if shape.feature_sets() == 1 {
            self.values[..shape.feature_weights()].iter().copied().map(first).collect()
        } else {
            let (shared, own) = self.values[..shape.feature_weights()].split_at(FEATURES * hidden);
            own.iter().zip(shared.iter().cycle()).map(|(own, shared)| first(own + shared)).collect()
        };
        let feature_bias = self.values[shape.bias()..shape.output_weights()].iter().copied().map(first).collect();
        let second = |value: &f32| {
            (value * QB as f32).round().clamp(-f32::from(OUTPUT_WEIGHT_LIMIT), f32::from(OUTPUT_WEIGHT_LIMIT)) as i16
        };
        let output_weights = self.values[shape.output_weights()..shape.output_bias()].iter().map(second).collect();
        let output_bias =
            self.values[shape.output_bias()..].iter().map(|value| (value * (QA * QB) as f32).round() as i32).collect();
        Network::new(NetworkParts {
            architecture: shape.layout,
            scale,
            description,
            feature_bias,
            feature_weights,
            output_weights,
            output_bias,
        })
    }
}

fn fill(values: &mut [f32], with: impl Iterator<Item = f32>) {
    values.iter_mut().zip(with).for_each(|(value, new)| *value = new);
}

/// Adds a slice to another. A plain index loop, because iterator adapters are not reliably inlined into the
/// SIMD-dispatched callers.
#[inline(always)]
#[allow(clippy::needless_range_loop)]
pub fn add_assign(to: &mut [f32], numbers: &[f32]) {
    let count = to.len().min(numbers.len());
    let (to, numbers) = (&mut to[..count], &numbers[..count]);
    for index in 0..count {
        to[index] += numbers[index];
    }
}
