//! What a board looks like: its lines with the river and the palaces, the pieces as players know them, the marks and
//! arrows.
//!
//! File f, rank r stand at x = 50 f, y = 50 (9 − r). Every character is an outline: no machine needs a font to show it.
//! Red's pieces are round and black's have eight corners, for those who see fewer colours.

use super::characters::{NUMERALS, RIVER, latin, of_piece};
use super::shape::{Colour, Shape, circle, rectangle};
use super::strokes::outline;
use chuhe_engine::board::Position;
use chuhe_engine::types::{Color, Move, Piece, Square};
use std::fmt::Write;

/// From line to line.
const STEP: i32 = 50;
/// From the edge of the picture to the first line: at the sides and the top, and at the bottom.
pub const EDGE: i32 = 46;
const BOTTOM: i32 = 62;
/// The size of the picture.
pub const SIZE: (i32, i32) = (2 * EDGE + 8 * STEP, EDGE + BOTTOM + 9 * STEP);

/// How far from the middle of a square an arrow begins, and how far from that of the other it ends.
const LEAVES: f64 = 21.0;
const SHORT: f64 = 5.0;

const WOOD: Colour = Colour(0xf0, 0xd5, 0xa0);
const FACE: Colour = Colour(0xfd, 0xf5, 0xe1);
const SHADOW: Colour = Colour(0x2b, 0x1a, 0x05);
const LINES: Colour = Colour(0x6b, 0x45, 0x19);
const RED: Colour = Colour(0xb3, 0x20, 0x1a);
const BLACK: Colour = Colour(0x17, 0x21, 0x2c);
const LAST: Colour = Colour(0x5d, 0x9a, 0x3c);
const RING: Colour = Colour(0x2b, 0x6c, 0xb0);

/// What an arrow says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arrow {
    Best,
    /// This is another move.
    Other,
    Bad,
}

impl Arrow {
    pub const ALL: [Arrow; 3] = [Arrow::Best, Arrow::Other, Arrow::Bad];

    /// Its name in the SVG.
    pub fn name(self) -> &'static str {
        match self {
            Arrow::Best => "best",
            Arrow::Other => "other",
            Arrow::Bad => "bad",
        }
    }

    /// Colours that are told apart also by those who see fewer.
    pub fn colour(self) -> Colour {
        match self {
            Arrow::Best => Colour(0x1f, 0x7a, 0x4d),
            Arrow::Other => Colour(0x2b, 0x6c, 0xb0),
            Arrow::Bad => Colour(0xc2, 0x41, 0x0c),
        }
    }
}

/// What is to be drawn.
#[derive(Clone)]
pub struct Picture<'a> {
    pub position: &'a Position,
    /// The move that led to it.
    pub last: Option<Move>,
    /// Moves to point at.
    pub arrows: Vec<(Move, Arrow)>,
    /// Squares to draw a ring on.
    pub marked: Vec<Square>,
    pub flipped: bool,
}

impl<'a> Picture<'a> {
    /// A position and nothing else.
    pub fn of(position: &'a Position) -> Picture<'a> {
        Picture { position, last: None, arrows: Vec::new(), marked: Vec::new(), flipped: false }
    }

    /// Where a square is.
    pub fn at(&self, square: Square) -> (i32, i32) {
        let (file, rank) = (i32::from(square.file()), i32::from(square.rank()));
        if self.flipped { (STEP * (8 - file), STEP * rank) } else { (STEP * file, STEP * (9 - rank)) }
    }

    /// The pieces and where they stand.
    pub fn pieces(&self) -> impl Iterator<Item = (Piece, (i32, i32))> {
        let piece = |square| self.position.piece_at(square);
        Square::all()
            .map(move |square| (piece(square), self.at(square)))
            .filter(|(piece, _)| piece.is_piece())
    }

    /// Where the squares of the last move are.
    pub fn last_squares(&self) -> impl Iterator<Item = (i32, i32)> {
        self.last.into_iter().flat_map(|mv| [mv.from(), mv.to()]).map(|square| self.at(square))
    }

    /// Where the rings are.
    pub fn rings(&self) -> impl Iterator<Item = (i32, i32)> {
        self.marked.iter().map(|&square| self.at(square))
    }

    /// The arrows, from the edge of the piece, which stays readable, to nearly the middle of the square.
    pub fn pointers(&self) -> impl Iterator<Item = Pointer> {
        self.arrows.iter().filter(|(mv, _)| mv.from() != mv.to()).map(|&(mv, kind)| {
            let ((x0, y0), (x1, y1)) = (self.at(mv.from()), self.at(mv.to()));
            let (dx, dy) = (f64::from(x1 - x0), f64::from(y1 - y0));
            let length = dx.hypot(dy).max(1.0);
            let ahead = (dx / length, dy / length);
            let along = |by: f64| (f64::from(x0) + ahead.0 * by, f64::from(y0) + ahead.1 * by);
            Pointer { kind, from: along(LEAVES), to: along(length - SHORT), ahead }
        })
    }
}

/// An arrow on the board.
#[derive(Clone, Copy, Debug)]
pub struct Pointer {
    pub kind: Arrow,
    pub from: (f64, f64),
    /// Where it ends, but for the point of its head.
    pub to: (f64, f64),
    /// One step along it.
    pub ahead: (f64, f64),
}

impl Pointer {
    /// How wide its line is.
    pub const WIDTH: f64 = 7.0;
    /// How much shines through.
    pub const OPACITY: f64 = 0.72;
    /// The corners of a head that points to the right, in widths of its line around the end of the line.
    pub const HEAD: [(f64, f64); 3] = [(-2.21, -1.7), (1.19, 0.0), (-2.21, 1.7)];

    /// Its line, in the words of an SVG path.
    pub fn line(&self) -> String {
        format!("M{:.1} {:.1}L{:.1} {:.1}", self.from.0, self.from.1, self.to.0, self.to.1)
    }
}

/// The board as red sees it, or as black does.
pub fn board(flipped: bool) -> Vec<Shape> {
    let (edge, size) = (-f64::from(EDGE), (f64::from(SIZE.0), f64::from(SIZE.1)));
    let mut shapes = vec![Shape::filled(rectangle((edge, edge), size, 8.0), WOOD)];
    shapes.extend(lines());
    shapes.extend(river(flipped));
    shapes.extend(coordinates(flipped));
    shapes
}

pub fn piece(piece: Piece) -> Vec<Shape> {
    let is_red = piece.color() == Some(Color::Red);
    let colour = if is_red { RED } else { BLACK };
    let ring = |radius: f64| if is_red { circle(radius) } else { octagon(radius) };
    let shadow = Shape::filled(ring(22.5), SHADOW).at(0.0, 1.6);
    vec![
        Shape { opacity: 0.28, ..shadow },
        Shape { fill: Some(FACE), ..Shape::lined(ring(22.0), colour, 1.6) },
        Shape::lined(ring(18.9), colour, 1.0),
        Shape::filled(outline(of_piece(piece), 26.5), colour),
    ]
}

/// Eight corners, on a circle that is a little wider.
fn octagon(radius: f64) -> String {
    let (far, near) = (radius * 1.03, radius * 1.03 * 0.4142);
    format!(
        "M{near:.1} {0:.1}L{far:.1} {1:.1}V{near:.1}L{near:.1} {far:.1}H{1:.1}L{0:.1} {near:.1}V{1:.1}L{1:.1} {0:.1}Z",
        -far, -near
    )
}

/// What lies under the squares of the last move.
pub fn last_mark() -> Shape {
    Shape { opacity: 0.5, ..Shape::filled(rectangle((-24.0, -24.0), (48.0, 48.0), 9.0), LAST) }
}

/// The ring around a square to look at.
pub fn ring_mark() -> Shape {
    Shape::lined(circle(25.0), RING, 4.0)
}

fn lines() -> [Shape; 3] {
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
    let (right, bottom) = (f64::from(right), f64::from(bottom));
    [
        Shape::lined(path, LINES, 1.0),
        Shape::lined(rectangle((0.0, 0.0), (right, bottom), 0.0), LINES, 1.4),
        Shape::lined(rectangle((-5.0, -5.0), (right + 10.0, bottom + 10.0), 0.0), LINES, 2.4),
    ]
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
fn river(flipped: bool) -> impl Iterator<Item = Shape> {
    let middle = 4 * STEP + STEP / 2;
    RIVER.into_iter().enumerate().map(move |(index, strokes)| {
        let x = [STEP + 25, 2 * STEP + 25, 5 * STEP + 25, 6 * STEP + 25][index];
        let x = if flipped { 8 * STEP - x } else { x };
        let word = Shape::filled(outline(strokes, 30.0), LINES).at(f64::from(x), f64::from(middle));
        Shape { opacity: 0.85, is_turned: flipped, ..word }
    })
}

/// The files as both sides count them, and as squares are named.
fn coordinates(flipped: bool) -> Vec<Shape> {
    let place = |index: usize| STEP * index as i32;
    let (near, below) = (9 * STEP + 34, 9 * STEP + 51);
    // Black counts in digits from his right, red in numerals from his: each side's stand before it.
    let (digits, numerals) = if flipped { (near, -35) } else { (-35, near) };
    let mut shapes = Vec::new();
    for (index, strokes) in NUMERALS.into_iter().enumerate() {
        let x = place(if flipped { index } else { 8 - index });
        shapes.push(Shape::filled(outline(strokes, 13.5), LINES).at(f64::from(x), f64::from(numerals)));
    }
    let mut sign = |letter: char, x: i32, y: i32| {
        let sign = Shape::lined(latin(letter).to_string(), LINES, 11.0);
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
        sign(char::from(b'0' + rank as u8), 8 * STEP + 36, y);
    }
    shapes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fourteen_points_have_corners() {
        assert_eq!(Square::all().filter(|&square| has_corners(square)).count(), 14);
    }
}
