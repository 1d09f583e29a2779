//! Boards that a photograph shows from an angle: the lines of each of their two directions meet in a point, and between
//! these two points the picture is straightened.

use super::comb::{Candidate, candidates};
use super::hough::{StraightLine, straight_lines};
use super::points::Grid;
use crate::pixels::{Pixels, Scaled, reduce};

/// The longer side of the picture in which lines are looked for, and of a straightened one.
const LINE_SIDE: usize = 640;
const STRAIGHT_SIDE: f32 = 480.0;
/// How many lines are followed.
const LINES: usize = 120;
/// The sine of the angle by which a line may miss the point in which it meets the others.
const MISS: f32 = 0.02;
/// The least sine of the angle between the two directions.
const APART: f32 = 0.5;
/// Lines meet farther from the middle of the picture than this part of its diagonal.
const NEAREST: f32 = 0.6;
/// Each direction has so many lines.
const FEWEST: usize = 5;
/// What lies nearer to the horizon than this is not looked at; the middle of the picture is at 1.
const HORIZON: f32 = 0.3;
/// The steps of one axis against those of the other, in a picture that is straightened from an angle.
const SEEN_RATIOS: (f32, f32) = (0.5, 1.6);
/// The angles by which a picture is askew, in radians, and how far apart those of its lines are.
const LEAST_ASKEW: f32 = 0.004;
const MOST_ASKEW: f32 = 0.16;
const SAME_ANGLE: f32 = 0.006;
/// Pixels of a picture that is turned back for one of the reduced one.
const ASKEW_SCALE: f64 = 1.0;

/// A point, a line or a direction of the picture, in three coordinates.
type Triple = [f64; 3];

fn cross(a: &Triple, b: &Triple) -> Triple {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn dot(a: &Triple, b: &Triple) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn times(a: &Triple, factor: f64) -> Triple {
    a.map(|value| value * factor)
}

impl StraightLine {
    fn triple(&self) -> Triple {
        [f64::from(self.across.0), f64::from(self.across.1), f64::from(self.offset)]
    }

    /// By how much a line misses a point, seen from its own middle: the sine of the angle.
    fn misses(&self, point: &Triple) -> f32 {
        let (x, y) = (f64::from(self.middle.0), f64::from(self.middle.1));
        let to = (point[0] - x * point[2], point[1] - y * point[2]);
        let length = to.0.hypot(to.1).max(1e-9);
        ((f64::from(self.across.0) * to.0 + f64::from(self.across.1) * to.1) / length).abs() as f32
    }
}

/// A picture that is seen straight: where its places are in the picture.
struct Straightened {
    /// Lines through the two points, by which places across and down are counted, and the line through both points.
    across: Triple,
    down: Triple,
    horizon: Triple,
}

impl Straightened {
    /// Where a place of the picture is.
    fn of(&self, point: (f32, f32)) -> Option<(f64, f64)> {
        let point = [f64::from(point.0), f64::from(point.1), 1.0];
        let depth = dot(&self.horizon, &point);
        (depth > f64::from(HORIZON)).then(|| (dot(&self.across, &point) / depth, dot(&self.down, &point) / depth))
    }

    /// The place in the picture.
    fn back(&self, x: f64, y: f64) -> (f32, f32) {
        let line = |own: &Triple, at: f64| -> Triple { std::array::from_fn(|i| own[i] - at * self.horizon[i]) };
        let point = cross(&line(&self.across, x), &line(&self.down, y));
        let depth = if point[2].abs() < 1e-12 { 1e-12 } else { point[2] };
        ((point[0] / depth) as f32, (point[1] / depth) as f32)
    }
}

/// The point in which the most lines meet, far from the middle of the picture; which lines do.
fn meeting_point(lines: &[StraightLine], middle: (f64, f64), nearest: f64) -> Option<(Triple, Vec<StraightLine>)> {
    let mut best: Option<(f32, Triple)> = None;
    for (index, first) in lines.iter().enumerate() {
        for second in &lines[..index] {
            let point = cross(&first.triple(), &second.triple());
            let away = (point[0] - middle.0 * point[2]).hypot(point[1] - middle.1 * point[2]);
            if away < nearest * point[2].abs() || away < 1e-9 {
                continue;
            }
            let weight: f32 = lines.iter().filter(|line| line.misses(&point) < MISS).map(|line| line.weight).sum();
            if best.as_ref().is_none_or(|(most, _)| weight > *most) {
                best = Some((weight, point));
            }
        }
    }
    let (_, point) = best?;
    let meeting: Vec<StraightLine> = lines.iter().filter(|line| line.misses(&point) < MISS).copied().collect();
    (meeting.len() >= FEWEST).then_some((point, meeting))
}

/// The direction from a place to a point.
fn towards(point: &Triple, from: (f64, f64)) -> (f64, f64) {
    let to = (point[0] - from.0 * point[2], point[1] - from.1 * point[2]);
    let length = to.0.hypot(to.1).max(1e-9);
    (to.0 / length, to.1 / length)
}

/// Finds boards that do not stand upright in a picture.
pub(crate) struct Slanted {
    picture: Scaled,
    lines: Vec<StraightLine>,
    /// Pixels of the whole picture for one of the reduced one.
    scale: (f32, f32),
}

impl Slanted {
    pub(crate) fn new(pixels: &Pixels) -> Slanted {
        let picture = reduce(pixels, LINE_SIDE);
        let lines = straight_lines(&picture, LINES);
        let scale = (pixels.width() as f32 / picture.width as f32, pixels.height() as f32 / picture.height as f32);
        Slanted { picture, lines, scale }
    }

    fn middle(&self) -> (f64, f64) {
        (self.picture.width as f64 / 2.0, self.picture.height as f64 / 2.0)
    }

    /// The likeliest grids that are seen from an angle, best first, in pixels of the picture.
    pub(crate) fn seen_aslant(&self, keep: usize) -> Vec<Candidate> {
        self.find_seen_aslant(keep).unwrap_or_default()
    }

    fn find_seen_aslant(&self, keep: usize) -> Option<Vec<Candidate>> {
        let middle = self.middle();
        let nearest = f64::from(NEAREST) * middle.0.hypot(middle.1) * 2.0;
        let (first, of_first) = meeting_point(&self.lines, middle, nearest)?;
        let along = towards(&first, middle);
        let is_apart = |line: &StraightLine| {
            let own = (f64::from(line.across.0) * along.0 + f64::from(line.across.1) * along.1).abs();
            own as f32 > APART && line.misses(&first) > MISS * 2.0
        };
        let others: Vec<StraightLine> = self.lines.iter().filter(|line| is_apart(line)).copied().collect();
        let (second, of_second) = meeting_point(&others, middle, nearest)?;
        // The direction that is more upright is that of the files.
        let is_upright = along.1.abs() >= towards(&second, middle).1.abs();
        let ((up, files), (side, ranks)) = if is_upright {
            ((first, of_first), (second, of_second))
        } else {
            ((second, of_second), (first, of_first))
        };
        let straightened = straightened(&up, &side, middle)?;
        let x = range(files.iter().filter_map(|line| straightened.of(line.middle)).map(|place| place.0), 0.14)?;
        let y = range(ranks.iter().filter_map(|line| straightened.of(line.middle)).map(|place| place.1), 0.14)?;
        let scale = f64::from(STRAIGHT_SIDE) / (x.1 - x.0).max(y.1 - y.0);
        Some(self.between(&straightened, x, y, scale, keep, SEEN_RATIOS))
    }

    /// The likeliest grids of a picture that is a little askew, best first; `ratios` as for [`candidates`].
    pub(crate) fn askew(&self, keep: usize, ratios: (f32, f32)) -> Vec<Candidate> {
        self.angle().and_then(|angle| self.find_askew(angle, keep, ratios)).unwrap_or_default()
    }

    fn find_askew(&self, angle: f32, keep: usize, ratios: (f32, f32)) -> Option<Vec<Candidate>> {
        let (sin, cos) = f64::from(angle).sin_cos();
        let straightened = straightened(&[-sin, cos, 0.0], &[cos, sin, 0.0], self.middle())?;
        let (right, bottom) = (self.picture.width as f32, self.picture.height as f32);
        let corners = [(0.0, 0.0), (right, 0.0), (right, bottom), (0.0, bottom)].map(|corner| straightened.of(corner));
        let x = range(corners.iter().flatten().map(|place| place.0), 0.0)?;
        let y = range(corners.iter().flatten().map(|place| place.1), 0.0)?;
        Some(self.between(&straightened, x, y, ASKEW_SCALE, keep, ratios))
    }

    /// By how much most lines are askew, in radians; nothing if none are.
    fn angle(&self) -> Option<f32> {
        let quarter = std::f32::consts::FRAC_PI_2;
        let angles: Vec<(f32, f32)> = self
            .lines
            .iter()
            .map(|line| ((line.across.1.atan2(line.across.0) / quarter + 0.5).rem_euclid(1.0) - 0.5, line.weight))
            .map(|(turn, weight)| (turn * quarter, weight))
            .filter(|(angle, _)| (LEAST_ASKEW..MOST_ASKEW).contains(&angle.abs()))
            .collect();
        let near = |angle: f32| angles.iter().filter(move |(other, _)| (other - angle).abs() < SAME_ANGLE);
        let weight = |angle: f32| near(angle).map(|(_, weight)| weight).sum::<f32>();
        let &(most, _) = angles.iter().max_by(|a, b| weight(a.0).total_cmp(&weight(b.0)))?;
        Some(near(most).map(|(angle, weight)| angle * weight).sum::<f32>() / weight(most))
    }

    /// The grids of a part of the picture that is straightened.
    fn between(
        &self,
        straightened: &Straightened,
        x: (f64, f64),
        y: (f64, f64),
        scale: f64,
        keep: usize,
        ratios: (f32, f32),
    ) -> Vec<Candidate> {
        let size = |range: (f64, f64)| ((range.1 - range.0) * scale).ceil().max(1.0) as usize;
        let straight = draw(&self.picture, straightened, (x.0, y.0), scale, (size(x), size(y)));
        let back = |(u, v): (f32, f32)| straightened.back(x.0 + f64::from(u) / scale, y.0 + f64::from(v) / scale);
        let in_picture = |corner| {
            let (u, v) = back(corner);
            (u * self.scale.0, v * self.scale.1)
        };
        let grids = candidates(&straight, keep, ratios).into_iter();
        grids.map(|c| Candidate { grid: Grid::Corners(c.grid.corners().map(in_picture)), ..c }).collect()
    }
}

/// The map that makes the lines through one point upright, and those through the other level.
fn straightened(up: &Triple, side: &Triple, middle: (f64, f64)) -> Option<Straightened> {
    let middle = [middle.0, middle.1, 1.0];
    let horizon = cross(up, side);
    let depth = dot(&horizon, &middle);
    let mut across = cross(up, &middle);
    let mut down = cross(side, &middle);
    let length = |line: &Triple| line[0].hypot(line[1]);
    if length(&across) < 1e-12 || length(&down) < 1e-12 || depth.abs() < 1e-12 * length(&horizon).max(1.0) {
        return None;
    }
    across = times(&across, 1.0 / length(&across));
    down = times(&down, 1.0 / length(&down));
    // Files are counted to the right, and ranks down.
    if across[0] < 0.0 {
        across = times(&across, -1.0);
    }
    if down[1] < 0.0 {
        down = times(&down, -1.0);
    }
    Some(Straightened { across, down, horizon: times(&horizon, 1.0 / depth) })
}

/// From the first place to the last, and a part more: pieces may hide the outer line.
fn range(places: impl Iterator<Item = f64>, more: f64) -> Option<(f64, f64)> {
    let (least, most) = places.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), place| (a.min(place), b.max(place)));
    let margin = (most - least) * more;
    (most - least > 8.0).then_some((least - margin, most + margin))
}

/// The straightened picture.
fn draw(
    picture: &Scaled,
    straightened: &Straightened,
    from: (f64, f64),
    scale: f64,
    (width, height): (usize, usize),
) -> Scaled {
    let pixels = picture.pixels();
    let mut rgb = Vec::with_capacity(width * height * 3);
    for v in 0..height {
        for u in 0..width {
            let (x, y) = straightened.back(from.0 + (u as f64 + 0.5) / scale, from.1 + (v as f64 + 0.5) / scale);
            rgb.extend(pixels.between(x, y).map(|value| (value + 0.5) as u8));
        }
    }
    Scaled { width, height, rgb }
}
