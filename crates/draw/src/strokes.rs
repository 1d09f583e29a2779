//! Strokes of Chinese characters and their outlines.
//!
//! A character is a list of strokes on a 100×100 square, in writing order. No font is needed, so the board looks the
//! same on every machine.

use std::fmt::Write;

/// A point of the square: x to the right, y down.
pub type GlyphPoint = (i16, i16);

/// A stroke, by its calligraphic name.
#[derive(Clone, Copy)]
pub enum Stroke {
    /// 横: from left to right, thin.
    Heng(GlyphPoint, i16),
    /// 竖: from top to bottom, thick.
    Shu(GlyphPoint, i16),
    /// 撇: falls to the left and tapers; the middle point is the control point of the curve.
    Pie(GlyphPoint, GlyphPoint, GlyphPoint),
    /// 捺: falls to the right and widens.
    Na(GlyphPoint, GlyphPoint, GlyphPoint),
    Dian(GlyphPoint, GlyphPoint),
    /// 提: rises and tapers.
    Ti(GlyphPoint, GlyphPoint),
    Zhe(&'static [GlyphPoint]),
    /// 钩: turns corners; the last segment is a hook.
    Gou(&'static [GlyphPoint]),
    /// Another character or component in a box: its upper left corner, its width and height.
    Part(&'static [Stroke], GlyphPoint, GlyphPoint),
}

/// Half the width of horizontal and of vertical strokes.
const THIN_HALF_WIDTH: f64 = 3.4;
const THICK_HALF_WIDTH: f64 = 4.9;
/// Half the width at a tapered end.
const TIP_HALF_WIDTH: f64 = 0.9;

type PagePoint = (f64, f64);

/// Maps the square of a character to the page.
#[derive(Clone, Copy)]
struct GlyphFrame {
    left: f64,
    top: f64,
    across: f64,
    down: f64,
}

impl GlyphFrame {
    fn to_page(self, (x, y): GlyphPoint) -> PagePoint {
        (self.left + self.across * f64::from(x) / 100.0, self.top + self.down * f64::from(y) / 100.0)
    }

    fn sub_frame(&self, corner: GlyphPoint, size: GlyphPoint) -> GlyphFrame {
        let (left, top) = self.to_page(corner);
        let part = |whole: f64, size: i16| whole * f64::from(size) / 100.0;
        GlyphFrame { left, top, across: part(self.across, size.0), down: part(self.down, size.1) }
    }
}

/// The outlines of a character as SVG path data, in a square of this size around (0, 0).
pub fn glyph_outline(strokes: &[Stroke], size: f64) -> String {
    let mut brush = Brush { path: String::new(), scale: size / 100.0 };
    let half = size / 2.0;
    brush.write(strokes, &GlyphFrame { left: -half, top: -half, across: size, down: size });
    brush.path
}

struct Brush {
    path: String,
    /// The width of the brush: components are as bold as whole characters.
    scale: f64,
}

impl Brush {
    fn write(&mut self, strokes: &[Stroke], frame: &GlyphFrame) {
        for stroke in strokes {
            match *stroke {
                Stroke::Heng(from, to) => {
                    self.line(frame.to_page(from), frame.to_page((to, from.1)), THIN_HALF_WIDTH, THIN_HALF_WIDTH)
                }
                Stroke::Shu(from, to) => {
                    self.line(frame.to_page(from), frame.to_page((from.0, to)), THICK_HALF_WIDTH, THICK_HALF_WIDTH)
                }
                Stroke::Dian(from, to) => self.line(frame.to_page(from), frame.to_page(to), 1.8, 5.6),
                Stroke::Ti(from, to) => {
                    self.line(frame.to_page(from), frame.to_page(to), THICK_HALF_WIDTH, TIP_HALF_WIDTH)
                }
                Stroke::Pie(from, by, to) => {
                    self.curve([from, by, to].map(|point| frame.to_page(point)), THICK_HALF_WIDTH, TIP_HALF_WIDTH)
                }
                Stroke::Na(from, by, to) => self.curve([from, by, to].map(|point| frame.to_page(point)), 1.6, 5.8),
                Stroke::Zhe(points) => self.corners(points, frame, None),
                Stroke::Gou(points) => self.corners(points, frame, Some(points.len().saturating_sub(2))),
                Stroke::Part(strokes, corner, size) => self.write(strokes, &frame.sub_frame(corner, size)),
            }
        }
    }

    /// Consecutive segments; the one with the index `hook` is a hook.
    fn corners(&mut self, points: &[GlyphPoint], frame: &GlyphFrame, hook: Option<usize>) {
        for (index, pair) in points.windows(2).enumerate() {
            let (from, to) = (frame.to_page(pair[0]), frame.to_page(pair[1]));
            let steep = (to.1 - from.1).abs() > (to.0 - from.0).abs();
            let width = if steep { THICK_HALF_WIDTH } else { THIN_HALF_WIDTH };
            if hook == Some(index) {
                self.line(from, to, THICK_HALF_WIDTH, TIP_HALF_WIDTH);
            } else {
                self.line(from, to, width, width);
            }
        }
    }

    /// A straight segment with these widths at its ends, slightly extended so that corners are closed.
    fn line(&mut self, from: PagePoint, to: PagePoint, begin: f64, end: f64) {
        let (begin, end) = (begin * self.scale, end * self.scale);
        let length = (to.0 - from.0).hypot(to.1 - from.1).max(1e-6);
        let ahead = ((to.0 - from.0) / length, (to.1 - from.1) / length);
        let beyond = |at: PagePoint, by: f64| (at.0 + ahead.0 * by, at.1 + ahead.1 * by);
        let (from, to) = (beyond(from, -begin * 0.7), beyond(to, end * 0.7));
        let aside = |at: PagePoint, by: f64| (at.0 - ahead.1 * by, at.1 + ahead.0 * by);
        let corners = [aside(from, -begin), aside(to, -end), aside(to, end), aside(from, begin)];
        for (index, (x, y)) in corners.into_iter().enumerate() {
            let _ = write!(self.path, "{}{}", if index == 0 { 'M' } else { 'L' }, format_point(x, y));
        }
        self.path.push('Z');
    }

    /// A curved segment; both edges follow the curve of its centre line.
    fn curve(&mut self, [from, by, to]: [PagePoint; 3], begin: f64, end: f64) {
        let (begin, end) = (begin * self.scale, end * self.scale);
        let aside = |at: PagePoint, (dx, dy): PagePoint, width: f64| {
            let length = dx.hypot(dy).max(1e-6);
            (at.0 - dy / length * width, at.1 + dx / length * width)
        };
        let way = |a: PagePoint, b: PagePoint| (b.0 - a.0, b.1 - a.1);
        let edge = |side: f64| {
            [
                aside(from, way(from, by), side * begin),
                aside(by, way(from, to), side * (begin + end) / 2.0),
                aside(to, way(by, to), side * end),
            ]
        };
        let ([a, b, c], [d, e, f]) = (edge(-1.0), edge(1.0));
        let text = |spot: PagePoint| format_point(spot.0, spot.1);
        let _ = write!(self.path, "M{}Q{} {}L{}Q{} {}Z", text(a), text(b), text(c), text(f), text(e), text(d));
    }
}

/// Two numbers, rounded to a tenth and as short as possible.
fn format_point(x: f64, y: f64) -> String {
    let short = |value: f64| {
        let text = format!("{:.1}", value + 0.0);
        let text = text.strip_suffix(".0").unwrap_or(&text);
        if text == "-0" { String::from("0") } else { text.to_string() }
    };
    format!("{} {}", short(x), short(y))
}
