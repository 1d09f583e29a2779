//! Grids of lines: combs of nine lines down and ten across, judged by what a xiangqi board alone has.

use super::lines::{LineMap, Lines};
use super::points::Grid;
use crate::pixels::{FILES, RANKS, Scaled};

/// A grid and how well lines agree with it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate {
    pub(crate) grid: Grid,
    pub(crate) score: f32,
}

/// Teeth that start at a place, and the step between them.
#[derive(Clone, Copy, Debug)]
struct Comb {
    start: f32,
    step: f32,
    score: f32,
}

/// The smallest step in pixels of the reduced picture.
const MIN_STEP: f32 = 11.0;
/// How many combs of each kind are followed.
const COMBS: usize = 26;

/// The combs with the strongest lines in a profile: high at their teeth, low between them.
fn combs(profile: &[f32], teeth: usize, least: f32, most: f32, keep: usize) -> Vec<Comb> {
    let gaps = (teeth - 1) as f32;
    let most = most.min((profile.len() as f32 - 1.0) / gaps);
    let mut best: Vec<Comb> = Vec::new();
    let mut scores: Vec<f32> = Vec::new();
    let mut step = least;
    while step <= most {
        let starts = profile.len() - ((gaps * step + 0.5) as usize + 1).min(profile.len());
        scores.clear();
        scores.resize(starts, 0.0);
        let mut add = |offset: f32, share: f32| {
            let from = &profile[(offset + 0.5) as usize..];
            scores.iter_mut().zip(from).for_each(|(score, value)| *score += value * share);
        };
        for i in 0..teeth {
            add(i as f32 * step, 1.0 / teeth as f32);
            if i + 1 < teeth {
                add((i as f32 + 0.5) * step, -0.5 / gaps);
            }
        }
        // The best starts of this step, apart from each other.
        let mut top: [Option<Comb>; 3] = [None; 3];
        for (start, &score) in scores.iter().enumerate() {
            let start = start as f32;
            if let Some(near) = top.iter_mut().flatten().find(|c| (c.start - start).abs() < 3.0) {
                if score > near.score {
                    *near = Comb { start, step, score };
                }
            } else if let Some(slot) = top.iter_mut().min_by(|a, b| rank(a).total_cmp(&rank(b)))
                && rank(slot) < score
            {
                *slot = Some(Comb { start, step, score });
            }
        }
        best.extend(top.iter().flatten());
        step += (step / 220.0).clamp(0.06, 0.2);
    }
    best.sort_unstable_by(|a, b| b.score.total_cmp(&a.score));
    let mut kept: Vec<Comb> = Vec::new();
    for comb in best {
        let alike = |c: &Comb| (c.start - comb.start).abs() < 3.0 && ((c.step - comb.step) * gaps).abs() < 4.0;
        if !kept.iter().any(alike) {
            kept.push(comb);
            if kept.len() == keep {
                break;
            }
        }
    }
    kept
}

fn rank(comb: &Option<Comb>) -> f32 {
    comb.map_or(f32::NEG_INFINITY, |c| c.score)
}

/// How much of a stretch is a line, for each place across; damped, so that one long frame does not outweigh nine lines.
fn profile(lines: &Lines, from: f32, to: f32) -> Vec<f32> {
    let length = (to - from).max(1.0);
    (0..lines.across)
        .map(|a| (lines.count(a as isize, from.round() as isize, to.round() as isize) as f32 / length).sqrt())
        .collect()
}

/// What speaks for a grid: lines between its points, none across the river, palaces, nothing beyond.
fn judge(map: &LineMap, grid: &Grid) -> f32 {
    let Grid::Straight { x, y, dx, dy } = *grid else { return 0.0 };
    let px = |file: f32| x + file * dx;
    let py = |rank: f32| y + rank * dy;
    let down = |file: f32, rank: f32| map.down.cover(px(file), py(rank + 0.15), py(rank + 0.85));
    let across = |rank: f32, file: f32| map.across.cover(py(rank), px(file + 0.15), px(file + 0.85));
    let (files, ranks) = (FILES as f32, RANKS as f32);
    let range = |n: usize| (0..n).map(|i| i as f32);
    let mean = |values: Vec<f32>| values.iter().sum::<f32>() / values.len() as f32;

    let rows: Vec<f32> = range(RANKS).map(|r| mean(range(FILES - 1).map(|f| across(r, f)).collect())).collect();
    let columns: Vec<f32> =
        range(FILES).map(|f| mean(range(RANKS - 1).filter(|&r| r != 4.0).map(|r| down(f, r)).collect())).collect();
    let lines = mean(rows.iter().chain(&columns).map(|v| v.sqrt()).collect());
    let weakest = |v: &[f32]| {
        let mut v = v.to_vec();
        v.sort_unstable_by(f32::total_cmp);
        v[1].sqrt()
    };
    let river = mean((1..FILES - 1).map(|f| down(f as f32, 4.0)).collect());
    let banks = mean(vec![down(0.0, 4.0), down(files - 1.0, 4.0)]);
    let halves =
        mean(range(FILES - 1).flat_map(|f| [down(f + 0.5, 1.0), down(f + 0.5, 6.0), down(f + 0.5, 2.0)]).collect())
            + mean(range(RANKS - 1).flat_map(|r| [across(r + 0.5, 1.0), across(r + 0.5, 6.0)]).collect());
    let outside = mean(range(FILES - 1).flat_map(|f| [across(-1.0, f), across(ranks, f)]).collect())
        + mean(range(RANKS - 1).flat_map(|r| [down(-1.0, r), down(files, r)]).collect());
    let slanted = |rank: f32, file: f32, way: f32| {
        let side = |t: f32| (px(file + if way > 0.0 { t } else { 1.0 - t }), py(rank + t));
        map.slanted_cover(side(0.2), side(0.8))
    };
    let palace = |top: f32| {
        mean(vec![
            slanted(top, 3.0, 1.0),
            slanted(top, 4.0, -1.0),
            slanted(top + 1.0, 3.0, -1.0),
            slanted(top + 1.0, 4.0, 1.0),
        ])
    };
    let elsewhere = mean(vec![
        slanted(2.0, 3.0, 1.0),
        slanted(2.0, 4.0, -1.0),
        slanted(6.0, 3.0, -1.0),
        slanted(6.0, 4.0, 1.0),
        slanted(0.0, 2.0, 1.0),
        slanted(0.0, 5.0, -1.0),
        slanted(8.0, 2.0, -1.0),
        slanted(8.0, 5.0, 1.0),
    ]);
    2.0 * lines + 0.5 * (weakest(&rows) + weakest(&columns)) - 0.5 * river + 0.2 * banks - 0.5 * halves - 0.3 * outside
        + 0.6 * (palace(0.0) + palace(7.0) - 2.0 * elsewhere)
}

/// The grid moved and scaled a little to where its lines are strongest.
fn refine(map: &LineMap, mut best: Candidate) -> Candidate {
    let mut size = 1.0;
    while size > 0.2 {
        let Grid::Straight { x, y, dx, dy } = best.grid else { return best };
        let (sx, sy) = (size / (FILES - 1) as f32, size / (RANKS - 1) as f32);
        let mut better = best;
        for (a, b, c, d) in [
            (size, 0.0, 0.0, 0.0),
            (-size, 0.0, 0.0, 0.0),
            (0.0, size, 0.0, 0.0),
            (0.0, -size, 0.0, 0.0),
            (0.0, 0.0, sx, 0.0),
            (0.0, 0.0, -sx, 0.0),
            (0.0, 0.0, 0.0, sy),
            (0.0, 0.0, 0.0, -sy),
            (size, 0.0, -sx, 0.0),
            (-size, 0.0, sx, 0.0),
            (0.0, size, 0.0, -sy),
            (0.0, -size, 0.0, sy),
        ] {
            let grid = Grid::Straight { x: x + a, y: y + b, dx: dx + c, dy: dy + d };
            let score = judge(map, &grid);
            if score > better.score + 1e-4 {
                better = Candidate { grid, score };
            }
        }
        if better.score > best.score {
            best = better;
        } else {
            size /= 2.0;
        }
    }
    best
}

/// The likeliest grids of lines, best first; `ratios` bounds the steps of one axis against those of the other.
pub(crate) fn candidates(picture: &Scaled, keep: usize, ratios: (f32, f32)) -> Vec<Candidate> {
    let map = LineMap::new(picture);
    let (width, height) = (picture.width as f32, picture.height as f32);
    let mut found: Vec<Candidate> = Vec::new();
    let mut add = |x: &Comb, y: &Comb| {
        let grid = Grid::Straight { x: x.start, y: y.start, dx: x.step, dy: y.step };
        found.push(Candidate { grid, score: judge(&map, &grid) });
    };
    // Bands of the picture, as a board need not fill it.
    let bands = |size: f32| [(0.0, size), (0.0, size * 0.5), (size * 0.25, size * 0.75), (size * 0.5, size)];
    for (from, to) in bands(height) {
        for x in combs(&profile(&map.down, from, to), FILES, MIN_STEP, width, COMBS / 2) {
            let rows = profile(&map.across, x.start, x.start + 8.0 * x.step);
            for y in combs(&rows, RANKS, x.step * ratios.0, x.step * ratios.1, 3) {
                add(&x, &y);
            }
        }
    }
    for (from, to) in bands(width) {
        for y in combs(&profile(&map.across, from, to), RANKS, MIN_STEP, height, COMBS / 2) {
            let columns = profile(&map.down, y.start, y.start + 9.0 * y.step);
            for x in combs(&columns, FILES, y.step * ratios.0, y.step * ratios.1, 3) {
                add(&x, &y);
            }
        }
    }
    let mut best = distinct(found, keep * 2);
    // Off by a line, as frames and texts make it.
    let moved: Vec<Candidate> = best
        .iter()
        .take(4)
        .flat_map(|c| {
            let Grid::Straight { x, y, dx, dy } = c.grid else { return Vec::new() };
            (0..9)
                .filter(|&i| i != 4)
                .map(|i| {
                    let grid = Grid::Straight {
                        x: x + ((i % 3) as f32 - 1.0) * dx,
                        y: y + ((i / 3) as f32 - 1.0) * dy,
                        dx,
                        dy,
                    };
                    Candidate { grid, score: judge(&map, &grid) }
                })
                .collect()
        })
        .filter(|c| {
            c.grid.corners().iter().all(|p| p.0 > -3.0 && p.1 > -3.0 && p.0 < width + 3.0 && p.1 < height + 3.0)
        })
        .collect();
    best.extend(moved);
    let best = distinct(best, keep * 2).into_iter().map(|c| refine(&map, c)).collect();
    distinct(best, keep)
}

/// The best that are not the same grid.
pub(crate) fn distinct(mut found: Vec<Candidate>, keep: usize) -> Vec<Candidate> {
    found.sort_unstable_by(|a, b| b.score.total_cmp(&a.score));
    let mut kept: Vec<Candidate> = Vec::new();
    for candidate in found {
        let corners = candidate.grid.corners();
        let step = (corners[1].0 - corners[0].0) / 8.0;
        let alike = |c: &Candidate| {
            c.grid
                .corners()
                .iter()
                .zip(&corners)
                .all(|(a, b)| (a.0 - b.0).abs() < step * 0.12 && (a.1 - b.1).abs() < step * 0.12)
        };
        if !kept.iter().any(alike) {
            kept.push(candidate);
            if kept.len() == keep {
                break;
            }
        }
    }
    kept
}
