//! The brush: strokes of Chinese characters, and the outlines that they leave on paper.
//!
//! A character is a list of strokes on a square of 100 by 100, written as one learns to write them. Nothing here needs
//! a font, so that a board looks the same on every machine.

use std::fmt::Write;

/// A point of the square: right, down.
pub type Point = (i16, i16);

/// A stroke, by the name it has in calligraphy.
#[derive(Clone, Copy)]
pub enum Stroke {
    /// 横: from left to right, thin.
    Heng(Point, i16),
    /// 竖: from top to bottom, thick.
    Shu(Point, i16),
    /// 撇: falls to the left and ends in a point; in the middle is what it bends towards.
    Pie(Point, Point, Point),
    /// 捺: falls to the right and grows.
    Na(Point, Point, Point),
    Dian(Point, Point),
    /// 提: rises and ends in a point.
    Ti(Point, Point),
    Zhe(&'static [Point]),
    /// 钩: turns corners, and the last piece is a hook.
    Gou(&'static [Point]),
    /// Another character, or a part of one, in a box: its upper left corner, its width and height.
    Part(&'static [Stroke], Point, Point),
}

/// Half the width of what goes across, and of what goes down.
const THIN: f64 = 3.4;
const THICK: f64 = 4.9;
/// Half the width where a stroke ends in a point.
const TIP: f64 = 0.9;

type Spot = (f64, f64);

/// From the square of a character to the page.
#[derive(Clone, Copy)]
struct Frame {
    left: f64,
    top: f64,
    across: f64,
    down: f64,
}

impl Frame {
    fn spot(&self, (x, y): Point) -> Spot {
        (self.left + self.across * f64::from(x) / 100.0, self.top + self.down * f64::from(y) / 100.0)
    }

    fn inside(&self, corner: Point, size: Point) -> Frame {
        let (left, top) = self.spot(corner);
        let part = |whole: f64, size: i16| whole * f64::from(size) / 100.0;
        Frame { left, top, across: part(self.across, size.0), down: part(self.down, size.1) }
    }
}

/// The outlines of a character as the data of an SVG path, in a square of this size around (0, 0).
pub fn outline(strokes: &[Stroke], size: f64) -> String {
    let mut brush = Brush { path: String::new(), scale: size / 100.0 };
    let half = size / 2.0;
    brush.write(strokes, &Frame { left: -half, top: -half, across: size, down: size });
    brush.path
}

struct Brush {
    path: String,
    /// How wide this brush is: characters inside others are as bold as they.
    scale: f64,
}

impl Brush {
    fn write(&mut self, strokes: &[Stroke], frame: &Frame) {
        for stroke in strokes {
            match *stroke {
                Stroke::Heng(from, to) => self.line(frame.spot(from), frame.spot((to, from.1)), THIN, THIN),
                Stroke::Shu(from, to) => self.line(frame.spot(from), frame.spot((from.0, to)), THICK, THICK),
                Stroke::Dian(from, to) => self.line(frame.spot(from), frame.spot(to), 1.8, 5.6),
                Stroke::Ti(from, to) => self.line(frame.spot(from), frame.spot(to), THICK, TIP),
                Stroke::Pie(from, by, to) => {
                    self.curve([from, by, to].map(|point| frame.spot(point)), THICK, TIP)
                }
                Stroke::Na(from, by, to) => {
                    self.curve([from, by, to].map(|point| frame.spot(point)), 1.6, 5.8)
                }
                Stroke::Zhe(points) => self.corners(points, frame, None),
                Stroke::Gou(points) => self.corners(points, frame, Some(points.len().saturating_sub(2))),
                Stroke::Part(strokes, corner, size) => self.write(strokes, &frame.inside(corner, size)),
            }
        }
    }

    /// Pieces one behind the other, the one of this number being a hook.
    fn corners(&mut self, points: &[Point], frame: &Frame, hook: Option<usize>) {
        for (index, pair) in points.windows(2).enumerate() {
            let (from, to) = (frame.spot(pair[0]), frame.spot(pair[1]));
            let steep = (to.1 - from.1).abs() > (to.0 - from.0).abs();
            let width = if steep { THICK } else { THIN };
            if hook == Some(index) {
                self.line(from, to, THICK, TIP);
            } else {
                self.line(from, to, width, width);
            }
        }
    }

    /// A straight piece that is this wide at its ends, and goes on a little so that corners are closed.
    fn line(&mut self, from: Spot, to: Spot, begin: f64, end: f64) {
        let (begin, end) = (begin * self.scale, end * self.scale);
        let length = (to.0 - from.0).hypot(to.1 - from.1).max(1e-6);
        let ahead = ((to.0 - from.0) / length, (to.1 - from.1) / length);
        let beyond = |at: Spot, by: f64| (at.0 + ahead.0 * by, at.1 + ahead.1 * by);
        let (from, to) = (beyond(from, -begin * 0.7), beyond(to, end * 0.7));
        let aside = |at: Spot, by: f64| (at.0 - ahead.1 * by, at.1 + ahead.0 * by);
        let corners = [aside(from, -begin), aside(to, -end), aside(to, end), aside(from, begin)];
        for (index, (x, y)) in corners.into_iter().enumerate() {
            let _ = write!(self.path, "{}{}", if index == 0 { 'M' } else { 'L' }, pair(x, y));
        }
        self.path.push('Z');
    }

    /// A bent piece: both its edges bend as its middle does.
    fn curve(&mut self, [from, by, to]: [Spot; 3], begin: f64, end: f64) {
        let (begin, end) = (begin * self.scale, end * self.scale);
        let aside = |at: Spot, (dx, dy): Spot, width: f64| {
            let length = dx.hypot(dy).max(1e-6);
            (at.0 - dy / length * width, at.1 + dx / length * width)
        };
        let way = |a: Spot, b: Spot| (b.0 - a.0, b.1 - a.1);
        let edge = |side: f64| {
            [
                aside(from, way(from, by), side * begin),
                aside(by, way(from, to), side * (begin + end) / 2.0),
                aside(to, way(by, to), side * end),
            ]
        };
        let ([a, b, c], [d, e, f]) = (edge(-1.0), edge(1.0));
        let text = |spot: Spot| pair(spot.0, spot.1);
        let _ =
            write!(self.path, "M{}Q{} {}L{}Q{} {}Z", text(a), text(b), text(c), text(f), text(e), text(d));
    }
}

/// Two numbers, as short as a tenth allows.
fn pair(x: f64, y: f64) -> String {
    let short = |value: f64| {
        let text = format!("{:.1}", value + 0.0);
        let text = text.strip_suffix(".0").unwrap_or(&text);
        if text == "-0" { String::from("0") } else { text.to_string() }
    };
    format!("{} {}", short(x), short(y))
}
