//! Charts as SVG, for pages and files of their own: lines with error bands, and bars.

use chuhe_support::small_sort::SmallSort;
use std::fmt::Write;

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 300.0;
const LEFT: f64 = 70.0;
const BOTTOM: f64 = 36.0;
const TOP: f64 = 46.0;
const RIGHT: f64 = 14.0;
/// Colours that remain distinct with colour vision deficiency, on light and dark background; reused cyclically.
const COLOURS: [&str; 7] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#888"];

/// The prefix of every chart.
pub const SVG_PREFIX: &str = "<svg class=\"graph\"";

/// x, y and the error of y, if known.
pub type ChartPoint = (f64, f64, Option<f64>);

/// A line of a chart with its error band.
pub struct LineSeries<'a> {
    /// Its name in the legend.
    pub name: &'a str,
    /// Its points, by ascending x.
    pub points: Vec<ChartPoint>,
}

impl LineSeries<'_> {
    /// All y values relevant for the scale.
    fn y_values(&self) -> Vec<f64> {
        let band: Vec<(f64, f64, f64)> = self.error_band().collect();
        let errors = band.iter().skip(band.len() / 10).flat_map(|&(_, low, high)| [low, high]);
        self.points.iter().map(|&(_, y, _)| y).chain(errors).collect()
    }

    /// x, lower and upper end of the error, where known.
    fn error_band(&self) -> impl Iterator<Item = (f64, f64, f64)> {
        self.points.iter().filter_map(|&(x, y, error)| error.map(|error| (x, y - error, y + error)))
    }
}

/// Maps data to the picture; its ends are round numbers.
struct Axis {
    low: f64,
    high: f64,
    step: f64,
    from: f64,
    to: f64,
}

impl Axis {
    /// `least` is the smallest allowed tick distance.
    fn new(low: f64, high: f64, least: f64, from: f64, to: f64) -> Axis {
        let (low, high) = if high - low < 1e-9 { (low - 0.5, high + 0.5) } else { (low, high) };
        let rough = (high - low) / 5.0;
        let power = 10f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].into_iter().map(|times| times * power).find(|&step| step >= rough);
        let step = step.unwrap_or(rough).max(least);
        Axis { low: (low / step).floor() * step, high: (high / step).ceil() * step, step, from, to }
    }

    fn at(&self, value: f64) -> f64 {
        self.from + (value - self.low) / (self.high - self.low) * (self.to - self.from)
    }

    fn ticks(&self) -> impl Iterator<Item = (f64, String)> {
        let count = ((self.high - self.low) / self.step).round() as usize;
        let digits = (-self.step.log10().floor()).max(0.0) as usize;
        (0..=count).map(move |number| {
            let value = self.low + number as f64 * self.step;
            (self.at(value), format!("{:.digits$}", value + 0.0))
        })
    }
}

/// Draws lines over an axis of whole numbers; `None` if there is too little data.
pub fn line_chart(title: &str, lines: &[LineSeries], axis: &str) -> Option<String> {
    let xs = || lines.iter().flat_map(|line| line.points.iter().map(|&(x, ..)| x));
    if xs().count() < 2 {
        return None;
    }
    // The first errors of a run are very large, and a few means (such as depths before a mate) very high: they may
    // leave the picture, otherwise the rest would be flat.
    let mut ys: Vec<f64> = lines.iter().flat_map(LineSeries::y_values).collect();
    ys.order_by(f64::total_cmp);
    ys.truncate((ys.len() * 49).div_ceil(50));
    let x =
        Axis::new(xs().fold(f64::INFINITY, f64::min), xs().fold(f64::NEG_INFINITY, f64::max), 1.0, LEFT, WIDTH - RIGHT);
    let y = Axis::new(ys[0], ys[ys.len() - 1], 0.0, HEIGHT - BOTTOM, TOP);
    let mut svg = svg_header(HEIGHT);
    let _ = write!(svg, "<text x=\"{LEFT}\" y=\"16\" font-size=\"14\">{}</text>", escape_xml(title));
    for (at, label) in y.ticks() {
        let _ = write!(
            svg,
            "<path d=\"M{LEFT} {at:.1}H{:.1}\" stroke=\"currentColor\" opacity=\".15\"/>{}",
            WIDTH - RIGHT,
            text(LEFT - 6.0, at + 4.0, "end", "currentColor", &label)
        );
    }
    for (at, label) in x.ticks() {
        svg.push_str(&text(at, HEIGHT - BOTTOM + 16.0, "middle", "currentColor", &label));
    }
    svg.push_str(&text(WIDTH - RIGHT, HEIGHT - 3.0, "end", "currentColor", axis));
    let mut left = LEFT;
    for (line, colour) in lines.iter().zip(COLOURS.iter().cycle()) {
        svg.push_str(&draw_series(line, colour, &x, &y));
        svg.push_str(&text(left, 36.0, "start", colour, line.name));
        left += 7.0 * unicode_width::UnicodeWidthStr::width(line.name) as f64 + 18.0;
    }
    svg.push_str("</svg>");
    Some(svg)
}

/// Draws a line over its error band.
fn draw_series(line: &LineSeries, colour: &str, x: &Axis, y: &Axis) -> String {
    // Values outside the scale are clamped to its edge.
    let path = |points: &mut dyn Iterator<Item = (f64, f64)>| -> String {
        let at = |(across, value): (f64, f64)| {
            format!("{:.1},{:.1} ", x.at(across), y.at(value).clamp(TOP, HEIGHT - BOTTOM))
        };
        points.map(at).collect()
    };
    let (band, mut svg): (Vec<_>, _) = (line.error_band().collect(), String::new());
    if !band.is_empty() {
        let upper = band.iter().map(|&(across, _, high)| (across, high));
        let lower = band.iter().rev().map(|&(across, low, _)| (across, low));
        let outline = path(&mut upper.chain(lower));
        let _ = write!(svg, "<polygon points=\"{outline}\" fill=\"{colour}\" opacity=\".18\"/>");
    }
    let course = path(&mut line.points.iter().map(|&(across, value, _)| (across, value)));
    let _ = write!(svg, "<polyline points=\"{course}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.6\"/>");
    svg
}

fn svg_header(height: f64) -> String {
    format!(
        "{SVG_PREFIX} xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" \
         font-family=\"sans-serif\" font-size=\"12\" fill=\"currentColor\">"
    )
}

fn text(x: f64, y: f64, anchor: &str, colour: &str, text: &str) -> String {
    let text = escape_xml(text);
    format!("<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" fill=\"{colour}\">{text}</text>")
}

/// Horizontal bars, with a label before and a number behind each.
pub fn bar_chart(counts: &[(String, u64)]) -> String {
    const ROW: f64 = 18.0;
    const WORDS: f64 = 190.0;
    let most = counts.iter().map(|(_, count)| *count).max().unwrap_or(0).max(1) as f64;
    let mut svg = svg_header(ROW * counts.len() as f64 + 6.0);
    for (row, (word, count)) in counts.iter().enumerate() {
        let top = ROW * row as f64 + 3.0;
        let width = (WIDTH - WORDS - 60.0) * *count as f64 / most;
        svg.push_str(&text(WORDS - 8.0, top + 12.0, "end", "currentColor", word));
        let _ = write!(
            svg,
            "<rect x=\"{WORDS}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{:.1}\" fill=\"{}\"/>",
            ROW - 4.0,
            COLOURS[0]
        );
        svg.push_str(&text(WORDS + width + 6.0, top + 12.0, "start", "currentColor", &count.to_string()));
    }
    svg.push_str("</svg>");
    svg
}

/// Escapes text for SVG.
fn escape_xml(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
