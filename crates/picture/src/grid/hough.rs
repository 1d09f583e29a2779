//! Straight lines of any direction.

use crate::pixels::Scaled;

/// A line: `across.0 * x + across.1 * y + offset = 0`, with a normal of length 1.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StraightLine {
    pub(crate) across: (f32, f32),
    pub(crate) offset: f32,
    /// The middle of the pixels on it.
    pub(crate) middle: (f32, f32),
    /// How many pixels are on it.
    pub(crate) weight: f32,
}

/// An edge between dark and light, and the direction across it.
struct Edge {
    x: f32,
    y: f32,
    across: (f32, f32),
}

/// How much the sum of the colours changes at an edge.
const CONTRAST: f32 = 90.0;
/// Directions that are told apart.
const DIRECTIONS: usize = 180;
/// A place takes part in the lines of its direction, and of so many on both sides.
const NEAR_DIRECTIONS: isize = 4;
/// Pixels between lines that are told apart.
const STEP: f32 = 1.5;
/// The shortest line, as a part of the shorter side of the picture.
const SHORTEST: f32 = 0.11;

fn edges(picture: &Scaled) -> Vec<Edge> {
    let (width, height) = (picture.width, picture.height);
    let grey: Vec<f32> =
        picture.rgb.chunks_exact(3).map(|p| f32::from(p[0]) + f32::from(p[1]) + f32::from(p[2])).collect();
    let at = |x: usize, y: usize| grey[y * width + x];
    let mut slopes = vec![(0.0f32, 0.0f32); width * height];
    for y in 1..height.saturating_sub(1) {
        for x in 1..width.saturating_sub(1) {
            let right = at(x + 1, y - 1) + 2.0 * at(x + 1, y) + at(x + 1, y + 1);
            let left = at(x - 1, y - 1) + 2.0 * at(x - 1, y) + at(x - 1, y + 1);
            let below = at(x - 1, y + 1) + 2.0 * at(x, y + 1) + at(x + 1, y + 1);
            let above = at(x - 1, y - 1) + 2.0 * at(x, y - 1) + at(x + 1, y - 1);
            slopes[y * width + x] = (right - left, below - above);
        }
    }
    let length = |(a, b): (f32, f32)| a.hypot(b);
    let mut found = Vec::new();
    for y in 1..height.saturating_sub(1) {
        for x in 1..width.saturating_sub(1) {
            let slope = slopes[y * width + x];
            let steep = length(slope);
            if steep < CONTRAST {
                continue;
            }
            let across = (slope.0 / steep, slope.1 / steep);
            // The steepest place across the edge alone.
            let beside = |sign: f32| {
                let (u, v) = ((x as f32 + sign * across.0).round(), (y as f32 + sign * across.1).round());
                length(slopes[v as usize * width + u as usize])
            };
            if steep >= beside(1.0) && steep > beside(-1.0) {
                found.push(Edge { x: x as f32 + 0.5, y: y as f32 + 0.5, across });
            }
        }
    }
    found
}

/// The longest straight lines of a picture.
pub(crate) fn straight_lines(picture: &Scaled, keep: usize) -> Vec<StraightLine> {
    let edges = edges(picture);
    let reach = (picture.width as f32).hypot(picture.height as f32);
    let places = (2.0 * reach / STEP) as usize + 2;
    let normals: Vec<(f32, f32)> = (0..DIRECTIONS)
        .map(|i| (i as f32 / DIRECTIONS as f32 * std::f32::consts::PI).sin_cos())
        .map(|(sin, cos)| (cos, sin))
        .collect();
    let mut votes = vec![0u16; DIRECTIONS * places];
    for edge in &edges {
        let angle = edge.across.1.atan2(edge.across.0).rem_euclid(std::f32::consts::PI);
        let own = (angle / std::f32::consts::PI * DIRECTIONS as f32).round() as isize;
        for near in -NEAR_DIRECTIONS..=NEAR_DIRECTIONS {
            let direction = (own + near).rem_euclid(DIRECTIONS as isize) as usize;
            let normal = normals[direction];
            let place = ((normal.0 * edge.x + normal.1 * edge.y + reach) / STEP) as usize;
            votes[direction * places + place] += 1;
        }
    }
    let least = (picture.width.min(picture.height) as f32 * SHORTEST) as u16;
    let mut peaks: Vec<(u16, usize, usize)> = Vec::new();
    for direction in 0..DIRECTIONS {
        for place in 2..places - 2 {
            let count = votes[direction * places + place];
            // Only the middle of a peak; a direction beyond the last one is the first, seen from the other side.
            let is_peak = count >= least
                && (-2..=2isize).all(|d| {
                    let other = direction as isize + d;
                    let turned = other < 0 || other >= DIRECTIONS as isize;
                    let other = other.rem_euclid(DIRECTIONS as isize) as usize;
                    (place - 2..=place + 2).all(|p| {
                        let p = if turned { places.saturating_sub(p + 1) } else { p };
                        votes[other * places + p] <= count
                    })
                });
            if is_peak {
                peaks.push((count, direction, place));
            }
        }
    }
    peaks.sort_unstable_by(|a, b| b.cmp(a));
    peaks.truncate(keep);
    peaks
        .into_iter()
        .filter_map(|(_, direction, place)| {
            let offset = reach - (place as f32 + 0.5) * STEP;
            let line = StraightLine { across: normals[direction], offset, middle: (0.0, 0.0), weight: 0.0 };
            fit(&edges, &line, 2.5).and_then(|line| fit(&edges, &line, 1.6))
        })
        .collect()
}

/// The line through the edges near a line.
fn fit(edges: &[Edge], line: &StraightLine, near: f32) -> Option<StraightLine> {
    let mut sums = [0.0f64; 6];
    for edge in edges {
        let distance = line.across.0 * edge.x + line.across.1 * edge.y + line.offset;
        let along = (line.across.0 * edge.across.0 + line.across.1 * edge.across.1).abs();
        if distance.abs() <= near && along > 0.97 {
            let (x, y) = (f64::from(edge.x), f64::from(edge.y));
            [1.0, x, y, x * x, x * y, y * y].iter().zip(&mut sums).for_each(|(value, sum)| *sum += value);
        }
    }
    let [count, x, y, xx, xy, yy] = sums;
    if count < 8.0 {
        return None;
    }
    let (x, y) = (x / count, y / count);
    let (xx, xy, yy) = (xx / count - x * x, xy / count - x * y, yy / count - y * y);
    // The direction in which the edges spread most, turned by a right angle.
    let angle = 0.5 * (2.0 * xy).atan2(xx - yy) + std::f64::consts::FRAC_PI_2;
    let across = (angle.cos(), angle.sin());
    Some(StraightLine {
        across: (across.0 as f32, across.1 as f32),
        offset: -(across.0 * x + across.1 * y) as f32,
        middle: (x as f32, y as f32),
        weight: count as f32,
    })
}
