//! The coordinates at the edge of the board.

use super::board::SQUARE_SIZE;
use super::glyphs::{NUMERALS, latin_glyph};
use super::shape::{Rgb, Shape};
use super::strokes::glyph_outline;
use super::style::Coordinates;

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
