//! A grid: where the points of a board are, and the board cut out of a picture.

use crate::pixels::{BOARD_HEIGHT, BOARD_WIDTH, FILES, PATCH, Pixels, RANKS, STEP, Scaled, resample};

/// A grid: one along the picture's sides, or one between four corners.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Grid {
    /// The first point and the steps to the next ones, in pixels.
    Straight { x: f32, y: f32, dx: f32, dy: f32 },
    /// The outer points: top left, top right, bottom right, bottom left.
    Corners([(f32, f32); 4]),
}

impl Grid {
    /// The same grid in a picture that is `f` times as large.
    pub(crate) fn times(self, fx: f32, fy: f32) -> Grid {
        match self {
            Grid::Straight { x, y, dx, dy } => Grid::Straight { x: x * fx, y: y * fy, dx: dx * fx, dy: dy * fy },
            Grid::Corners(corners) => Grid::Corners(corners.map(|(x, y)| (x * fx, y * fy))),
        }
    }

    /// The outer points.
    pub(crate) fn corners(&self) -> [(f32, f32); 4] {
        match *self {
            Grid::Straight { x, y, dx, dy } => {
                let (right, bottom) = (x + dx * (FILES - 1) as f32, y + dy * (RANKS - 1) as f32);
                [(x, y), (right, y), (right, bottom), (x, bottom)]
            }
            Grid::Corners(corners) => corners,
        }
    }

    /// Where a row and a file, which may lie between points, are in the picture.
    pub(crate) fn place(&self) -> impl Fn(f32, f32) -> (f32, f32) + use<> {
        let [a, b, c, d] = self.corners();
        // The projective map of the unit square to the corners.
        let (sx, sy) = (a.0 - b.0 + c.0 - d.0, a.1 - b.1 + c.1 - d.1);
        let (ux, uy, vx, vy) = (b.0 - c.0, b.1 - c.1, d.0 - c.0, d.1 - c.1);
        let whole = ux * vy - vx * uy;
        let whole = if whole.abs() < 1e-6 { 1e-6 } else { whole };
        let (g, h) = ((sx * vy - vx * sy) / whole, (ux * sy - sx * uy) / whole);
        move |row, file| {
            let (u, v) = (file / (FILES - 1) as f32, row / (RANKS - 1) as f32);
            let w = g * u + h * v + 1.0;
            let w = if w.abs() < 1e-3 { 1e-3 } else { w };
            let x = (b.0 - a.0 + g * b.0) * u + (d.0 - a.0 + h * d.0) * v + a.0;
            let y = (b.1 - a.1 + g * b.1) * u + (d.1 - a.1 + h * d.1) * v + a.1;
            (x / w, y / w)
        }
    }

    /// The grid moved by rows and files.
    pub(crate) fn moved(&self, rows: f32, files: f32) -> Grid {
        let place = self.place();
        let (last_row, last_file) = ((RANKS - 1) as f32, (FILES - 1) as f32);
        let corners = [(0.0, 0.0), (0.0, last_file), (last_row, last_file), (last_row, 0.0)];
        Grid::Corners(corners.map(|(row, file)| place(row + rows, file + files)))
    }

    /// How much of the smaller of two boards they share.
    pub(crate) fn overlap(&self, other: &Grid) -> f32 {
        let bounds = |grid: &Grid| {
            let corners = grid.corners();
            let least = |f: fn(&(f32, f32)) -> f32| corners.iter().map(f).fold(f32::INFINITY, f32::min);
            let most = |f: fn(&(f32, f32)) -> f32| corners.iter().map(f).fold(f32::NEG_INFINITY, f32::max);
            [least(|c| c.0), least(|c| c.1), most(|c| c.0), most(|c| c.1)]
        };
        let (a, b) = (bounds(self), bounds(other));
        let area = |r: [f32; 4]| (r[2] - r[0]).max(0.0) * (r[3] - r[1]).max(0.0);
        let shared = area([a[0].max(b[0]), a[1].max(b[1]), a[2].min(b[2]), a[3].min(b[3])]);
        shared / area(a).min(area(b)).max(1.0)
    }

    /// The area in square pixels.
    pub(crate) fn area(&self) -> f32 {
        let c = self.corners();
        (0..4).map(|i| c[i].0 * c[(i + 1) % 4].1 - c[(i + 1) % 4].0 * c[i].1).sum::<f32>().abs() / 2.0
    }

    /// The board scaled so that its points are [`STEP`] apart.
    pub(crate) fn board(&self, pixels: &Pixels) -> Scaled {
        let half = PATCH as f32 / 2.0 / STEP as f32;
        let scaled = |rgb| Scaled { width: BOARD_WIDTH, height: BOARD_HEIGHT, rgb };
        match *self {
            Grid::Straight { x, y, dx, dy } => {
                let across = [x - half * dx, dx / STEP as f32];
                let down = [y - half * dy, dy / STEP as f32];
                scaled(resample(pixels, across, down, BOARD_WIDTH, BOARD_HEIGHT))
            }
            Grid::Corners(_) => {
                let place = self.place();
                let side = |a: (f32, f32), b: (f32, f32)| (a.0 - b.0).hypot(a.1 - b.1);
                let longest = side(place(0.0, 0.0), place(1.0, 0.0)).max(side(place(0.0, 8.0), place(1.0, 8.0)));
                let samples = ((longest / STEP as f32).ceil() as usize).clamp(1, 4);
                let mut rgb = Vec::with_capacity(BOARD_WIDTH * BOARD_HEIGHT * 3);
                for v in 0..BOARD_HEIGHT {
                    for u in 0..BOARD_WIDTH {
                        let mut sum = [0.0; 3];
                        for i in 0..samples * samples {
                            let part = |n: usize, i: usize| {
                                (n as f32 + (i as f32 + 0.5) / samples as f32) / STEP as f32 - half
                            };
                            let (x, y) = place(part(v, i / samples), part(u, i % samples));
                            let colour = pixels.between(x, y);
                            for c in 0..3 {
                                sum[c] += colour[c];
                            }
                        }
                        for value in sum {
                            rgb.push((value / (samples * samples) as f32 + 0.5) as u8);
                        }
                    }
                }
                // Photographs have light from a side.
                scaled(rgb).evenly_lit()
            }
        }
    }
}
