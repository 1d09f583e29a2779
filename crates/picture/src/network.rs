//! A small network in integers that names what stands on a point.
//!
//! Five convolutions of 3 × 3 and one dense layer; weights of eight bits, activations from 0 to 255. Trained by
//! `training/picture` of the repository on boards that are drawn there.

use crate::pixels::{FILES, PATCH, POINTS, STEP, Scaled};
use std::thread::Builder;

/// Outputs: the seven kinds, an empty point, no point of a board, and the side.
pub(crate) const CLASSES: usize = 9;
/// The class of an empty point.
pub(crate) const EMPTY: usize = 7;
/// The class of what is no point of a board.
pub(crate) const JUNK: usize = 8;
const OUTPUTS: usize = CLASSES + 1;
/// So many outputs of so many pixels are summed up side by side, which compilers turn into vectors.
const LANES: usize = 8;
const PIXELS: usize = 4;

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
    /// For each [`LANES`] outputs their weights of the first input, of the second, and so on.
    weights: Vec<[f32; LANES]>,
    /// For each output: what is added to the sum, and what the sum is multiplied by.
    bias: Vec<f32>,
    scale: Vec<f32>,
}

/// The network, ready to use.
pub(crate) struct Network {
    layers: Vec<Layer>,
    /// How many threads look at a board.
    threads: usize,
}

/// Where the layers halve the picture.
const POOLED: [bool; 5] = [true, true, true, false, false];
/// The most threads that look at a board, and the least points that are worth one.
const MAX_THREADS: usize = 4;
const POINTS_OF_THREAD: usize = 9;

impl Network {
    /// The network that is part of the crate.
    pub(crate) fn load() -> Network {
        let data: &[u8] = include_bytes!("network.bin");
        let mut rest = data;
        let mut layers = Vec::new();
        while rest.len() >= 4 {
            let number = |at: usize| usize::from(u16::from_le_bytes([rest[at], rest[at + 1]]));
            let (inputs, outputs) = (number(0), number(2));
            let float = |bytes: &[u8]| f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
            let (floats, rows) = rest[4..].split_at(outputs * 8);
            let floats: Vec<f32> = floats.chunks_exact(4).map(float).collect();
            let mut weights = vec![[0.0; LANES]; outputs.div_ceil(LANES) * inputs];
            for (output, row) in rows.chunks_exact(inputs).take(outputs).enumerate() {
                let block = &mut weights[output / LANES * inputs..][..inputs];
                block.iter_mut().zip(row).for_each(|(to, &from)| to[output % LANES] = f32::from(from as i8));
            }
            let (bias, scale) = floats.split_at(outputs);
            layers.push(Layer { inputs, outputs, weights, bias: bias.to_vec(), scale: scale.to_vec() });
            rest = &rest[4 + outputs * (8 + inputs)..];
        }
        // A module for browsers has one thread.
        let several = !cfg!(target_family = "wasm");
        let threads =
            if several { std::thread::available_parallelism().map_or(1, |n| n.get().min(MAX_THREADS)) } else { 1 };
        Network { layers, threads }
    }

    /// What stands on each point of a scaled board, the first row first.
    pub(crate) fn see(&self, board: &Scaled, base: [u8; 3]) -> Vec<Seen> {
        self.see_points(board, base, &(0..POINTS).collect::<Vec<_>>())
    }

    /// What stands on these points.
    pub(crate) fn see_points(&self, board: &Scaled, base: [u8; 3], points: &[usize]) -> Vec<Seen> {
        let see = |points: &[usize]| -> Vec<Seen> {
            let mut work = Work::default();
            points.iter().map(|point| self.see_point(board, base, point / FILES, point % FILES, &mut work)).collect()
        };
        let threads = self.threads.min(points.len() / POINTS_OF_THREAD);
        if threads < 2 {
            return see(points);
        }
        let (own, others) = points.split_at(points.len().div_ceil(threads));
        std::thread::scope(|scope| {
            let parts = others.chunks(own.len());
            let begun: Vec<_> =
                parts.map(|part| (part, Builder::new().spawn_scoped(scope, || see(part)).ok())).collect();
            let mut seen = see(own);
            for (part, thread) in begun {
                // Where no thread can be had, this one does its work.
                seen.extend(thread.and_then(|thread| thread.join().ok()).unwrap_or_else(|| see(part)));
            }
            seen
        })
    }

    /// What stands on one point.
    fn see_point(&self, board: &Scaled, base: [u8; 3], rank: usize, file: usize, work: &mut Work) -> Seen {
        let mut side = PATCH;
        work.values.clear();
        for y in 0..PATCH {
            let start = ((rank * STEP + y) * board.width + file * STEP) * 3;
            for pixel in board.rgb[start..start + PATCH * 3].as_chunks::<3>().0 {
                for c in 0..3 {
                    // Relative to the board, halved as in training: rounded down.
                    work.values.push(f32::from((i16::from(pixel[c]) - i16::from(base[c])) >> 1));
                }
            }
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
        for (block, out) in out.chunks_mut(LANES).enumerate() {
            let mut sums = [[0.0; LANES]; PIXELS];
            add_products(&mut sums, &last.weights[block * last.inputs..][..last.inputs], [&work.values; PIXELS]);
            let [sums, ..] = sums;
            for (lane, out) in out.iter_mut().enumerate() {
                let output = block * LANES + lane;
                *out = sums[lane] * last.scale[output] + last.bias[output];
            }
        }
        let mut classes = [0.0; CLASSES];
        classes.copy_from_slice(&out[..CLASSES]);
        Seen { classes, black: out[CLASSES] }
    }
}

/// Memory that is used again and again.
#[derive(Default)]
pub(crate) struct Work {
    values: Vec<f32>,
    next: Vec<f32>,
    /// The values with a border of zeros.
    bordered: Vec<f32>,
}

impl Layer {
    /// A convolution of 3 × 3 with what follows it; returns the new side.
    fn convolve(&self, work: &mut Work, side: usize, padded: bool) -> usize {
        let channels = self.inputs / 9;
        let border = usize::from(padded);
        let (in_side, out_side) = (side + 2 * border, side + 2 * border - 2);
        work.bordered.clear();
        work.bordered.resize(in_side * in_side * channels, 0.0);
        for (y, row) in work.values.chunks_exact(side * channels).enumerate() {
            work.bordered[((y + border) * in_side + border) * channels..][..row.len()].copy_from_slice(row);
        }
        work.next.clear();
        work.next.resize(out_side * out_side * self.outputs, 0.0);
        // Three neighbouring pixels of a row lie side by side.
        let window = 3 * channels;
        for first in (0..out_side * out_side).step_by(PIXELS) {
            let pixels = [0, 1, 2, 3].map(|pixel| {
                let (y, x) = ((first + pixel) / out_side, (first + pixel) % out_side);
                &work.bordered[(y * in_side + x) * channels..]
            });
            for block in 0..self.outputs / LANES {
                let mut sums = [[0.0; LANES]; PIXELS];
                for row in 0..3 {
                    let weights = &self.weights[block * self.inputs + row * window..][..window];
                    let windows = pixels.map(|pixel| &pixel[row * in_side * channels..][..window]);
                    add_products(&mut sums, weights, windows);
                }
                let outputs = block * LANES..(block + 1) * LANES;
                let (scale, bias) = (&self.scale[outputs.clone()], &self.bias[outputs]);
                for (pixel, sums) in sums.iter().enumerate() {
                    let to = &mut work.next[(first + pixel) * self.outputs + block * LANES..][..LANES];
                    for lane in 0..LANES {
                        let value = sums[lane] * scale[lane] + bias[lane] + 0.5;
                        to[lane] = value.clamp(0.0, 255.0) as i32 as f32;
                    }
                }
            }
        }
        std::mem::swap(&mut work.values, &mut work.next);
        out_side
    }
}

/// Adds the products of some inputs of some pixels and their weights to the sums of the outputs. The numbers are whole, so
/// that their order does not matter. Loops over indexes are turned into vectors where chains of iterators are not.
#[allow(clippy::needless_range_loop)]
fn add_products(sums: &mut [[f32; LANES]; PIXELS], weights: &[[f32; LANES]], windows: [&[f32]; PIXELS]) {
    let [mut a, mut b, mut c, mut d] = *sums;
    let [first, second, third, fourth] = windows.map(|window| &window[..weights.len()]);
    for input in 0..weights.len() {
        let weights = weights[input];
        for lane in 0..LANES {
            a[lane] += weights[lane] * first[input];
        }
        for lane in 0..LANES {
            b[lane] += weights[lane] * second[input];
        }
        for lane in 0..LANES {
            c[lane] += weights[lane] * third[input];
        }
        for lane in 0..LANES {
            d[lane] += weights[lane] * fourth[input];
        }
    }
    *sums = [a, b, c, d];
}

/// The greatest of each 2 × 2; returns the new side.
fn pool(work: &mut Work, side: usize, channels: usize) -> usize {
    let half = side / 2;
    work.next.clear();
    for y in 0..half {
        let (upper, lower) = work.values[2 * y * side * channels..][..2 * side * channels].split_at(side * channels);
        for x in 0..half {
            let at = 2 * x * channels;
            for c in at..at + channels {
                let (left, right) = (upper[c].max(lower[c]), upper[c + channels].max(lower[c + channels]));
                work.next.push(left.max(right));
            }
        }
    }
    std::mem::swap(&mut work.values, &mut work.next);
    half
}
