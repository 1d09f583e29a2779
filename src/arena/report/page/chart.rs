//! Charts as SVG: lines with a band of error, and bars.

use super::escaped;
use super::facts::Course;
use std::fmt::Write;

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 260.0;
const LEFT: f64 = 56.0;
const BOTTOM: f64 = 34.0;
const TOP: f64 = 12.0;
const RIGHT: f64 = 12.0;
/// Colours that are told apart also by those who see fewer; more lines than colours begin again.
const COLOURS: [&str; 7] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#444"];

/// One line of a chart.
pub struct Line<'a> {
    name: &'a str,
    points: Vec<(f64, f64)>,
    /// Lower and upper end of the error at a point.
    band: Vec<(f64, f64, f64)>,
}

impl<'a> Line<'a> {
    /// Just a line.
    pub fn plain(name: &'a str, points: Vec<(f64, f64)>) -> Line<'a> {
        Line { name, points, band: Vec::new() }
    }

    /// A line in the middle of its error.
    pub fn banded(name: &'a str, course: &Course) -> Line<'a> {
        let points = course.iter().map(|&(x, y, _)| (x, y)).collect();
        let band = course.iter().filter_map(|&(x, y, error)| error.map(|error| (x, y - error, y + error)));
        Line { name, points, band: band.collect() }
    }
}

impl Line<'_> {
    /// All heights that decide about the scale.
    fn heights(&self) -> Vec<f64> {
        let course = self.points.iter().map(|&(_, y)| y);
        let errors = self.band.iter().skip(self.band.len() / 10).flat_map(|&(_, low, high)| [low, high]);
        course.chain(errors).collect()
    }
}

/// A scale from data to the picture, its ends on round numbers.
struct Scale {
    low: f64,
    high: f64,
    step: f64,
    from: f64,
    to: f64,
}

impl Scale {
    fn new(low: f64, high: f64, from: f64, to: f64) -> Scale {
        let (low, high) = if high - low < 1e-9 { (low - 0.5, high + 0.5) } else { (low, high) };
        let rough = (high - low) / 5.0;
        let power = 10f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].into_iter().map(|times| times * power).find(|&step| step >= rough);
        let step = step.unwrap_or(rough);
        Scale { low: (low / step).floor() * step, high: (high / step).ceil() * step, step, from, to }
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

fn begun() -> String {
    format!("<svg class=\"chart\" xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\">")
}

/// Lines over a common axis.
pub fn lines(lines: &[Line], axis: &str) -> String {
    let xs = || lines.iter().flat_map(|line| line.points.iter().map(|&(x, _)| x));
    if xs().count() < 2 {
        return "<p>Too few games to draw.</p>".to_string();
    }
    // The first errors of a course are so wide, and a few means (of depths before a mate, say) so high, that all the
    // rest would be flat: they may leave the picture.
    let mut ys: Vec<f64> = lines.iter().flat_map(Line::heights).collect();
    ys.sort_by(f64::total_cmp);
    ys.truncate((ys.len() * 49).div_ceil(50));
    let least = |values: &mut dyn Iterator<Item = f64>| values.fold(f64::INFINITY, f64::min);
    let most = |values: &mut dyn Iterator<Item = f64>| values.fold(f64::NEG_INFINITY, f64::max);
    let x = Scale::new(least(&mut xs()), most(&mut xs()), LEFT, WIDTH - RIGHT);
    let y = Scale::new(least(&mut ys.iter().copied()), most(&mut ys.iter().copied()), HEIGHT - BOTTOM, TOP);
    let mut svg = begun();
    for (at, label) in y.ticks() {
        let _ = write!(
            svg,
            "<path class=\"grid\" d=\"M{LEFT} {at:.1}H{:.1}\"/><text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{label}</text>",
            WIDTH - RIGHT,
            LEFT - 6.0,
            at + 4.0
        );
    }
    for (at, label) in x.ticks() {
        let _ = write!(
            svg,
            "<text x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{label}</text>",
            HEIGHT - BOTTOM + 16.0
        );
    }
    let _ = write!(
        svg,
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{axis}</text>",
        WIDTH - RIGHT,
        HEIGHT - 3.0
    );
    // Whatever is outside the scale stays behind the edge.
    let inside = |value: f64| y.at(value).clamp(TOP, HEIGHT - BOTTOM);
    for (line, colour) in lines.iter().zip(COLOURS.iter().cycle()) {
        if !line.band.is_empty() {
            let upper = line.band.iter().map(|&(at, _, high)| (at, high));
            let lower = line.band.iter().rev().map(|&(at, low, _)| (at, low));
            let path: String = upper
                .chain(lower)
                .map(|(at, value)| format!("{:.1},{:.1} ", x.at(at), inside(value)))
                .collect();
            let _ = write!(svg, "<polygon points=\"{path}\" fill=\"{colour}\" opacity=\".18\"/>");
        }
        let path: String =
            line.points.iter().map(|&(at, value)| format!("{:.1},{:.1} ", x.at(at), inside(value))).collect();
        let _ = write!(
            svg,
            "<polyline points=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.6\"/>"
        );
    }
    svg.push_str("</svg><p class=\"legend\">");
    for (line, colour) in lines.iter().zip(COLOURS.iter().cycle()) {
        let _ = write!(svg, "<span><i style=\"background:{colour}\"></i>{}</span> ", escaped(line.name));
    }
    svg.push_str("</p>");
    svg
}

/// Bars that lie, with a word before and a number behind each.
pub fn bars(counts: &[(String, u64)]) -> String {
    const ROW: f64 = 18.0;
    const WORDS: f64 = 190.0;
    let most = counts.iter().map(|(_, count)| *count).max().unwrap_or(0).max(1) as f64;
    let height = ROW * counts.len() as f64 + 6.0;
    let mut svg = format!(
        "<svg class=\"chart\" xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\">"
    );
    for (row, (word, count)) in counts.iter().enumerate() {
        let top = ROW * row as f64 + 3.0;
        let width = (WIDTH - WORDS - 60.0) * *count as f64 / most;
        let _ = write!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>\
             <rect x=\"{WORDS}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{:.1}\" fill=\"{}\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\">{count}</text>",
            WORDS - 8.0,
            top + 12.0,
            escaped(word),
            ROW - 4.0,
            COLOURS[0],
            WORDS + width + 6.0,
            top + 12.0
        );
    }
    svg.push_str("</svg>");
    svg
}
