//! An address as a QR code: lines of a terminal, and a picture for the page.

use qrcode::render::unicode::Dense1x2;
use qrcode::{Color, EcLevel, QrCode};
use std::fmt::Write;
use xiangqi_draw::ColourMode;

/// The margin that scanners need, in modules.
const QUIET_ZONE: usize = 4;

/// The code of a text that is not too long.
fn code_of(text: &str) -> Option<QrCode> {
    QrCode::with_error_correction_level(text, EcLevel::L).ok()
}

/// Lines of half blocks, two modules high, light modules being drawn. With colours it is black on white whatever the
/// terminal's colours are; without, the background must be dark.
pub fn terminal_lines(text: &str, mode: ColourMode) -> Option<Vec<String>> {
    let code = code_of(text)?;
    let lines = code.render().dark_color(Dense1x2::Light).light_color(Dense1x2::Dark).module_dimensions(1, 1).build();
    Some(lines.lines().map(|line| mode.paint("97;40", line)).collect())
}

/// An SVG picture.
pub fn svg(text: &str) -> Option<String> {
    let code = code_of(text)?;
    let mut path = String::new();
    for (index, color) in code.to_colors().into_iter().enumerate() {
        if color == Color::Dark {
            let _ = write!(path, "M{} {}h1v1h-1z", index % code.width(), index / code.width());
        }
    }
    let size = code.width() + 2 * QUIET_ZONE;
    Some(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"-{QUIET_ZONE} -{QUIET_ZONE} {size} {size}\" \
         shape-rendering=\"crispEdges\"><path fill=\"#fff\" d=\"M-{QUIET_ZONE} -{QUIET_ZONE}h{size}v{size}h-{size}z\"/>\
         <path d=\"{path}\"/></svg>"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terminal_and_picture_show_the_same_modules_with_a_margin() {
        let text = "http://10.0.0.2:8642/#pair-abcdefghjk";
        let lines = terminal_lines(text, ColourMode::Plain).expect("a code");
        let size = lines[0].chars().count();
        assert!(lines[..2].iter().all(|line| line.chars().all(|letter| letter == '█')), "the margin is light");
        assert!(lines[2].starts_with("████ ▄▄▄▄▄ █") && lines[2].ends_with("█ ▄▄▄▄▄ ████"), "finder patterns");
        let count = |letter: char| lines.iter().flat_map(|line| line.chars()).filter(|&other| other == letter).count();
        let light = 2 * count('█') + count('▀') + count('▄');
        assert_eq!(svg(text).expect("a code").matches("h1v1").count(), size * size - light);
        assert!(terminal_lines(&"x".repeat(8000), ColourMode::Plain).is_none());
    }
}
