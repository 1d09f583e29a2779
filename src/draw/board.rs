//! A position as SVG: the board with its river and palaces, the pieces as players know them.
//!
//! Each kind of piece is drawn once, as a group that is named after its letter in FEN (`piece-R`), so that a script
//! can set the pieces of a later position on the same board: file f, rank r stand at x = 50 f, y = 50 (9 − r). So are
//! the board itself as red and as black see it (`board-red`, `board-black`), the mark of the last move (`mark-last`) and
//! the heads of arrows (`head-best`, `head-other`, `head-bad`). Every character is a path: no machine
//! needs a font to show it. Red's pieces are round and black's have eight corners, for those who see fewer colours.

use super::characters::{NUMERALS, RIVER, latin, of_piece};
use super::strokes::outline;
use crate::board::Position;
use crate::types::{Color, Move, Piece, PieceKind, Square};
use std::fmt::Write;

/// From line to line.
const STEP: i32 = 50;
/// From the edge of the picture to the first line: at the sides and the top, and at the bottom.
const EDGE: i32 = 46;
const BOTTOM: i32 = 62;
/// The size of the picture.
pub const SIZE: (i32, i32) = (2 * EDGE + 8 * STEP, EDGE + BOTTOM + 9 * STEP);

/// How far from the middle of a square an arrow begins, and how far from that of the other it ends.
const LEAVES: f64 = 21.0;
const SHORT: f64 = 5.0;

const WOOD: &str = "#f0d5a0";
const FACE: &str = "#fdf5e1";
const LINES: &str = "#6b4519";
const RED: &str = "#b3201a";
const BLACK: &str = "#17212c";

/// What an arrow says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arrow {
    /// This is best.
    Best,
    /// This is another move.
    Other,
    /// This is bad.
    Bad,
}

impl Arrow {
    const ALL: [Arrow; 3] = [Arrow::Best, Arrow::Other, Arrow::Bad];

    fn name(self) -> &'static str {
        match self {
            Arrow::Best => "best",
            Arrow::Other => "other",
            Arrow::Bad => "bad",
        }
    }

    /// Colours that are told apart also by those who see fewer.
    fn colour(self) -> &'static str {
        match self {
            Arrow::Best => "#1f7a4d",
            Arrow::Other => "#2b6cb0",
            Arrow::Bad => "#c2410c",
        }
    }
}

/// What is to be drawn.
#[derive(Clone)]
pub struct Picture<'a> {
    /// The position.
    pub position: &'a Position,
    /// The move that led to it.
    pub last: Option<Move>,
    /// Moves to point at.
    pub arrows: Vec<(Move, Arrow)>,
    /// Squares to draw a ring on.
    pub marked: Vec<Square>,
    /// Black sits below.
    pub flipped: bool,
}

impl<'a> Picture<'a> {
    /// A position and nothing else.
    pub fn of(position: &'a Position) -> Picture<'a> {
        Picture { position, last: None, arrows: Vec::new(), marked: Vec::new(), flipped: false }
    }

    /// The whole picture.
    pub fn svg(&self) -> String {
        self.drawn(&definitions())
    }

    /// The same for a page on which another one stands already, whose drawings it uses.
    pub fn svg_after_another(&self) -> String {
        self.drawn("")
    }

    fn drawn(&self, definitions: &str) -> String {
        let (width, height) = SIZE;
        let side = if self.flipped { "black" } else { "red" };
        format!(
            "<svg class=\"board\" xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"{0} {0} {width} {height}\" role=\"img\" aria-label=\"{1}\">{definitions}\
             <use class=\"wood\" href=\"#board-{side}\"/><g class=\"marks\">{2}</g><g class=\"pieces\">{3}</g>\
             <g class=\"arrows\">{4}</g></svg>",
            -EDGE,
            self.position.fen(),
            self.marks(),
            self.pieces(),
            self.arrows()
        )
    }

    /// Where a square is.
    fn at(&self, square: Square) -> (i32, i32) {
        let (file, rank) = (i32::from(square.file()), i32::from(square.rank()));
        if self.flipped { (STEP * (8 - file), STEP * rank) } else { (STEP * file, STEP * (9 - rank)) }
    }

    /// The pieces, each a reference to its drawing.
    fn pieces(&self) -> String {
        let mut svg = String::new();
        for square in Square::all().filter(|&square| self.position.piece_at(square).is_piece()) {
            let letter = self.position.piece_at(square).letter();
            let (x, y) = self.at(square);
            let _ = write!(svg, "<use href=\"#piece-{letter}\" x=\"{x}\" y=\"{y}\"/>");
        }
        svg
    }

    /// Where the last move came from and went to, and the squares to look at.
    fn marks(&self) -> String {
        let mut svg = String::new();
        for square in self.last.into_iter().flat_map(|mv| [mv.from(), mv.to()]) {
            let (x, y) = self.at(square);
            let _ = write!(svg, "<use href=\"#mark-last\" x=\"{x}\" y=\"{y}\"/>");
        }
        for &square in &self.marked {
            let (x, y) = self.at(square);
            let _ = write!(svg, "<use href=\"#mark-ring\" x=\"{x}\" y=\"{y}\"/>");
        }
        svg
    }

    fn arrows(&self) -> String {
        let mut svg = String::new();
        for &(mv, kind) in self.arrows.iter().filter(|(mv, _)| mv.from() != mv.to()) {
            let ((x0, y0), (x1, y1)) = (self.at(mv.from()), self.at(mv.to()));
            // From the edge of the piece, which stays readable, to nearly the middle of the square.
            let (dx, dy) = (f64::from(x1 - x0), f64::from(y1 - y0));
            let length = dx.hypot(dy).max(1.0);
            let along = |by: f64| (f64::from(x0) + dx * by / length, f64::from(y0) + dy * by / length);
            let ((x0, y0), (x1, y1)) = (along(LEAVES), along(length - SHORT));
            let _ = write!(
                svg,
                "<path class=\"arrow\" d=\"M{x0:.1} {y0:.1}L{x1:.1} {y1:.1}\" fill=\"none\" stroke=\"{}\" stroke-width=\"7\" \
                 stroke-linecap=\"round\" opacity=\".72\" marker-end=\"url(#head-{})\"/>",
                kind.colour(),
                kind.name()
            );
        }
        svg
    }
}

/// What is drawn once and used often: the board from either side, the pieces, the marks, the heads of the arrows.
fn definitions() -> String {
    let mut svg = String::from("<defs>");
    let (width, height) = SIZE;
    for (side, flipped) in [("red", false), ("black", true)] {
        let _ = write!(
            svg,
            "<g id=\"board-{side}\"><rect x=\"{0}\" y=\"{0}\" width=\"{width}\" height=\"{height}\" rx=\"8\" \
             fill=\"{WOOD}\"/>",
            -EDGE
        );
        lines(&mut svg);
        river(&mut svg, flipped);
        coordinates(&mut svg, flipped);
        svg.push_str("</g>");
    }
    for piece in Color::ALL.into_iter().flat_map(|color| PieceKind::ALL.map(|kind| Piece::new(color, kind))) {
        svg.push_str(&drawing(piece));
    }
    let _ = write!(
        svg,
        "<rect id=\"mark-last\" x=\"-24\" y=\"-24\" width=\"48\" height=\"48\" rx=\"9\" fill=\"#5d9a3c\" \
         opacity=\".5\"/><circle id=\"mark-ring\" r=\"25\" fill=\"none\" stroke=\"#2b6cb0\" stroke-width=\"4\"/>"
    );
    for kind in Arrow::ALL {
        let _ = write!(
            svg,
            "<marker id=\"head-{}\" viewBox=\"0 0 10 10\" refX=\"6.5\" refY=\"5\" markerWidth=\"3.4\" \
             markerHeight=\"3.4\" orient=\"auto\"><path d=\"M0 0L10 5L0 10Z\" fill=\"{}\"/></marker>",
            kind.name(),
            kind.colour()
        );
    }
    svg.push_str("</defs>");
    svg
}

fn drawing(piece: Piece) -> String {
    let is_red = piece.color() == Some(Color::Red);
    let colour = if is_red { RED } else { BLACK };
    let ring = |radius: f64, style: &str| {
        if is_red {
            format!("<circle r=\"{radius}\" {style}/>")
        } else {
            // Eight corners, on a circle that is a little wider.
            let (far, near) = (radius * 1.03, radius * 1.03 * 0.4142);
            format!(
                "<path d=\"M{near:.1} {0:.1}L{far:.1} {1:.1}V{near:.1}L{near:.1} {far:.1}H{1:.1}L{0:.1} {near:.1}\
                 V{1:.1}L{1:.1} {0:.1}Z\" {style}/>",
                -far, -near
            )
        }
    };
    format!(
        "<g id=\"piece-{}\"><g transform=\"translate(0 1.6)\" opacity=\".28\">{}</g>{}{}\
         <path d=\"{}\" fill=\"{colour}\"/></g>",
        piece.letter(),
        ring(22.5, "fill=\"#2b1a05\""),
        ring(22.0, &format!("fill=\"{FACE}\" stroke=\"{colour}\" stroke-width=\"1.6\"")),
        ring(18.9, &format!("fill=\"none\" stroke=\"{colour}\" stroke-width=\"1\"")),
        outline(of_piece(piece), 26.5)
    )
}

fn lines(svg: &mut String) {
    let (right, bottom) = (8 * STEP, 9 * STEP);
    let mut path = String::new();
    for rank in 1..9 {
        let _ = write!(path, "M0 {}H{right}", rank * STEP);
    }
    for file in 1..8 {
        let _ = write!(path, "M{0} 0V{1}M{0} {2}V{bottom}", file * STEP, 4 * STEP, 5 * STEP);
    }
    for top in [0, 7 * STEP] {
        let (left, right, bottom) = (3 * STEP, 5 * STEP, top + 2 * STEP);
        let _ = write!(path, "M{left} {top}L{right} {bottom}M{right} {top}L{left} {bottom}");
    }
    for square in Square::all().filter(|&square| has_corners(square)) {
        corners(&mut path, i32::from(square.file()), i32::from(9 - square.rank()));
    }
    let _ = write!(
        svg,
        "<g fill=\"none\" stroke=\"{LINES}\"><path d=\"{path}\"/><rect width=\"{right}\" height=\"{bottom}\" \
         stroke-width=\"1.4\"/><rect x=\"-5\" y=\"-5\" width=\"{}\" height=\"{}\" stroke-width=\"2.4\"/></g>",
        right + 10,
        bottom + 10
    );
}

/// Whether a cannon or a pawn stands here at the beginning of a game.
fn has_corners(square: Square) -> bool {
    match square.rank() {
        2 | 7 => matches!(square.file(), 1 | 7),
        3 | 6 => square.file().is_multiple_of(2),
        _ => false,
    }
}

/// Four small corners around a point, two at the edge of the board.
fn corners(path: &mut String, file: i32, row: i32) {
    const NEAR: i32 = 5;
    const LONG: i32 = 9;
    let (x, y) = (STEP * file, STEP * row);
    for side in [-1, 1].into_iter().filter(|side| (0..=8).contains(&(file + side))) {
        for above in [-1, 1] {
            let (at, to) = (x + side * NEAR, y + above * NEAR);
            let _ = write!(path, "M{at} {}V{to}H{}", to + above * LONG, at + side * LONG);
        }
    }
}

/// 楚河 and 漢界, which are read from the right by the side that sits above.
fn river(svg: &mut String, flipped: bool) {
    let middle = 4 * STEP + STEP / 2;
    let _ = write!(svg, "<g fill=\"{LINES}\" opacity=\".85\">");
    for (index, strokes) in RIVER.into_iter().enumerate() {
        let x = [STEP + 25, 2 * STEP + 25, 5 * STEP + 25, 6 * STEP + 25][index];
        let x = if flipped { 8 * STEP - x } else { x };
        let turn = if flipped { " rotate(180)" } else { "" };
        let path = outline(strokes, 30.0);
        let _ = write!(svg, "<path transform=\"translate({x} {middle}){turn}\" d=\"{path}\"/>");
    }
    svg.push_str("</g>");
}

/// The files as both sides count them, and as squares are named.
fn coordinates(svg: &mut String, flipped: bool) {
    let place = |index: usize| STEP * index as i32;
    let (near, below) = (9 * STEP + 34, 9 * STEP + 51);
    // Black counts in digits from his right, red in numerals from his: each side's stand before it.
    let (digits, numerals) = if flipped { (near, -35) } else { (-35, near) };
    let _ = write!(svg, "<g fill=\"{LINES}\">");
    for (index, strokes) in NUMERALS.into_iter().enumerate() {
        let x = place(if flipped { index } else { 8 - index });
        let _ =
            write!(svg, "<path transform=\"translate({x} {numerals})\" d=\"{}\"/>", outline(strokes, 13.5));
    }
    let _ = write!(svg, "</g><g fill=\"none\" stroke=\"{LINES}\" stroke-width=\"11\">");
    let mut sign = |letter: char, x: i32, y: i32| {
        let _ = write!(
            svg,
            "<path transform=\"translate({} {}) scale(.14)\" d=\"{}\"/>",
            x - 7,
            y - 7,
            latin(letter)
        );
    };
    for index in 0..9 {
        let x = place(if flipped { 8 - index } else { index });
        sign(char::from(b'1' + index as u8), x, digits);
        sign(char::from(b'a' + index as u8), x, below);
    }
    for rank in 0..10 {
        let y = place(if flipped { rank } else { 9 - rank });
        sign(char::from(b'0' + rank as u8), -36, y);
        sign(char::from(b'0' + rank as u8), 8 * STEP + 36, y);
    }
    svg.push_str("</g>");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_piece_stands_where_it_should() {
        let position = Position::start();
        let mut picture = Picture::of(&position);
        let svg = picture.pieces();
        assert_eq!(svg.matches("<use ").count(), 32);
        // The red rook on a0 at the lower left, the black general on e9 at the top.
        assert!(svg.contains("<use href=\"#piece-R\" x=\"0\" y=\"450\"/>"), "{svg}");
        assert!(svg.contains("<use href=\"#piece-k\" x=\"200\" y=\"0\"/>"), "{svg}");
        picture.flipped = true;
        let svg = picture.pieces();
        assert!(svg.contains("<use href=\"#piece-R\" x=\"400\" y=\"0\"/>"), "{svg}");
        assert!(svg.contains("<use href=\"#piece-k\" x=\"200\" y=\"450\"/>"), "{svg}");
    }

    #[test]
    fn fourteen_points_have_corners_and_those_at_the_edge_half_of_them() {
        assert_eq!(Square::all().filter(|&square| has_corners(square)).count(), 14);
        let position = Position::start();
        let svg = Picture::of(&position).svg();
        let corners: usize = ["M45 86V95H36", "M55 114V105H64", "M5 136V145H14", "M395 164V155H386"]
            .map(|corner| svg.matches(corner).count())
            .iter()
            .sum();
        assert_eq!(corners, 8, "on the board from either side");
        assert!(!svg.contains("M-5 "), "no corner leaves the board");
    }
}
