//! An address as a QR code: lines of a terminal, and a picture for the page.

use qrcode::{Color, EcLevel, QrCode};
use std::fmt::Write;
use xiangqi_draw::ColourMode;

/// The margin that scanners need, in modules.
const QUIET_ZONE: usize = 4;

/// A QR code, with its margin: true is dark.
struct Modules {
    size: usize,
    dark: Vec<bool>,
}

impl Modules {
    /// `None` if the text is too long.
    fn of(text: &str) -> Option<Modules> {
        let code = QrCode::with_error_correction_level(text, EcLevel::L).ok()?;
        let (inner, size) = (code.width(), code.width() + 2 * QUIET_ZONE);
        let mut dark = vec![false; size * size];
        for (index, color) in code.to_colors().into_iter().enumerate() {
            dark[(index / inner + QUIET_ZONE) * size + index % inner + QUIET_ZONE] = color == Color::Dark;
        }
        Some(Modules { size, dark })
    }

    fn is_dark(&self, row: usize, column: usize) -> bool {
        row < self.size && self.dark[row * self.size + column]
    }
}

/// Lines of half blocks, two modules high, light modules being drawn. With colours it is black on white whatever the
/// terminal's colours are; without, the background must be dark.
pub fn terminal_lines(text: &str, mode: ColourMode) -> Option<Vec<String>> {
    let modules = Modules::of(text)?;
    let line = |top: usize| {
        let blocks: String = (0..modules.size)
            .map(|column| match (modules.is_dark(top, column), modules.is_dark(top + 1, column)) {
                (false, false) => '█',
                (false, true) => '▀',
                (true, false) => '▄',
                (true, true) => ' ',
            })
            .collect();
        mode.paint("97;40", &blocks)
    };
    Some((0..modules.size).step_by(2).map(line).collect())
}

/// An SVG picture.
pub fn svg(text: &str) -> Option<String> {
    let modules = Modules::of(text)?;
    let mut path = String::new();
    for row in 0..modules.size {
        for column in (0..modules.size).filter(|&column| modules.is_dark(row, column)) {
            let _ = write!(path, "M{column} {row}h1v1h-1z");
        }
    }
    let size = modules.size;
    Some(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {size} {size}\" shape-rendering=\"crispEdges\">\
         <path fill=\"#fff\" d=\"M0 0h{size}v{size}H0z\"/><path d=\"{path}\"/></svg>"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn qr_code_has_finder_patterns_and_a_margin() {
        let modules = Modules::of("http://192.168.1.5:8642/#pair-abcdefghjk").expect("a code");
        let row = |at: usize| (0..modules.size).map(|column| modules.is_dark(at, column)).collect::<Vec<_>>();
        assert!(row(0).iter().all(|dark| !dark), "the margin is light");
        let top = row(QUIET_ZONE);
        assert_eq!(top[QUIET_ZONE..QUIET_ZONE + 8], [true, true, true, true, true, true, true, false]);
        assert_eq!(top[modules.size - QUIET_ZONE - 7..modules.size - QUIET_ZONE], [true; 7]);
    }

    #[test]
    fn terminal_and_picture_show_the_same_modules() {
        let text = "http://10.0.0.2:8642/#pair-abcdefghjk";
        let modules = Modules::of(text).expect("a code");
        let lines = terminal_lines(text, ColourMode::Plain).expect("a code");
        let count = |letter: char| lines.iter().flat_map(|line| line.chars()).filter(|&other| other == letter).count();
        let light = 2 * count('█') + count('▀') + count('▄');
        let dark = modules.dark.iter().filter(|dark| **dark).count();
        // An odd height leaves half a line of margin below.
        assert_eq!(light, modules.size * modules.size.next_multiple_of(2) - dark);
        assert_eq!(svg(text).expect("a code").matches("h1v1").count(), dark);
        assert!(terminal_lines(&"x".repeat(8000), ColourMode::Plain).is_none());
    }
}
