//! The curve of red's winning chance, shaded by the side that stands better.

use crate::review::{MoveQuality, Review};
use std::fmt::Write;

const WIDTH: f64 = 1000.0;
const HEIGHT: f64 = 240.0;
/// The possible intervals of move labels below the curve, and the maximum number of labels.
const LABEL_INTERVALS: [usize; 6] = [2, 5, 10, 20, 50, 100];
const MAX_LABELS: usize = 16;

/// The curve as SVG. The position after n of N moves is at x = 1000 n / N.
pub fn curve(review: &Review) -> String {
    let count = review.moves.len().max(1);
    let x = |ply: usize| WIDTH * ply as f64 / count as f64;
    let y = |chance: f64| HEIGHT * (1.0 - chance);
    let known: Vec<(usize, f64)> = review
        .positions
        .iter()
        .enumerate()
        .filter_map(|(ply, studied)| Some((ply, studied.as_ref()?.for_red().chance)))
        .collect();
    let mut line = String::new();
    for (index, &(ply, chance)) in known.iter().enumerate() {
        let _ = write!(line, "{}{:.1} {:.1}", if index == 0 { 'M' } else { 'L' }, x(ply), y(chance));
    }
    let mut svg = format!(
        "<svg class=\"curve\" id=\"curve\" xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {}\" role=\"img\" \
         preserveAspectRatio=\"none\"><defs><clipPath id=\"above\"><rect width=\"{WIDTH}\" height=\"{1}\"/></clipPath>\
         <clipPath id=\"below\"><rect y=\"{1}\" width=\"{WIDTH}\" height=\"{1}\"/></clipPath></defs>\
         <rect class=\"paper\" width=\"{WIDTH}\" height=\"{HEIGHT}\"/>",
        HEIGHT,
        HEIGHT / 2.0
    );
    if let (Some(first), Some(last)) = (known.first(), known.last()) {
        let middle = HEIGHT / 2.0;
        let area = format!("{line}L{:.1} {middle}L{:.1} {middle}Z", x(last.0), x(first.0));
        let _ = write!(
            svg,
            "<path class=\"red\" clip-path=\"url(#above)\" d=\"{area}\"/>\
             <path class=\"black\" clip-path=\"url(#below)\" d=\"{area}\"/>"
        );
    }
    for quarter in 1..4 {
        let class = if quarter == 2 { "middle" } else { "grid" };
        let _ = write!(svg, "<path class=\"{class}\" d=\"M0 {0}H{WIDTH}\"/>", HEIGHT * f64::from(quarter) / 4.0);
    }
    let _ = write!(svg, "<path class=\"line\" d=\"{line}\"/>");
    let _ = write!(svg, "<path class=\"cursor\" id=\"cursor\" d=\"M0 0V{HEIGHT}\"/></svg>");
    svg.push_str(&quality_dots(review, count));
    svg.push_str(&numbers(review, count));
    svg
}

/// A dot on the curve for every marked move; in HTML instead of the SVG, so that it stays round when the SVG is
/// stretched.
fn quality_dots(review: &Review, count: usize) -> String {
    let mut html = String::new();
    for (index, reviewed) in review.moves.iter().enumerate() {
        if let (Some(mark), Some(after)) = (reviewed.mark, reviewed.after) {
            let _ = write!(
                html,
                "<i class=\"dot {}\" style=\"left:{:.2}%;top:{:.2}%\"></i>",
                quality_class(mark),
                100.0 * (index + 1) as f64 / count as f64,
                100.0 * (1.0 - after.from_red(reviewed.side).chance)
            );
        }
    }
    html
}

/// The move numbers below the curve.
fn numbers(review: &Review, count: usize) -> String {
    let step = LABEL_INTERVALS.into_iter().find(|step| count / 2 / step <= MAX_LABELS).unwrap_or(200);
    let mut html = String::from("<div class=\"numbers\">");
    for (index, reviewed) in review.moves.iter().enumerate() {
        let begins = index == 0 || review.moves[index - 1].number != reviewed.number;
        if begins && (reviewed.number as usize).is_multiple_of(step) {
            let left = 100.0 * (index + 1) as f64 / count as f64;
            let _ = write!(html, "<span style=\"left:{left:.2}%\">{}</span>", reviewed.number);
        }
    }
    html.push_str("</div>");
    html
}

/// The CSS class of a move quality.
pub fn quality_class(mark: MoveQuality) -> &'static str {
    match mark {
        MoveQuality::Good => "good",
        MoveQuality::Dubious => "dubious",
        MoveQuality::Mistake => "mistake",
        MoveQuality::Blunder => "blunder",
    }
}
