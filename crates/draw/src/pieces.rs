//! The pieces of each set: a disc, and a character or a letter on it.

use super::glyphs::{latin_glyph, piece_glyph, simplified_glyph};
use super::shape::{Rgb, Shape, circle};
use super::strokes::glyph_outline;
use super::style::{BoardStyle, PieceSet};
use xiangqi::{Color, Piece};

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
