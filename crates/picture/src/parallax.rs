//! Photographs that are taken from an angle show the tops of the pieces beside the points on which they stand. So the corners
//! of the lines are moved to where the discs are: their edges vote for their middles, and the board is laid through these.

use crate::grid::Grid;
use crate::pixels::{FILES, PATCH, POINTS, Pixels, RANKS, STEP, Scaled, add_to_fit, median, solved};

/// The radii of discs in pixels of a scaled board, and how far from their points they are looked for.
const RADII: std::ops::RangeInclusive<usize> = 9..=14;
const REACH: isize = 10;
/// How much the sum of the colours changes at an edge.
const CONTRAST: f32 = 70.0;
/// A disc has so much of its edge, and a board that is laid through its discs so many of these.
const LEAST_EDGE: f32 = 0.42;
const FEWEST_DISCS: usize = 5;
/// How often discs are looked for, each time where the last ones were.
const ROUNDS: usize = 2;
/// A disc that is so many steps beside the place that the others tell counts for half.
const OFF: f64 = 0.05;
/// What a corner that stays where the discs are on average counts against a disc.
const STAYS: f64 = 0.3;

/// The outer points in steps from the first one.
const OUTER: [(f64, f64); 4] = {
    let (last_file, last_row) = ((FILES - 1) as f64, (RANKS - 1) as f64);
    [(0.0, 0.0), (last_file, 0.0), (last_file, last_row), (0.0, last_row)]
};

/// The outer points, from the top left clockwise.
pub(crate) type Corners = [(f32, f32); 4];

/// Where the outer points of the board are that the tops of the pieces lie on; nothing if there are too few discs.
pub(crate) fn corners_of_tops(pixels: &Pixels, given: Corners) -> Option<Corners> {
    let mut corners = given;
    for _ in 0..ROUNDS {
        let grid = Grid::Corners(corners);
        let discs = discs(&grid.board(pixels));
        let map = (discs.len() >= FEWEST_DISCS).then(|| map_to(&discs))??;
        let place = grid.place();
        corners = OUTER.map(|(x, y)| {
            let (file, row) = mapped(&map, x, y);
            place(row as f32, file as f32)
        });
    }
    Some(corners)
}

/// A disc: its point, and where it is, in steps from the first point.
struct Disc {
    point: (f64, f64),
    place: (f64, f64),
}

/// The discs of a board: for each radius the edges vote for the places so far to their sides.
fn discs(board: &Scaled) -> Vec<Disc> {
    let (width, height) = (board.width, board.height);
    let grey: Vec<f32> =
        board.rgb.chunks_exact(3).map(|p| f32::from(p[0]) + f32::from(p[1]) + f32::from(p[2])).collect();
    let mut votes = vec![vec![0.0f32; width * height]; RADII.count()];
    for y in 1..height - 1 {
        for x in 1..width - 1 {
            let at = |dx: usize, dy: usize| grey[(y + dy - 1) * width + x + dx - 1];
            let across = at(2, 0) + 2.0 * at(2, 1) + at(2, 2) - at(0, 0) - 2.0 * at(0, 1) - at(0, 2);
            let down = at(0, 2) + 2.0 * at(1, 2) + at(2, 2) - at(0, 0) - 2.0 * at(1, 0) - at(2, 0);
            let steep = across.hypot(down);
            if steep < CONTRAST {
                continue;
            }
            for (radius, votes) in RADII.zip(&mut votes) {
                for side in [-1.0, 1.0] {
                    let by = side * radius as f32 / steep;
                    let (u, v) = ((x as f32 + by * across).round(), (y as f32 + by * down).round());
                    if u >= 0.0 && v >= 0.0 && (u as usize) < width && (v as usize) < height {
                        votes[v as usize * width + u as usize] += 1.0;
                    }
                }
            }
        }
    }
    // Each point's best place for each radius.
    let best: Vec<Vec<(f32, (f32, f32))>> = RADII
        .zip(&votes)
        .map(|(radius, votes)| (0..POINTS).map(|i| best_place(votes, width, i, radius)).collect())
        .collect();
    // All discs are as large; the edge of one is beside that of another.
    let whole = |places: &&Vec<(f32, (f32, f32))>| {
        places.iter().map(|(edge, _)| edge.max(LEAST_EDGE) - LEAST_EDGE).sum::<f32>()
    };
    let Some(of_radius) = best.iter().max_by(|a, b| whole(a).total_cmp(&whole(b))) else { return Vec::new() };
    let found = of_radius.iter().enumerate().filter(|(_, (edge, _))| *edge > LEAST_EDGE);
    found
        .map(|(point, &(_, (x, y)))| {
            let step = |at: f32| f64::from((at - (PATCH as f32 - 1.0) / 2.0) / STEP as f32);
            Disc { point: ((point % FILES) as f64, (point / FILES) as f64), place: (step(x), step(y)) }
        })
        .collect()
}

/// Near a point the place with the most of a circle's edge around it: how much of it, and where.
fn best_place(votes: &[f32], width: usize, point: usize, radius: usize) -> (f32, (f32, f32)) {
    let middle = |index: usize| (index * STEP + PATCH / 2) as isize;
    let (column, row) = (middle(point % FILES), middle(point / FILES));
    let at = |x: isize, y: isize| votes[y as usize * width + x as usize];
    let near = || (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (dx, dy)));
    let mut best = (0.0, (column, row));
    for y in row - REACH..=row + REACH {
        for x in column - REACH..=column + REACH {
            let sum: f32 = near().map(|(dx, dy)| at(x + dx, y + dy)).sum();
            if sum > best.0 {
                best = (sum, (x, y));
            }
        }
    }
    let (sum, (x, y)) = best;
    let shift = |way: fn((isize, isize)) -> isize| {
        near().map(|(dx, dy)| at(x + dx, y + dy) * way((dx, dy)) as f32).sum::<f32>() / sum.max(1.0)
    };
    (sum / (std::f32::consts::TAU * radius as f32), (x as f32 + shift(|d| d.0), y as f32 + shift(|d| d.1)))
}

/// The projective map of points to their discs.
type Map = [f64; 8];

fn mapped(map: &Map, x: f64, y: f64) -> (f64, f64) {
    let depth = map[6] * x + map[7] * y + 1.0;
    ((map[0] * x + map[1] * y + map[2]) / depth, (map[3] * x + map[4] * y + map[5]) / depth)
}

/// The map that most discs agree with.
fn map_to(discs: &[Disc]) -> Option<Map> {
    let shift = |of: fn(&Disc) -> f64| median(discs.iter().map(of).collect(), f64::total_cmp);
    let shift = (shift(|d| d.place.0 - d.point.0), shift(|d| d.place.1 - d.point.1));
    let mut map = [1.0, 0.0, shift.0, 0.0, 1.0, shift.1, 0.0, 0.0];
    for _ in 0..4 {
        let mut sums = vec![vec![0.0; 9]; 8];
        let mut add = |(x, y): (f64, f64), (u, v): (f64, f64), weight: f64| {
            add_to_fit(&mut sums, &[x, y, 1.0, 0.0, 0.0, 0.0, -u * x, -u * y], u, weight);
            add_to_fit(&mut sums, &[0.0, 0.0, 0.0, x, y, 1.0, -v * x, -v * y], v, weight);
        };
        for disc in discs {
            let (x, y) = mapped(&map, disc.point.0, disc.point.1);
            let off = (disc.place.0 - x).hypot(disc.place.1 - y) / OFF;
            add(disc.point, disc.place, 1.0 / (1.0 + off * off));
        }
        for corner in OUTER {
            add(corner, (corner.0 + shift.0, corner.1 + shift.1), STAYS);
        }
        map = solved(sums)?.try_into().ok()?;
    }
    Some(map)
}

/// The steps of the board across and down in pixels, on average.
pub(crate) fn steps(&[a, b, c, d]: &Corners) -> [(f32, f32); 2] {
    let half = |(x, y): (f32, f32), (u, v): (f32, f32), n: usize| ((x + u) / (2 * n) as f32, (y + v) / (2 * n) as f32);
    let by = |from: (f32, f32), to: (f32, f32)| (to.0 - from.0, to.1 - from.1);
    [half(by(a, b), by(d, c), FILES - 1), half(by(a, d), by(b, c), RANKS - 1)]
}
