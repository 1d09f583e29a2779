//! Which pixels belong to thin lines.

use crate::pixels::Scaled;

/// Runs of line pixels along one axis, with sums along it. For lines down the picture `along` is y and `across` is x.
pub(crate) struct Lines {
    /// Pixels along the lines, and across them.
    pub(crate) along: usize,
    pub(crate) across: usize,
    /// For each place across, the number of line pixels before each place along.
    sums: Vec<u32>,
}

impl Lines {
    /// Line pixels at `across` (or beside it) between two places along.
    pub(crate) fn count(&self, across: isize, from: isize, to: isize) -> u32 {
        if across < 0 || across >= self.across as isize {
            return 0;
        }
        let inside = |v: isize| v.clamp(0, self.along as isize) as usize;
        let (from, to) = (inside(from), inside(to).max(inside(from)));
        let base = across as usize * (self.along + 1);
        self.sums[base + to] - self.sums[base + from]
    }

    /// The share of a stretch that is a line.
    pub(crate) fn cover(&self, across: f32, from: f32, to: f32) -> f32 {
        let length = (to - from).max(1.0);
        let (from, to) = (from.round() as isize, to.round() as isize);
        (self.count(across.round() as isize, from, to) as f32 / length).min(1.0)
    }
}

/// The lines down and the lines across a picture, and the pixels of slanted ones.
pub(crate) struct LineMap {
    pub(crate) down: Lines,
    pub(crate) across: Lines,
    /// Pixels of lines from top left to bottom right, and from top right to bottom left.
    slanted: [Vec<bool>; 2],
    width: usize,
    height: usize,
}

/// How much lighter or darker than both sides a pixel of a line is.
const CONTRAST: i16 = 9;
/// The least length of a run, in pixels.
const RUN: usize = 6;

impl LineMap {
    pub(crate) fn new(picture: &Scaled) -> LineMap {
        let (width, height) = (picture.width, picture.height);
        let grey: Vec<i16> = picture
            .rgb
            .chunks_exact(3)
            .map(|p| ((i32::from(p[0]) * 5 + i32::from(p[1]) * 8 + i32::from(p[2]) * 3) / 16) as i16)
            .collect();
        let thin = |x: usize, y: usize, dx: isize, dy: isize| {
            let at = |k: isize| {
                let (x, y) = (x as isize + dx * k, y as isize + dy * k);
                let inside = x >= 0 && y >= 0 && (x as usize) < width && (y as usize) < height;
                inside.then(|| grey[y as usize * width + x as usize])
            };
            let (Some(before), Some(after)) = (at(-2), at(2)) else { return 0 };
            let middle = grey[y * width + x];
            let (a, b) = (middle - before, middle - after);
            if a.min(b) >= CONTRAST {
                1
            } else if a.max(b) <= -CONTRAST {
                -1
            } else {
                0
            }
        };
        let lines = |along: usize, across: usize, place: &dyn Fn(usize, usize) -> i8| {
            let mut marks = vec![false; along * across];
            for a in 0..across {
                for sign in [1, -1] {
                    let mut start = 0;
                    let mut last = None;
                    // Runs may have a gap of one pixel.
                    for b in 0..=along {
                        let set = b < along && place(a, b) == sign;
                        if set {
                            if last.is_none_or(|l: usize| b - l > 2) {
                                start = b;
                            }
                            last = Some(b);
                        }
                        let ends = last.is_some_and(|l| b == along || b - l == 2);
                        if let (true, Some(l)) = (ends && !set, last)
                            && l + 1 - start >= RUN
                        {
                            marks[a * along + start..=a * along + l].fill(true);
                        }
                    }
                }
            }
            let mut sums = vec![0; across * (along + 1)];
            for a in 0..across {
                for b in 0..along {
                    // A line may waver by a pixel.
                    let near = (a.saturating_sub(1)..=(a + 1).min(across - 1)).any(|a| marks[a * along + b]);
                    sums[a * (along + 1) + b + 1] = sums[a * (along + 1) + b] + u32::from(near);
                }
            }
            Lines { along, across, sums }
        };
        let mut down = vec![0i8; width * height];
        let mut over = vec![0i8; width * height];
        let mut slanted = [vec![false; width * height], vec![false; width * height]];
        for y in 0..height {
            for x in 0..width {
                let i = y * width + x;
                down[i] = thin(x, y, 1, 0);
                over[i] = thin(x, y, 0, 1);
                slanted[0][i] = thin(x, y, 1, -1) != 0;
                slanted[1][i] = thin(x, y, 1, 1) != 0;
            }
        }
        LineMap {
            down: lines(height, width, &|x, y| down[y * width + x]),
            across: lines(width, height, &|y, x| over[y * width + x]),
            slanted,
            width,
            height,
        }
    }

    /// The share of a slanted stretch that is a line.
    pub(crate) fn slanted_cover(&self, from: (f32, f32), to: (f32, f32)) -> f32 {
        let kind = usize::from((to.0 - from.0) * (to.1 - from.1) < 0.0);
        let steps = ((to.0 - from.0).abs().max((to.1 - from.1).abs()) as usize).max(1);
        let hits = (0..=steps)
            .filter(|&s| {
                let t = s as f32 / steps as f32;
                let (x, y) = (from.0 + (to.0 - from.0) * t, from.1 + (to.1 - from.1) * t);
                (-1..=1).any(|d| {
                    let (x, y) = (x.round() as isize + d, y.round() as isize);
                    let inside = x >= 0 && y >= 0 && (x as usize) < self.width && (y as usize) < self.height;
                    inside && self.slanted[kind][y as usize * self.width + x as usize]
                })
            })
            .count();
        hits as f32 / (steps + 1) as f32
    }
}
