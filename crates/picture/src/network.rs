//! A small network in integers that names what stands on a point.
//!
//! Five convolutions of 3 × 3 and one dense layer; weights of eight bits, activations from 0 to 255. Trained by
//! `training/picture` of the repository on boards that are drawn there.

use crate::pixels::{PATCH, STEP, Scaled};
use crate::{FILES, RANKS};

/// Outputs: the seven kinds, an empty point, no point of a board, and the side.
pub(crate) const CLASSES: usize = 9;
/// The class of an empty point.
pub(crate) const EMPTY: usize = 7;
/// The class of what is no point of a board.
pub(crate) const JUNK: usize = 8;
const OUTPUTS: usize = CLASSES + 1;
/// Sums of products are added up eight at a time; rows of weights are padded to that.
const LANES: usize = 8;

/// What the network says of a point: a score for each class, and one for black against red.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Seen {
    pub(crate) classes: [f32; CLASSES],
    pub(crate) black: f32,
}

impl Seen {
    /// The chance of each class.
    pub(crate) fn chances(&self) -> [f32; CLASSES] {
        let top = self.classes.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let chances = self.classes.map(|c| (c - top).exp());
        let all: f32 = chances.iter().sum();
        chances.map(|chance| chance / all)
    }

    /// Whether a kind of piece is likelier than anything else.
    pub(crate) fn is_piece(&self) -> bool {
        let best = |classes: &[f32]| classes.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        best(&self.classes[..EMPTY]) > best(&self.classes[EMPTY..])
    }
}

struct Layer {
    inputs: usize,
    outputs: usize,
    /// The length of a padded row of weights.
    row: usize,
    weights: Vec<i16>,
    /// For each output: what is added to the sum, and what the sum is multiplied by.
    bias: Vec<f32>,
    scale: Vec<f32>,
}

/// The network, ready to use.
pub(crate) struct Network {
    layers: Vec<Layer>,
}

/// Where the layers halve the picture.
const POOLED: [bool; 5] = [true, true, true, false, false];

impl Network {
    /// The network that is part of the crate.
    pub(crate) fn load() -> Network {
        let data: &[u8] = include_bytes!("network.bin");
        let mut rest = data;
        let mut layers = Vec::new();
        while rest.len() >= 4 {
            let number = |at: usize| usize::from(u16::from_le_bytes([rest[at], rest[at + 1]]));
            let (inputs, outputs) = (number(0), number(2));
            let row = inputs.next_multiple_of(LANES);
            let float = |bytes: &[u8]| f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
            let (floats, weights) = rest[4..].split_at(outputs * 8);
            let floats: Vec<f32> = floats.chunks_exact(4).map(float).collect();
            let mut padded = vec![0; row * outputs];
            for (to, from) in padded.chunks_exact_mut(row).zip(weights.chunks_exact(inputs)) {
                to.iter_mut().zip(from).for_each(|(to, &from)| *to = i16::from(from as i8));
            }
            let (bias, scale) = floats.split_at(outputs);
            layers.push(Layer { inputs, outputs, row, weights: padded, bias: bias.to_vec(), scale: scale.to_vec() });
            rest = &rest[4 + outputs * (8 + inputs)..];
        }
        Network { layers }
    }

    /// What stands on each point of a scaled board, the first row first.
    pub(crate) fn see(&self, board: &Scaled, base: [u8; 3]) -> Vec<Seen> {
        let mut work = Work::default();
        (0..RANKS * FILES).map(|i| self.see_point(board, base, i / FILES, i % FILES, &mut work)).collect()
    }

    /// What stands on one point.
    pub(crate) fn see_point(&self, board: &Scaled, base: [u8; 3], rank: usize, file: usize, work: &mut Work) -> Seen {
        let mut side = PATCH;
        work.values.clear();
        for y in 0..PATCH {
            let start = ((rank * STEP + y) * board.width + file * STEP) * 3;
            let row = &board.rgb[start..start + PATCH * 3];
            // Relative to the board, halved as in training: rounded down.
            work.values.extend(row.iter().enumerate().map(|(i, &v)| (i16::from(v) - i16::from(base[i % 3])) >> 1));
        }
        let (last, convolutions) = self.layers.split_last().expect("a network has layers");
        for (i, (layer, pooled)) in convolutions.iter().zip(POOLED).enumerate() {
            let padded = i + 1 < convolutions.len();
            side = layer.convolve(work, side, padded);
            if pooled {
                side = pool(work, side, layer.outputs);
            }
        }
        let mut out = [0.0; OUTPUTS];
        work.window.clear();
        work.window.extend_from_slice(&work.values);
        work.window.resize(last.row, 0);
        for (o, out) in out.iter_mut().enumerate() {
            *out = last.sum(&work.window, o) as f32 * last.scale[o] + last.bias[o];
        }
        let mut classes = [0.0; CLASSES];
        classes.copy_from_slice(&out[..CLASSES]);
        Seen { classes, black: out[CLASSES] }
    }
}

/// Memory that is used again and again.
#[derive(Default)]
pub(crate) struct Work {
    values: Vec<i16>,
    next: Vec<i16>,
    window: Vec<i16>,
}

impl Layer {
    #[inline]
    fn sum(&self, window: &[i16], output: usize) -> i32 {
        let weights = &self.weights[output * self.row..(output + 1) * self.row];
        window.iter().zip(weights).map(|(&a, &b)| i32::from(a) * i32::from(b)).sum()
    }

    /// A convolution of 3 × 3 with what follows it; returns the new side.
    fn convolve(&self, work: &mut Work, side: usize, padded: bool) -> usize {
        let channels = self.inputs / 9;
        let out_side = if padded { side } else { side - 2 };
        work.next.clear();
        work.window.clear();
        work.window.resize(self.row, 0);
        for y in 0..out_side {
            for x in 0..out_side {
                for ky in 0..3 {
                    for kx in 0..3 {
                        let (sy, sx) = (y + ky, x + kx);
                        let (sy, sx) = if padded { (sy.wrapping_sub(1), sx.wrapping_sub(1)) } else { (sy, sx) };
                        let to = &mut work.window[(ky * 3 + kx) * channels..][..channels];
                        if sy < side && sx < side {
                            to.copy_from_slice(&work.values[(sy * side + sx) * channels..][..channels]);
                        } else {
                            to.fill(0);
                        }
                    }
                }
                for o in 0..self.outputs {
                    let value = self.sum(&work.window, o) as f32 * self.scale[o] + self.bias[o];
                    work.next.push((value + 0.5).clamp(0.0, 255.0) as i16);
                }
            }
        }
        std::mem::swap(&mut work.values, &mut work.next);
        out_side
    }
}

/// The greatest of each 2 × 2; returns the new side.
fn pool(work: &mut Work, side: usize, channels: usize) -> usize {
    let half = side / 2;
    work.next.clear();
    for y in 0..half {
        for x in 0..half {
            for c in 0..channels {
                let at = |dy: usize, dx: usize| work.values[((2 * y + dy) * side + 2 * x + dx) * channels + c];
                work.next.push(at(0, 0).max(at(0, 1)).max(at(1, 0)).max(at(1, 1)));
            }
        }
    }
    std::mem::swap(&mut work.values, &mut work.next);
    half
}
