//! Pictures as rows of pixels, and boards cut out of them.

use std::cmp::Ordering;
use xiangqi::Square;

pub(crate) const FILES: usize = Square::FILES as usize;
pub(crate) const RANKS: usize = Square::RANKS as usize;
pub(crate) const POINTS: usize = FILES * RANKS;

/// Pixels between neighbouring points of a scaled board.
pub(crate) const STEP: usize = 27;
/// The side of the patch around a point.
pub(crate) const PATCH: usize = 32;
/// The size of a scaled board: the patches of all points.
pub(crate) const BOARD_WIDTH: usize = (FILES - 1) * STEP + PATCH;
pub(crate) const BOARD_HEIGHT: usize = (RANKS - 1) * STEP + PATCH;

/// The light of a place is the mean of so many pixels to each side, and at least this.
const NEAR: usize = 2;
const DARKEST: f64 = 4.0;
/// How often the light of a board is fitted, and by how much a place may be off, in natural logarithms of its light.
const FITS: usize = 5;
const OFF: f64 = 0.08;
/// By how much the light of a place is changed at most.
const MOST_LIGHT: f64 = 0.7;

/// A picture: rows of pixels from the top, each pixel three bytes of red, green and blue.
#[derive(Clone, Copy, Debug)]
pub struct Pixels<'a> {
    width: usize,
    height: usize,
    rgb: &'a [u8],
}

impl<'a> Pixels<'a> {
    /// The longest side that is read.
    pub const MAX_SIDE: usize = 20_000;

    /// A picture of this size; `None` if the bytes do not have it, a side is 0 or longer than [`Pixels::MAX_SIDE`].
    pub fn new(width: usize, height: usize, rgb: &'a [u8]) -> Option<Pixels<'a>> {
        let fits = |side: usize| (1..=Pixels::MAX_SIDE).contains(&side);
        (fits(width) && fits(height) && rgb.len() == width * height * 3).then_some(Pixels { width, height, rgb })
    }

    /// Its width in pixels.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Its height in pixels.
    pub fn height(&self) -> usize {
        self.height
    }

    fn row(&self, y: usize) -> &'a [u8] {
        &self.rgb[y * self.width * 3..(y + 1) * self.width * 3]
    }

    /// The colour at a place between pixels; outside the picture, that of its edge.
    #[inline]
    pub(crate) fn between(&self, x: f32, y: f32) -> [f32; 3] {
        let (x, y) = ((x - 0.5).clamp(0.0, (self.width - 1) as f32), (y - 0.5).clamp(0.0, (self.height - 1) as f32));
        let (left, top) = (x as usize, y as usize);
        let (right, bottom) = ((left + 1).min(self.width - 1), (top + 1).min(self.height - 1));
        let (fx, fy) = (x - left as f32, y - top as f32);
        let (upper, lower) = (self.row(top), self.row(bottom));
        let at = |row: &[u8], x: usize, c: usize| f32::from(row[x * 3 + c]);
        let mut colour = [0.0; 3];
        for (c, mixed) in colour.iter_mut().enumerate() {
            let above = at(upper, left, c) * (1.0 - fx) + at(upper, right, c) * fx;
            let below = at(lower, left, c) * (1.0 - fx) + at(lower, right, c) * fx;
            *mixed = above * (1.0 - fy) + below * fy;
        }
        colour
    }
}

/// A picture of its own, made smaller.
#[derive(Clone, Debug)]
pub(crate) struct Scaled {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) rgb: Vec<u8>,
}

impl Scaled {
    pub(crate) fn pixels(&self) -> Pixels<'_> {
        Pixels { width: self.width, height: self.height, rgb: &self.rgb }
    }

    /// The colour of a board: the median between the points, where no piece reaches.
    pub(crate) fn colour(&self) -> [u8; 3] {
        let mut values: [Vec<u8>; 3] = Default::default();
        for y in (PATCH / 2 + STEP / 2..BOARD_HEIGHT - PATCH / 2).step_by(STEP) {
            for x in (PATCH / 2 + STEP / 2..BOARD_WIDTH - PATCH / 2).step_by(STEP) {
                let at = (y * self.width + x) * 3;
                (0..3).for_each(|c| values[c].push(self.rgb[at + c]));
            }
        }
        values.map(|values| median(values, Ord::cmp))
    }

    /// A board of a photograph as if the light were even: divided by what most places between the points agree on.
    pub(crate) fn evenly_lit(mut self) -> Scaled {
        let middles = |size: usize| (PATCH / 2 + STEP / 2..size - PATCH / 2).step_by(STEP);
        let places: Vec<(usize, usize)> =
            middles(BOARD_HEIGHT).flat_map(|y| middles(BOARD_WIDTH).map(move |x| (x, y))).collect();
        let light = |&(x, y): &(usize, usize)| {
            let near = |at: usize| at - NEAR..=at + NEAR;
            let pixels = near(y).flat_map(|v| near(x).map(move |u| (v * BOARD_WIDTH + u) * 3));
            let (count, sum) = pixels
                .flat_map(|at| &self.rgb[at..at + 3])
                .fold((0.0, 0.0), |(count, sum), &value| (count + 1.0, sum + f64::from(value)));
            (sum / count).max(DARKEST).ln()
        };
        let lights: Vec<f64> = places.iter().map(light).collect();
        let usual = median(lights.clone(), f64::total_cmp);
        let mut bend = vec![usual, 0.0, 0.0, 0.0, 0.0, 0.0];
        let at = |bend: &[f64], (x, y): (usize, usize)| bends(x, y).iter().zip(bend).map(|(a, b)| a * b).sum::<f64>();
        for _ in 0..FITS {
            let mut sums = vec![vec![0.0; bend.len() + 1]; bend.len()];
            for (&place, light) in places.iter().zip(&lights) {
                let off = (light - at(&bend, place)) / OFF;
                add_to_fit(&mut sums, &bends(place.0, place.1), *light, 1.0 / (1.0 + off * off));
            }
            let Some(next) = solved(sums) else { return self };
            bend = next;
        }
        let width = self.width;
        for (i, pixel) in self.rgb.chunks_exact_mut(3).enumerate() {
            let factor = (usual - at(&bend, (i % width, i / width))).clamp(-MOST_LIGHT, MOST_LIGHT).exp();
            pixel.iter_mut().for_each(|value| *value = (f64::from(*value) * factor).round().min(255.0) as u8);
        }
        self
    }
}

/// The middle one of some values.
pub(crate) fn median<T: Copy>(mut values: Vec<T>, compare: fn(&T, &T) -> Ordering) -> T {
    values.sort_unstable_by(compare);
    values[values.len() / 2]
}

/// Adds an equation to the sums of a linear fit, whose last column is its right side.
pub(crate) fn add_to_fit(sums: &mut [Vec<f64>], row: &[f64], value: f64, weight: f64) {
    for (own, sums) in row.iter().zip(sums) {
        row.iter().chain([&value]).zip(sums).for_each(|(other, sum)| *sum += weight * own * other);
    }
}

/// The solution of linear equations, each with its right side last.
pub(crate) fn solved(mut rows: Vec<Vec<f64>>) -> Option<Vec<f64>> {
    let count = rows.len();
    for i in 0..count {
        let pivot = (i..count).max_by(|&a, &b| rows[a][i].abs().total_cmp(&rows[b][i].abs()))?;
        rows.swap(i, pivot);
        if rows[i][i].abs() < 1e-9 {
            return None;
        }
        let own = rows[i].clone();
        for (_, row) in rows.iter_mut().enumerate().filter(|(other, _)| *other != i) {
            let share = row[i] / own[i];
            (i..=count).for_each(|j| row[j] -= share * own[j]);
        }
    }
    Some((0..count).map(|i| rows[i][count] / rows[i][i]).collect())
}

/// Six numbers of a place on a scaled board, whose sum is how the light changes over it.
fn bends(x: usize, y: usize) -> [f64; 6] {
    let (x, y) = (x as f64 / BOARD_WIDTH as f64 - 0.5, y as f64 / BOARD_HEIGHT as f64 - 0.5);
    [1.0, x, y, x * x, x * y, y * y]
}

/// The picture with its longer side at most `side`, each pixel the mean of what it covers.
pub(crate) fn reduce(pixels: &Pixels, side: usize) -> Scaled {
    let longer = pixels.width.max(pixels.height);
    if longer <= side {
        return Scaled { width: pixels.width, height: pixels.height, rgb: pixels.rgb.to_vec() };
    }
    let short = |n: usize| (n * side).div_ceil(longer).max(1);
    let (width, height) = (short(pixels.width), short(pixels.height));
    let scale = |n: usize, to: usize| n as f32 / to as f32;
    let rgb = resample(pixels, [0.0, scale(pixels.width, width)], [0.0, scale(pixels.height, height)], width, height);
    Scaled { width, height, rgb }
}

/// Which pixels make one of the result, and how much of each: a triangle as wide as the step between results.
fn weights(start: f32, step: f32, count: usize, size: usize) -> Vec<(usize, Vec<f32>)> {
    let support = step.max(1.0);
    (0..count)
        .map(|i| {
            let centre = start + (i as f32 + 0.5) * step;
            let inside = |v: f32| v.clamp(0.0, size as f32 - 1.0) as usize;
            let first = inside((centre - support).floor());
            let last = inside((centre + support).ceil()).max(first);
            let mut shares: Vec<f32> =
                (first..=last).map(|p| (1.0 - ((p as f32 + 0.5 - centre) / support).abs()).max(0.0)).collect();
            let sum: f32 = shares.iter().sum();
            if sum <= 0.0 {
                // Outside the picture: its edge.
                let edge = usize::from(centre > 0.0) * (shares.len() - 1);
                shares.iter_mut().enumerate().for_each(|(p, share)| *share = f32::from(u8::from(p == edge)));
            } else {
                shares.iter_mut().for_each(|share| *share /= sum);
            }
            (first, shares)
        })
        .collect()
}

/// A part of the picture, scaled: from `start`, `step` pixels for one of the result, on both axes.
pub(crate) fn resample(pixels: &Pixels, x: [f32; 2], y: [f32; 2], width: usize, height: usize) -> Vec<u8> {
    let columns = weights(x[0], x[1], width, pixels.width);
    let rows = weights(y[0], y[1], height, pixels.height);
    let mut rgb = vec![0; width * height * 3];
    // Rows of the source, scaled across, until no row of the result needs them.
    let mut kept: std::collections::VecDeque<(usize, Vec<f32>)> = std::collections::VecDeque::new();
    for (i, (first, shares)) in rows.iter().enumerate() {
        while kept.front().is_some_and(|(y, _)| y < first) {
            kept.pop_front();
        }
        let mut next = kept.back().map_or(*first, |(y, _)| y + 1);
        while next < first + shares.len() {
            let row = pixels.row(next);
            let mut across = vec![0.0; width * 3];
            for ((first, shares), out) in columns.iter().zip(across.chunks_exact_mut(3)) {
                for (pixel, share) in row[first * 3..].chunks_exact(3).zip(shares) {
                    for c in 0..3 {
                        out[c] += f32::from(pixel[c]) * share;
                    }
                }
            }
            kept.push_back((next, across));
            next += 1;
        }
        let mut sum = vec![0.0; width * 3];
        for ((_, across), share) in kept.iter().zip(shares) {
            for (total, value) in sum.iter_mut().zip(across) {
                *total += value * share;
            }
        }
        for (out, value) in rgb[i * width * 3..].iter_mut().zip(&sum) {
            *out = (value + 0.5) as u8;
        }
    }
    rgb
}
