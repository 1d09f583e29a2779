//! The picture of a board: grid, river, palaces, pieces, markers and arrows.
//!
//! File f, rank r is at x = 50 f, y = 50 (9 − r). Every character is an outline, so no font is needed.
//!
//! The pieces of each set: a disc, and a character or a letter on it.
//!
//! The coordinates at the edge of the board.

use super::glyphs::{NUMERALS, RIVER, glyph_outline, latin_glyph, piece_glyph, simplified_glyph};
use super::shape::{Rgb, Shape, circle, rectangle};
use super::style::{BoardStyle, Coordinates, Palette, PieceSet};
use std::fmt::Write;
use xiangqi::{Color, Move, Piece, Position, Square};

/// The distance between lines.
pub const SQUARE_SIZE: i32 = 50;
/// The margin at the sides, and the one above and below.
pub const MARGIN: (i32, i32) = (40, 46);
/// The size of the picture in the units of its SVG.
pub const SIZE: (i32, i32) = (2 * MARGIN.0 + 8 * SQUARE_SIZE, 2 * MARGIN.1 + 9 * SQUARE_SIZE);

/// The distance of an arrow's ends from the centres of its squares.
const ARROW_START_GAP: f64 = 21.0;
const ARROW_END_GAP: f64 = 5.0;

const LAST_MOVE_COLOUR: Rgb = Rgb(0x1c, 0x62, 0xa8);
const HALO_COLOUR: Rgb = Rgb(0xff, 0xf8, 0xe8);
const RING_COLOUR: Rgb = Rgb(0x2b, 0x6c, 0xb0);

/// The meaning of an arrow.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ArrowKind {
    /// The best move.
    Best,
    /// Any other move.
    Other,
    /// A mistake.
    Bad,
}

impl ArrowKind {
    /// All of them.
    pub const ALL: [ArrowKind; 3] = [ArrowKind::Best, ArrowKind::Other, ArrowKind::Bad];

    /// Its name in the SVG.
    pub(crate) fn name(self) -> &'static str {
        match self {
            ArrowKind::Best => "best",
            ArrowKind::Other => "other",
            ArrowKind::Bad => "bad",
        }
    }

    /// Colours that remain distinct with colour vision deficiency.
    pub(crate) fn colour(self) -> Rgb {
        match self {
            ArrowKind::Best => Rgb(0x1f, 0x7a, 0x4d),
            ArrowKind::Other => Rgb(0x2b, 0x6c, 0xb0),
            ArrowKind::Bad => Rgb(0xc2, 0x41, 0x0c),
        }
    }
}

/// The contents of a picture.
///
/// ```
/// use xiangqi::Position;
/// use xiangqi_draw::{ArrowKind, BoardPicture};
///
/// let position = Position::start();
/// let mut picture = BoardPicture::new(&position);
/// picture.arrows.push(("h2e2".parse()?, ArrowKind::Best));
/// assert!(picture.svg().contains("marker-end=\"url(#head-best)\""));
/// assert!(picture.png(240).starts_with(b"\x89PNG"));
/// # Ok::<(), xiangqi::ParseMoveError>(())
/// ```
#[derive(Clone, Debug)]
pub struct BoardPicture<'a> {
    /// The position.
    pub position: &'a Position,
    /// The last move.
    pub last: Option<Move>,
    /// Moves to draw as arrows.
    pub arrows: Vec<(Move, ArrowKind)>,
    /// Squares to mark with a ring.
    pub marked: Vec<Square>,
    /// Seen from black's side.
    pub flipped: bool,
    /// How it looks.
    pub style: BoardStyle,
}

impl<'a> BoardPicture<'a> {
    /// A picture of the position alone.
    pub fn new(position: &'a Position) -> BoardPicture<'a> {
        BoardPicture {
            position,
            last: None,
            arrows: Vec::new(),
            marked: Vec::new(),
            flipped: false,
            style: BoardStyle::default(),
        }
    }

    /// The centre of a square.
    pub(crate) fn square_center(&self, square: Square) -> (i32, i32) {
        let (file, rank) = (i32::from(square.file()), i32::from(square.rank()));
        if self.flipped {
            (SQUARE_SIZE * (8 - file), SQUARE_SIZE * rank)
        } else {
            (SQUARE_SIZE * file, SQUARE_SIZE * (9 - rank))
        }
    }

    /// The pieces with their centres.
    pub(crate) fn pieces(&self) -> impl Iterator<Item = (Piece, (i32, i32))> {
        Square::all().filter_map(|square| Some((self.position.piece_at(square)?, self.square_center(square))))
    }

    /// The centres of the origin and the target of the last move.
    pub(crate) fn last_squares(&self) -> Option<[(i32, i32); 2]> {
        self.last.map(|mv| [mv.from(), mv.to()].map(|square| self.square_center(square)))
    }

    /// The centres of the rings.
    pub(crate) fn rings(&self) -> impl Iterator<Item = (i32, i32)> {
        self.marked.iter().map(|&square| self.square_center(square))
    }

    /// The arrows, from the edge of the piece, which stays readable, almost to the centre of the target.
    pub(crate) fn arrows(&self) -> impl Iterator<Item = ArrowShape> {
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

/// The empty board, the same from both sides, without coordinates.
pub fn board(palette: Palette) -> Vec<Shape> {
    let mut shapes = surface(palette).to_vec();
    shapes.extend(grid_lines(palette.ink));
    shapes.extend(river(palette.ink));
    shapes
}

/// The surface with its grain.
fn surface(palette: Palette) -> [Shape; 2] {
    let (left, top) = (0.5 - f64::from(MARGIN.0), 0.5 - f64::from(MARGIN.1));
    let whole = rectangle((left, top), (f64::from(SIZE.0) - 1.0, f64::from(SIZE.1) - 1.0), 8.5);
    let edged = Shape { stroke: Some((palette.edge, 1.0)), ..Shape::filled(whole, palette.surface) };
    [
        edged.with_class("surface"),
        Shape::stroked(grain(), palette.edge, 1.3).with_opacity(palette.grain_opacity).with_class("grain"),
    ]
}

/// Wavy lines across the board, always the same.
fn grain() -> String {
    const LINES: i32 = 44;
    let (left, width) = (2 - MARGIN.0, SIZE.0 - 4);
    let mut seed = 2u32;
    let mut random = |below: i32| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 16) as i32 % below
    };
    let mut path = String::new();
    for line in 0..LINES {
        let y = 8 - MARGIN.1 + (SIZE.1 - 16) * line / LINES + random(9);
        let bends = [random(13) - 6, random(13) - 6, random(7) - 3];
        let third = width / 3 + random(41) - 20;
        let _ = write!(path, "M{left} {y}c{third} {} {} {} {width} {}", bends[0], 2 * third, bends[1], bends[2]);
    }
    path
}

/// The brackets around the target of the last move, and the ring on its origin.
pub fn target_marker() -> [Shape; 2] {
    let mut path = String::new();
    for (x, y) in [(-1, -1), (1, -1), (1, 1), (-1, 1)] {
        let _ = write!(path, "M{} {}V{}H{}", 24 * x, 14 * y, 24 * y, 14 * x);
    }
    outlined(path)
}

pub fn origin_marker() -> [Shape; 2] {
    outlined(circle(7.5))
}

/// A line with a light edge, to be seen on every board.
fn outlined(path: String) -> [Shape; 2] {
    let halo = Shape::stroked(path.clone(), HALO_COLOUR, 5.0).with_opacity(0.75);
    [halo, Shape::stroked(path, LAST_MOVE_COLOUR, 3.0)]
}

/// The ring around a marked square.
pub fn ring_marker() -> Shape {
    Shape::stroked(circle(25.0), RING_COLOUR, 4.0)
}

fn grid_lines(ink: Rgb) -> [Shape; 3] {
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
        Shape::stroked(path, ink, 1.0),
        Shape::stroked(rectangle((0.0, 0.0), (right, bottom), 0.0), ink, 1.4),
        Shape::stroked(rectangle((-5.0, -5.0), (right + 10.0, bottom + 10.0), 0.0), ink, 2.4),
    ]
    .map(|line| line.with_class("board-line"))
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

/// 楚河 and 漢界, upright whichever side is below: who looks at the board sits there.
fn river(ink: Rgb) -> impl Iterator<Item = Shape> {
    let middle = 4 * SQUARE_SIZE + SQUARE_SIZE / 2;
    RIVER.into_iter().enumerate().map(move |(index, strokes)| {
        let x = [SQUARE_SIZE + 25, 2 * SQUARE_SIZE + 25, 5 * SQUARE_SIZE + 25, 6 * SQUARE_SIZE + 25][index];
        let word = Shape::filled(glyph_outline(strokes, 30.0), ink).at(f64::from(x), f64::from(middle));
        word.with_opacity(0.8).with_class("board-sign")
    })
}

/// The size of the characters.
const GLYPH_SIZE: f64 = 28.6;
const LETTER_SCALE: f64 = 0.32;

const SHADOW_COLOUR: Rgb = Rgb(0x2b, 0x1a, 0x05);
const RED_COLOUR: Rgb = Rgb(0xb3, 0x17, 0x12);
const BLACK_COLOUR: Rgb = Rgb(0x17, 0x1d, 0x24);
const IVORY_COLOUR: Rgb = Rgb(0xff, 0xf7, 0xe6);

fn side_colour(color: Color) -> Rgb {
    match color {
        Color::Red => RED_COLOUR,
        Color::Black => BLACK_COLOUR,
    }
}

/// A piece of a style.
pub fn piece(piece: Piece, style: BoardStyle) -> Vec<Shape> {
    let color = piece.color();
    let mut shapes = disc(style.pieces, color, style.octagons && color == Color::Black);
    shapes.push(sign(piece, style.pieces));
    shapes
}

/// The disc of a piece, without its character.
pub fn disc(set: PieceSet, color: Color, is_octagon: bool) -> Vec<Shape> {
    let outline = |radius: f64| if is_octagon { octagon(radius) } else { circle(radius) };
    let colour = side_colour(color);
    match set {
        PieceSet::Wood | PieceSet::Simplified => {
            let mut shapes = shadow(outline);
            shapes.extend([
                // The side of the disc, lit from above, then its face and the carved ring.
                Shape::shaded(outline(23.2), Rgb(0xf8, 0xe3, 0xb8), Rgb(0x96, 0x67, 0x31)),
                Shape::stroked(outline(23.2), Rgb(0x6e, 0x4a, 0x20), 0.7).with_opacity(0.75),
                Shape::shaded(outline(21.3), Rgb(0xff, 0xf8, 0xe6), Rgb(0xf3, 0xde, 0xb2)),
                Shape::stroked(outline(19.6), colour, 1.1).with_opacity(0.9),
            ]);
            shapes
        }
        PieceSet::Flat => vec![Shape { stroke: Some((colour, 2.4)), ..Shape::filled(outline(22.0), IVORY_COLOUR) }],
        PieceSet::Letters => {
            let mut shapes = shadow(outline);
            shapes.extend([
                Shape::filled(outline(23.0), colour),
                Shape::stroked(outline(20.3), IVORY_COLOUR, 0.9).with_opacity(0.55),
            ]);
            shapes
        }
    }
}

/// A soft shadow: layers that grow fainter outwards.
fn shadow(outline: impl Fn(f64) -> String) -> Vec<Shape> {
    let layer = |(radius, down, opacity): (f64, f64, f64)| {
        Shape::filled(outline(radius), SHADOW_COLOUR).at(0.0, down).with_opacity(opacity)
    };
    [(24.6, 1.7, 0.08), (24.0, 1.5, 0.10), (23.3, 1.3, 0.18)].into_iter().map(layer).collect()
}

/// The character or the letter of a piece.
pub fn sign(piece: Piece, set: PieceSet) -> Shape {
    let color = piece.color();
    let character = |glyph| Shape::filled(glyph_outline(glyph, GLYPH_SIZE), side_colour(color));
    match set {
        PieceSet::Wood | PieceSet::Flat => character(piece_glyph(piece)),
        PieceSet::Simplified => character(simplified_glyph(piece).unwrap_or(piece_glyph(piece))),
        PieceSet::Letters => {
            let letter = piece.kind().wxf_letter();
            let half = 50.0 * LETTER_SCALE;
            let line = Shape::stroked(latin_glyph(letter).to_string(), IVORY_COLOUR, 10.5);
            Shape { scale: LETTER_SCALE, ..line.at(-half, -half) }
        }
    }
}

/// A regular octagon on a slightly larger circle.
fn octagon(radius: f64) -> String {
    let (far, near) = (radius * 1.03, radius * 1.03 * 0.4142);
    format!(
        "M{near:.1} {0:.1}L{far:.1} {1:.1}V{near:.1}L{near:.1} {far:.1}H{1:.1}L{0:.1} {near:.1}V{1:.1}L{1:.1} {0:.1}Z",
        -far, -near
    )
}

/// The distance of the signs from the outermost lines: above and below, and at the side.
const BELOW: i32 = 34;
const ASIDE: i32 = 30;

/// The signs of a system, seen from red's or black's side.
pub fn signs(system: Coordinates, flipped: bool, ink: Rgb) -> Vec<Shape> {
    match system {
        Coordinates::Chinese => chinese(flipped, ink),
        Coordinates::Letters => letters(flipped, ink),
        Coordinates::None => Vec::new(),
    }
}

fn place(index: usize) -> i32 {
    SQUARE_SIZE * index as i32
}

/// Each side counts the files from its own right: black in digits, red in numerals.
fn chinese(flipped: bool, ink: Rgb) -> Vec<Shape> {
    let (near, far) = (9 * SQUARE_SIZE + BELOW, -BELOW);
    let (digits, numerals) = if flipped { (near, far) } else { (far, near) };
    let mut shapes = Vec::new();
    for (index, strokes) in NUMERALS.into_iter().enumerate() {
        let x = place(if flipped { index } else { 8 - index });
        let numeral = Shape::filled(glyph_outline(strokes, 13.0), ink).with_class("board-sign");
        shapes.push(numeral.at(f64::from(x), f64::from(numerals)));
        let x = place(if flipped { 8 - index } else { index });
        shapes.push(latin(char::from(b'1' + index as u8), (x, digits), ink));
    }
    shapes
}

/// The files by letters below, the ranks by digits on the left.
fn letters(flipped: bool, ink: Rgb) -> Vec<Shape> {
    let files = (0..9u8).map(|file| {
        let x = place(usize::from(if flipped { 8 - file } else { file }));
        latin(char::from(b'a' + file), (x, 9 * SQUARE_SIZE + BELOW), ink)
    });
    let ranks = (0..10u8).map(|rank| {
        let y = place(usize::from(if flipped { rank } else { 9 - rank }));
        latin(char::from(b'0' + rank), (-ASIDE, y), ink)
    });
    files.chain(ranks).collect()
}

fn latin(letter: char, (x, y): (i32, i32), ink: Rgb) -> Shape {
    let sign = Shape::stroked(latin_glyph(letter).to_string(), ink, 11.0).with_class("board-line");
    Shape { scale: 0.14, ..sign.at(f64::from(x - 7), f64::from(y - 7)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corner_marks_are_on_fourteen_points() {
        assert_eq!(Square::all().filter(|&square| has_corner_marks(square)).count(), 14);
    }
}
