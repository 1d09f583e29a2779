//! Where the points of a board are in a picture.

mod comb;
mod hough;
mod lattice;
mod lines;
mod perspective;

pub(crate) use comb::{Candidate, candidates, distinct};
pub(crate) use lattice::disc_candidates;
pub(crate) use perspective::Slanted;

use crate::{FILES, RANKS};

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
}
