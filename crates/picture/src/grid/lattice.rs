//! Grids without lines: the lattice on which discs stand.

use super::comb::Candidate;
use super::points::Grid;
use crate::pixels::{FILES, RANKS, Scaled};

/// The radii that are looked for, in pixels of the reduced picture.
const RADII: std::ops::Range<usize> = 5..26;
/// How many centres are followed, the strongest first.
const CENTRES: usize = 80;

struct Disc {
    x: f32,
    y: f32,
    radius: usize,
    votes: f32,
}

/// Centres of discs: each edge votes for the places that lie a radius along its slope.
fn discs(picture: &Scaled) -> Vec<Disc> {
    let (width, height) = (picture.width, picture.height);
    let grey: Vec<i32> =
        picture.rgb.chunks_exact(3).map(|p| i32::from(p[0]) + i32::from(p[1]) + i32::from(p[2])).collect();
    let mut edges = Vec::new();
    for y in 1..height.saturating_sub(1) {
        for x in 1..width.saturating_sub(1) {
            let at = |dx: isize, dy: isize| grey[(y as isize + dy) as usize * width + (x as isize + dx) as usize];
            let gx = at(1, -1) + 2 * at(1, 0) + at(1, 1) - at(-1, -1) - 2 * at(-1, 0) - at(-1, 1);
            let gy = at(-1, 1) + 2 * at(0, 1) + at(1, 1) - at(-1, -1) - 2 * at(0, -1) - at(1, -1);
            let length = ((gx * gx + gy * gy) as f32).sqrt();
            if length > 220.0 {
                edges.push((x as f32, y as f32, gx as f32 / length, gy as f32 / length));
            }
        }
    }
    let mut found: Vec<Disc> = Vec::new();
    let mut votes = vec![0u16; width * height];
    for radius in RADII {
        votes.fill(0);
        for &(x, y, gx, gy) in &edges {
            for sign in [-1.0, 1.0] {
                let (u, v) = ((x + sign * gx * radius as f32).round(), (y + sign * gy * radius as f32).round());
                if u >= 0.0 && v >= 0.0 && (u as usize) < width && (v as usize) < height {
                    votes[v as usize * width + u as usize] += 1;
                }
            }
        }
        let around = std::f32::consts::TAU * radius as f32;
        for y in 1..height.saturating_sub(1) {
            for x in 1..width.saturating_sub(1) {
                if votes[y * width + x] < 4 {
                    continue;
                }
                let sum: u32 = (0..9).map(|i| u32::from(votes[(y + i / 3 - 1) * width + x + i % 3 - 1])).sum();
                let share = sum as f32 / around;
                if share > 0.55 {
                    found.push(Disc { x: x as f32 + 0.5, y: y as f32 + 0.5, radius, votes: share });
                }
            }
        }
    }
    found.sort_unstable_by(|a, b| b.votes.total_cmp(&a.votes));
    let mut kept: Vec<Disc> = Vec::new();
    for disc in found {
        let near = |c: &Disc| (c.x - disc.x).hypot(c.y - disc.y) < c.radius as f32 * 0.9;
        if !kept.iter().any(near) {
            kept.push(disc);
            if kept.len() == CENTRES {
                break;
            }
        }
    }
    kept
}

/// How well places agree with a step: 1 if all have the same remainder, which is given, too.
fn agreement(places: &[f32], step: f32) -> (f32, f32) {
    let (mut re, mut im) = (0.0, 0.0);
    for place in places {
        let angle = place / step * std::f32::consts::TAU;
        re += angle.cos();
        im += angle.sin();
    }
    let n = places.len() as f32;
    ((re * re + im * im).sqrt() / n, im.atan2(re).rem_euclid(std::f32::consts::TAU) / std::f32::consts::TAU * step)
}

/// The likeliest grids under discs of one size, best first.
pub(crate) fn disc_candidates(picture: &Scaled, keep: usize) -> Vec<Candidate> {
    let discs = discs(picture);
    let mut found = Vec::new();
    for radius in RADII.step_by(2) {
        let of_size: Vec<&Disc> = discs.iter().filter(|d| d.radius.abs_diff(radius) <= 1 + radius / 8).collect();
        if of_size.len() < 4 {
            continue;
        }
        let xs: Vec<f32> = of_size.iter().map(|d| d.x).collect();
        let ys: Vec<f32> = of_size.iter().map(|d| d.y).collect();
        let mut steps: Vec<(f32, f32, f32)> = Vec::new();
        let mut step = radius as f32 * 1.9;
        while step < radius as f32 * 3.3 {
            for ratio in [0.92, 0.96, 1.0, 1.04, 1.08] {
                let score = agreement(&xs, step).0 * agreement(&ys, step * ratio).0;
                steps.push((score, step, step * ratio));
            }
            step += 0.1;
        }
        steps.sort_unstable_by(|a, b| b.0.total_cmp(&a.0));
        let mut used: Vec<f32> = Vec::new();
        for &(score, dx, dy) in &steps {
            if used.iter().any(|u| (u - dx).abs() < 1.5) || used.len() == 3 {
                continue;
            }
            used.push(dx);
            let index = |places: &[f32], step: f32, phase: f32| -> Vec<i32> {
                places.iter().map(|p| ((p - phase) / step).round() as i32).collect()
            };
            let (px, py) = (agreement(&xs, dx).1, agreement(&ys, dy).1);
            let (files, ranks) = (index(&xs, dx, px), index(&ys, dy, py));
            let window = |indexes: &[i32], size: usize| {
                let (first, last) = (*indexes.iter().min().unwrap_or(&0), *indexes.iter().max().unwrap_or(&0));
                let mut starts: Vec<(usize, i32)> = (first - size as i32 + 1..=last)
                    .map(|s| (indexes.iter().filter(|&&i| i >= s && i < s + size as i32).count(), s))
                    .collect();
                let most = starts.iter().map(|s| s.0).max().unwrap_or(0);
                starts.retain(|s| s.0 * 10 >= most * 9);
                // Windows that reach outside the picture are no boards.
                starts
            };
            for (_, file) in window(&files, FILES) {
                for (_, rank) in window(&ranks, RANKS) {
                    let inside = of_size
                        .iter()
                        .zip(files.iter().zip(&ranks))
                        .filter(|(_, (f, r))| {
                            (file..file + FILES as i32).contains(*f) && (rank..rank + RANKS as i32).contains(*r)
                        })
                        .count();
                    let grid = Grid::Straight { x: px + file as f32 * dx, y: py + rank as f32 * dy, dx, dy };
                    let [first, _, last, _] = grid.corners();
                    let margin = dx * 0.3;
                    let fits = first.0 > margin && first.1 > margin;
                    if fits && last.0 < picture.width as f32 - margin && last.1 < picture.height as f32 - margin {
                        found.push(Candidate { grid, score: score * (inside as f32).sqrt() });
                    }
                }
            }
        }
    }
    super::comb::distinct(found, keep)
}
