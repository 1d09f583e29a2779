//! The picture of a board: grid, river, palaces, pieces, markers and arrows.
//!
//! File f, rank r is at x = 50 f, y = 50 (9 − r). Every character is an outline, so no font is needed. Red's pieces are
//! round and black's octagonal, for readers with colour vision deficiency.

use super::glyphs::{NUMERALS, RIVER, latin_glyph, piece_glyph};
use super::shape::{Rgb, Shape, circle, rectangle};
use super::strokes::glyph_outline;
use chuhe_engine::board::Position;
use chuhe_engine::types::{Color, Move, Piece, Square};
use std::fmt::Write;

/// The distance between lines.
const SQUARE_SIZE: i32 = 50;
/// The margin at the sides and the top; the one at the bottom is larger.
pub const MARGIN: i32 = 46;
const BOTTOM_MARGIN: i32 = 62;
/// The size of the picture.
pub const SIZE: (i32, i32) = (2 * MARGIN + 8 * SQUARE_SIZE, MARGIN + BOTTOM_MARGIN + 9 * SQUARE_SIZE);

/// The distance of an arrow's ends from the centres of its squares.
const ARROW_START_GAP: f64 = 21.0;
const ARROW_END_GAP: f64 = 5.0;

const BOARD_COLOUR: Rgb = Rgb(0xf0, 0xd5, 0xa0);
const PIECE_COLOUR: Rgb = Rgb(0xfd, 0xf5, 0xe1);
const SHADOW_COLOUR: Rgb = Rgb(0x2b, 0x1a, 0x05);
const LINE_COLOUR: Rgb = Rgb(0x6b, 0x45, 0x19);
const RED_COLOUR: Rgb = Rgb(0xb3, 0x20, 0x1a);
const BLACK_COLOUR: Rgb = Rgb(0x17, 0x21, 0x2c);
const LAST_MOVE_COLOUR: Rgb = Rgb(0x5d, 0x9a, 0x3c);
const RING_COLOUR: Rgb = Rgb(0x2b, 0x6c, 0xb0);

/// The meaning of an arrow.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ArrowKind {
    Best,
    /// Any other move.
    Other,
    Bad,
}

impl ArrowKind {
    pub const ALL: [ArrowKind; 3] = [ArrowKind::Best, ArrowKind::Other, ArrowKind::Bad];

    /// Its name in the SVG.
    pub fn name(self) -> &'static str {
        match self {
            ArrowKind::Best => "best",
            ArrowKind::Other => "other",
            ArrowKind::Bad => "bad",
        }
    }

    /// Colours that remain distinct with colour vision deficiency.
    pub fn colour(self) -> Rgb {
        match self {
            ArrowKind::Best => Rgb(0x1f, 0x7a, 0x4d),
            ArrowKind::Other => Rgb(0x2b, 0x6c, 0xb0),
            ArrowKind::Bad => Rgb(0xc2, 0x41, 0x0c),
        }
    }
}

/// The contents of a picture.
#[derive(Clone)]
pub struct BoardPicture<'a> {
    pub position: &'a Position,
    /// The last move.
    pub last: Option<Move>,
    /// Moves to draw as arrows.
    pub arrows: Vec<(Move, ArrowKind)>,
    /// Squares to mark with a ring.
    pub marked: Vec<Square>,
    pub flipped: bool,
}

impl<'a> BoardPicture<'a> {
    /// A picture of the position alone.
    pub fn new(position: &'a Position) -> BoardPicture<'a> {
        BoardPicture { position, last: None, arrows: Vec::new(), marked: Vec::new(), flipped: false }
    }

    /// The centre of a square.
    pub fn square_center(&self, square: Square) -> (i32, i32) {
        let (file, rank) = (i32::from(square.file()), i32::from(square.rank()));
        if self.flipped {
            (SQUARE_SIZE * (8 - file), SQUARE_SIZE * rank)
        } else {
            (SQUARE_SIZE * file, SQUARE_SIZE * (9 - rank))
        }
    }

    /// The pieces with their centres.
    pub fn pieces(&self) -> impl Iterator<Item = (Piece, (i32, i32))> {
        let piece = |square| self.position.piece_at(square);
        Square::all()
            .map(move |square| (piece(square), self.square_center(square)))
            .filter(|(piece, _)| piece.is_piece())
    }

    /// The centres of the last move's squares.
    pub fn last_squares(&self) -> impl Iterator<Item = (i32, i32)> {
        self.last.into_iter().flat_map(|mv| [mv.from(), mv.to()]).map(|square| self.square_center(square))
    }

    /// The centres of the rings.
    pub fn rings(&self) -> impl Iterator<Item = (i32, i32)> {
        self.marked.iter().map(|&square| self.square_center(square))
    }

    /// The arrows, from the edge of the piece, which stays readable, almost to the centre of the target.
    pub fn arrows(&self) -> impl Iterator<Item = ArrowShape> {
        self.arrows.iter().filter(|(mv, _)| mv.from() != mv.to()).map(|&(mv, kind)| {
            let ((x0, y0), (x1, y1)) = (self.square_center(mv.from()), self.square_center(mv.to()));
            let (dx, dy) = (f64::from(x1 - x0), f64::from(y1 - y0));
            let length = dx.hypot(dy).max(1.0);
            let ahead = (dx / length, dy / length);
            let along = |by: f64| (f64::from(x0) + ahead.0 * by, f64::from(y0) + ahead.1 * by);
            ArrowShape { kind, from: along(ARROW_START_GAP), to: along(length - ARROW_END_GAP), direction: ahead }
        })
    }
}

#[derive(Clone, Copy, Debug)]
pub struct ArrowShape {
    pub kind: ArrowKind,
    pub from: (f64, f64),
    /// The end of its line, without the tip of the head.
    pub to: (f64, f64),
    /// Its unit vector.
    pub direction: (f64, f64),
}

impl ArrowShape {
    /// The line width.
    pub const WIDTH: f64 = 7.0;
    pub const OPACITY: f64 = 0.72;
    /// The corners of a head that points right, in line widths from the end of the line.
    pub const HEAD_CORNERS: [(f64, f64); 3] = [(-2.21, -1.7), (1.19, 0.0), (-2.21, 1.7)];

    /// Its line as SVG path data.
    pub fn path(&self) -> String {
        format!("M{:.1} {:.1}L{:.1} {:.1}", self.from.0, self.from.1, self.to.0, self.to.1)
    }
}

/// The empty board from red's or black's side.
pub fn board(flipped: bool) -> Vec<Shape> {
    let (edge, size) = (-f64::from(MARGIN), (f64::from(SIZE.0), f64::from(SIZE.1)));
    let mut shapes = vec![Shape::filled(rectangle((edge, edge), size, 8.0), BOARD_COLOUR)];
    shapes.extend(grid_lines());
    shapes.extend(river(flipped));
    shapes.extend(coordinates(flipped));
    shapes
}

pub fn piece(piece: Piece) -> Vec<Shape> {
    let is_red = piece.color() == Some(Color::Red);
    let colour = if is_red { RED_COLOUR } else { BLACK_COLOUR };
    let ring = |radius: f64| if is_red { circle(radius) } else { octagon(radius) };
    let shadow = Shape::filled(ring(22.5), SHADOW_COLOUR).at(0.0, 1.6);
    vec![
        Shape { opacity: 0.28, ..shadow },
        Shape { fill: Some(PIECE_COLOUR), ..Shape::stroked(ring(22.0), colour, 1.6) },
        Shape::stroked(ring(18.9), colour, 1.0),
        Shape::filled(glyph_outline(piece_glyph(piece), 26.5), colour),
    ]
}

/// A regular octagon on a slightly larger circle.
fn octagon(radius: f64) -> String {
    let (far, near) = (radius * 1.03, radius * 1.03 * 0.4142);
    format!(
        "M{near:.1} {0:.1}L{far:.1} {1:.1}V{near:.1}L{near:.1} {far:.1}H{1:.1}L{0:.1} {near:.1}V{1:.1}L{1:.1} {0:.1}Z",
        -far, -near
    )
}

/// The marker below the squares of the last move.
pub fn last_move_marker() -> Shape {
    Shape { opacity: 0.5, ..Shape::filled(rectangle((-24.0, -24.0), (48.0, 48.0), 9.0), LAST_MOVE_COLOUR) }
}

/// The ring around a marked square.
pub fn ring_marker() -> Shape {
    Shape::stroked(circle(25.0), RING_COLOUR, 4.0)
}

fn grid_lines() -> [Shape; 3] {
    let (right, bottom) = (8 * SQUARE_SIZE, 9 * SQUARE_SIZE);
    let mut path = String::new();
    for rank in 1..9 {
        let _ = write!(path, "M0 {}H{right}", rank * SQUARE_SIZE);
    }
    for file in 1..8 {
        let _ = write!(path, "M{0} 0V{1}M{0} {2}V{bottom}", file * SQUARE_SIZE, 4 * SQUARE_SIZE, 5 * SQUARE_SIZE);
    }
    for top in [0, 7 * SQUARE_SIZE] {
        let (left, right, bottom) = (3 * SQUARE_SIZE, 5 * SQUARE_SIZE, top + 2 * SQUARE_SIZE);
        let _ = write!(path, "M{left} {top}L{right} {bottom}M{right} {top}L{left} {bottom}");
    }
    for square in Square::all().filter(|&square| has_corner_marks(square)) {
        draw_corner_marks(&mut path, i32::from(square.file()), i32::from(9 - square.rank()));
    }
    let (right, bottom) = (f64::from(right), f64::from(bottom));
    [
        Shape::stroked(path, LINE_COLOUR, 1.0),
        Shape::stroked(rectangle((0.0, 0.0), (right, bottom), 0.0), LINE_COLOUR, 1.4),
        Shape::stroked(rectangle((-5.0, -5.0), (right + 10.0, bottom + 10.0), 0.0), LINE_COLOUR, 2.4),
    ]
}

/// Whether the square has corner marks: the initial squares of cannons and pawns.
fn has_corner_marks(square: Square) -> bool {
    match square.rank() {
        2 | 7 => matches!(square.file(), 1 | 7),
        3 | 6 => square.file().is_multiple_of(2),
        _ => false,
    }
}

/// Draws four small corners around a point, two at the edge of the board.
fn draw_corner_marks(path: &mut String, file: i32, row: i32) {
    const NEAR: i32 = 5;
    const LONG: i32 = 9;
    let (x, y) = (SQUARE_SIZE * file, SQUARE_SIZE * row);
    for side in [-1, 1].into_iter().filter(|side| (0..=8).contains(&(file + side))) {
        for above in [-1, 1] {
            let (at, to) = (x + side * NEAR, y + above * NEAR);
            let _ = write!(path, "M{at} {}V{to}H{}", to + above * LONG, at + side * LONG);
        }
    }
}

/// 楚河 and 漢界; the side at the top reads them from the right.
fn river(flipped: bool) -> impl Iterator<Item = Shape> {
    let middle = 4 * SQUARE_SIZE + SQUARE_SIZE / 2;
    RIVER.into_iter().enumerate().map(move |(index, strokes)| {
        let x = [SQUARE_SIZE + 25, 2 * SQUARE_SIZE + 25, 5 * SQUARE_SIZE + 25, 6 * SQUARE_SIZE + 25][index];
        let x = if flipped { 8 * SQUARE_SIZE - x } else { x };
        let word = Shape::filled(glyph_outline(strokes, 30.0), LINE_COLOUR).at(f64::from(x), f64::from(middle));
        Shape { opacity: 0.85, rotated: flipped, ..word }
    })
}

/// The file numbers of both sides, and the letters of the files.
fn coordinates(flipped: bool) -> Vec<Shape> {
    let place = |index: usize| SQUARE_SIZE * index as i32;
    let (near, below) = (9 * SQUARE_SIZE + 34, 9 * SQUARE_SIZE + 51);
    // Each side counts the files from its own right: black in digits, red in numerals.
    let (digits, numerals) = if flipped { (near, -35) } else { (-35, near) };
    let mut shapes = Vec::new();
    for (index, strokes) in NUMERALS.into_iter().enumerate() {
        let x = place(if flipped { index } else { 8 - index });
        shapes.push(Shape::filled(glyph_outline(strokes, 13.5), LINE_COLOUR).at(f64::from(x), f64::from(numerals)));
    }
    let mut sign = |letter: char, x: i32, y: i32| {
        let sign = Shape::stroked(latin_glyph(letter).to_string(), LINE_COLOUR, 11.0);
        shapes.push(Shape { scale: 0.14, ..sign.at(f64::from(x - 7), f64::from(y - 7)) });
    };
    for index in 0..9 {
        let x = place(if flipped { 8 - index } else { index });
        sign(char::from(b'1' + index as u8), x, digits);
        sign(char::from(b'a' + index as u8), x, below);
    }
    for rank in 0..10 {
        let y = place(if flipped { rank } else { 9 - rank });
        sign(char::from(b'0' + rank as u8), -36, y);
        sign(char::from(b'0' + rank as u8), 8 * SQUARE_SIZE + 36, y);
    }
    shapes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corner_marks_are_on_fourteen_points() {
        assert_eq!(Square::all().filter(|&square| has_corner_marks(square)).count(), 14);
    }
}
