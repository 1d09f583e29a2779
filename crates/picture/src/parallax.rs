//! Photographs that are taken from an angle show the tops of the pieces beside the points on which they stand. So the corners
//! that are given, which are those of the lines, are moved to where the network sees pieces most surely: all together, and
//! then one by one.

use crate::grid::Grid;
use crate::network::{EMPTY, Network, Seen};
use crate::pixels::{FILES, POINTS, Pixels, RANKS};

/// How far the corners are moved at a time, in steps of the board: all together, and each of them.
const SHIFTS: [f32; 3] = [0.3, 0.15, 0.08];
const CORNER_SHIFTS: [f32; 2] = [0.2, 0.1];
/// So many more pieces must be seen after the first move, or the corners stay.
const LEAST_GAIN: f32 = 1.0;
/// The most moves of each size that are made together.
const MOVES: usize = 2;
/// Points where no kind is likelier than this, wherever the corners are moved at first, are empty.
const LEAST_CHANCE: f32 = 0.15;

/// The outer points, from the top left clockwise.
pub(crate) type Corners = [(f32, f32); 4];

/// Where the tops of the pieces are, near the corners that were given; nothing if these show pieces as surely, unless much
/// is doubtful there.
pub(crate) fn corners_of_tops(
    network: &Network,
    pixels: &Pixels,
    given: Corners,
    is_doubtful: bool,
) -> Option<Corners> {
    let [across, down] = steps(&given);
    let moved =
        |(px, py): (f32, f32), (x, y): (f32, f32)| (px + x * across.0 + y * down.0, py + x * across.1 + y * down.1);
    let all_moved = |corners: Corners, by: f32| ways(by).map(move |way| corners.map(|corner| moved(corner, way)));
    let points: Vec<usize> = (0..POINTS).collect();
    let mut likeliest = sureness(network, pixels, Grid::Corners(given), &points);
    let at_first: f32 = likeliest.iter().sum();
    let mut is_elsewhere = false;
    for corners in all_moved(given, SHIFTS[0]) {
        let seen = sureness(network, pixels, Grid::Corners(corners), &points);
        is_elsewhere |= seen.iter().sum::<f32>() > at_first + LEAST_GAIN;
        likeliest.iter_mut().zip(seen).for_each(|(most, chance)| *most = most.max(chance));
    }
    if !is_elsewhere && !is_doubtful {
        return None;
    }
    let points = points.into_iter().filter(|&point| likeliest[point] > LEAST_CHANCE).collect();
    let mut search = Search { network, pixels, points, corners: given, sureness: 0.0 };
    search.sureness = search.at(given);
    for by in SHIFTS {
        for _ in 0..MOVES {
            let before = search.sureness;
            all_moved(search.corners, by).for_each(|corners| search.take_if_better(corners));
            if search.sureness <= before {
                break;
            }
        }
    }
    for by in CORNER_SHIFTS {
        for index in 0..given.len() {
            let from = search.corners;
            for way in ways(by) {
                let mut corners = from;
                corners[index] = moved(corners[index], way);
                search.take_if_better(corners);
            }
        }
    }
    Some(search.corners)
}

/// The best corners so far, and how surely pieces are seen between them.
struct Search<'a> {
    network: &'a Network,
    pixels: &'a Pixels<'a>,
    /// The points that are looked at.
    points: Vec<usize>,
    corners: Corners,
    sureness: f32,
}

impl Search<'_> {
    fn at(&self, corners: Corners) -> f32 {
        sureness(self.network, self.pixels, Grid::Corners(corners), &self.points).iter().sum()
    }

    fn take_if_better(&mut self, corners: Corners) {
        let sureness = self.at(corners);
        if sureness > self.sureness {
            (self.corners, self.sureness) = (corners, sureness);
        }
    }
}

/// How surely a piece is seen on each of these points of a grid: the chance of the likeliest kind.
fn sureness(network: &Network, pixels: &Pixels, grid: Grid, points: &[usize]) -> Vec<f32> {
    let board = grid.board(pixels);
    let likeliest = |seen: &Seen| seen.chances()[..EMPTY].iter().copied().fold(0.0, f32::max);
    network.see_points(&board, board.colour(), points).iter().map(likeliest).collect()
}

/// The eight ways to go so far.
fn ways(by: f32) -> impl Iterator<Item = (f32, f32)> {
    let all = [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)];
    all.into_iter().map(move |(x, y)| (x as f32 * by, y as f32 * by))
}

/// The steps of the board across and down in pixels, on average.
pub(crate) fn steps(&[a, b, c, d]: &Corners) -> [(f32, f32); 2] {
    let half = |(x, y): (f32, f32), (u, v): (f32, f32), n: usize| ((x + u) / (2 * n) as f32, (y + v) / (2 * n) as f32);
    let by = |from: (f32, f32), to: (f32, f32)| (to.0 - from.0, to.1 - from.1);
    [half(by(a, b), by(d, c), FILES - 1), half(by(a, d), by(b, c), RANKS - 1)]
}
