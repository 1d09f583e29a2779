//! The learning curves of a fit as a picture (SVG).

use super::fit::Pass;
use std::fmt::Write as _;

const WIDTH: f32 = 640.0;
const HEIGHT: f32 = 360.0;
const LEFT: f32 = 70.0;
const RIGHT: f32 = 20.0;
const TOP: f32 = 40.0;
const BOTTOM: f32 = 45.0;

/// Draws the loss of every pass, on the positions that taught and on those held out.
pub fn draw(passes: &[Pass], title: &str) -> String {
    let losses = || passes.iter().flat_map(|pass| [pass.training, pass.held_out]);
    let lowest = losses().fold(f32::INFINITY, f32::min);
    let highest = losses().fold(f32::NEG_INFINITY, f32::max).max(lowest + 1e-6);
    let (low, high) = (lowest - (highest - lowest) * 0.05, highest + (highest - lowest) * 0.05);
    let x = |pass: usize| {
        LEFT + (WIDTH - LEFT - RIGHT) * pass as f32 / passes.len().saturating_sub(1).max(1) as f32
    };
    let y = |loss: f32| TOP + (HEIGHT - TOP - BOTTOM) * (high - loss) / (high - low);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" \
         font-size=\"12\">\n<rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#fff\"/>\n\
         <text x=\"{LEFT}\" y=\"20\" font-size=\"14\">{}</text>\n",
        escaped(title)
    );
    for tick in 0..=5 {
        let loss = low + (high - low) * tick as f32 / 5.0;
        let _ = writeln!(
            svg,
            "<line x1=\"{LEFT}\" x2=\"{:.1}\" y1=\"{y:.1}\" y2=\"{y:.1}\" stroke=\"#ddd\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{loss:.5}</text>",
            WIDTH - RIGHT,
            LEFT - 6.0,
            y(loss) + 4.0,
            y = y(loss),
        );
    }
    let step = passes.len().div_ceil(10).max(1);
    for pass in (0..passes.len()).step_by(step) {
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
            x(pass),
            HEIGHT - BOTTOM + 18.0,
            pass + 1
        );
    }
    let _ = writeln!(
        svg,
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">pass</text>",
        WIDTH / 2.0,
        HEIGHT - 8.0
    );
    let curves = [("#888", "while learning", true), ("#c33", "held out", false)];
    for (index, (color, name, learning)) in curves.into_iter().enumerate() {
        let loss = |pass: &Pass| if learning { pass.training } else { pass.held_out };
        let points: Vec<String> = passes
            .iter()
            .enumerate()
            .map(|(number, pass)| format!("{:.1},{:.1}", x(number), y(loss(pass))))
            .collect();
        let _ = writeln!(
            svg,
            "<polyline fill=\"none\" stroke=\"{color}\" stroke-width=\"2\" points=\"{}\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\" fill=\"{color}\" text-anchor=\"end\">{name}</text>",
            points.join(" "),
            WIDTH - RIGHT,
            TOP + 16.0 * (index + 1) as f32,
        );
    }
    svg.push_str("</svg>\n");
    svg
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
