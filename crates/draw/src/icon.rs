//! The red king as an icon, in the forms that systems and browsers want.

use super::board;
use super::png::{COMPRESSION_LEVEL, Canvas, NO_FILTER, PALETTE, begin_file, chunk, encode_png, paint};
use super::shape::{Rgb, Shape, rectangle};
use super::style::BoardStyle;
use miniz_oxide::deflate::compress_to_vec_zlib;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use xiangqi::{Color, Piece, PieceKind};

/// The sizes of the images in an `.ico` file, in pixels.
const ICO_SIZES: [u32; 5] = [16, 32, 48, 64, 256];
/// The size of a piece with its shadow, in the units of shapes.
const UNITS: f64 = 50.0;
/// The height of the centre of the piece above that of the image: the shadow is below.
const RAISE: f64 = 0.8;
/// The size of the piece on a ground: systems cut a circle of four fifths out of it.
const SIZE_ON_GROUND: f64 = 0.74;
const GROUND: Rgb = Rgb(0xe8, 0xc9, 0x8f);
/// The most colours of a small file.
const MAX_COLOURS: usize = 110;

fn king() -> Vec<Shape> {
    board::piece(Piece::new(Color::Red, PieceKind::King), BoardStyle::default())
}

/// The icon as an `.ico` file.
pub fn icon() -> Vec<u8> {
    let images = ICO_SIZES.map(icon_png);
    let mut file = Vec::new();
    let mut put = |numbers: &[u16]| numbers.iter().for_each(|number| file.extend(number.to_le_bytes()));
    put(&[0, 1, images.len() as u16]);
    let mut offset = 6 + 16 * images.len();
    for (size, image) in ICO_SIZES.into_iter().zip(&images) {
        // A width and height of 256 are written as 0; one plane of 32 bits.
        let side = size as u8;
        put(&[u16::from_le_bytes([side, side]), 0, 1, 32]);
        for number in [image.len(), offset] {
            put(&[number as u16, (number >> 16) as u16]);
        }
        offset += image.len();
    }
    images.iter().for_each(|image| file.extend(image));
    file
}

/// The icon as a PNG file of this size in pixels.
fn icon_png(size: u32) -> Vec<u8> {
    encode_png(&painted(size, UNITS, None), size, size)
}

/// The icon on a ground that fills the square, as a small PNG file: without transparency, and with its most frequent colours
/// in the place of those nearby.
pub fn icon_on_ground(size: u32) -> Vec<u8> {
    let canvas = painted(size, UNITS / SIZE_ON_GROUND, Some(GROUND));
    let side = size as usize;
    let pixels =
        (0..side * side).map(|at| canvas.pixel(at % side, at / side)).map(|[red, green, blue, _]| [red, green, blue]);
    let pixels: Vec<[u8; 3]> = pixels.collect();
    let mut counts = BTreeMap::new();
    pixels.iter().for_each(|&colour| *counts.entry(colour).or_insert(0) += 1);
    let mut palette: Vec<[u8; 3]> = counts.keys().copied().collect();
    palette.sort_by_key(|colour| Reverse(counts[colour]));
    palette.truncate(MAX_COLOURS);
    let distance = |a: [u8; 3], b: [u8; 3]| -> u32 { (0..3).map(|at| u32::from(a[at].abs_diff(b[at])).pow(2)).sum() };
    let nearest = |&colour: &[u8; 3]| {
        let index = (0..palette.len()).min_by_key(|&index| distance(palette[index], colour)).unwrap_or_default();
        (colour, index as u8)
    };
    let numbers: BTreeMap<[u8; 3], u8> = counts.keys().map(nearest).collect();
    let rows = pixels.chunks(side);
    let rows: Vec<u8> =
        rows.flat_map(|row| [NO_FILTER].into_iter().chain(row.iter().map(|colour| numbers[colour]))).collect();
    let mut file = begin_file(size, size, PALETTE);
    chunk(&mut file, b"PLTE", palette.as_flattened());
    chunk(&mut file, b"IDAT", &compress_to_vec_zlib(&rows, COMPRESSION_LEVEL));
    chunk(&mut file, b"IEND", &[]);
    file
}

/// The king on a square canvas that is so many units wide.
fn painted(size: u32, units: f64, ground: Option<Rgb>) -> Canvas {
    let middle = units / 2.0;
    let mut canvas = Canvas::new(size, size, f64::from(size) / units, (middle, middle - RAISE));
    if let Some(colour) = ground {
        let square = rectangle((-middle, RAISE - middle), (units, units), 0.0);
        paint(&mut canvas, &[Shape::filled(square, colour)], (0, 0));
    }
    paint(&mut canvas, &king(), (0, 0));
    canvas
}

/// The icon as an SVG file.
///
/// ```
/// assert!(xiangqi_draw::icon_svg().starts_with("<svg"));
/// ```
pub fn icon_svg() -> String {
    let (middle, shapes) = (UNITS / 2.0, king());
    let gradients: String = shapes.iter().filter_map(Shape::gradient).map(|(_, element)| element).collect();
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"-{middle} {} {UNITS} {UNITS}\"><defs>{gradients}</defs>",
        RAISE - middle
    );
    shapes.iter().for_each(|shape| shape.write(&mut svg));
    svg + "</svg>\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn icon_on_ground_is_a_png_of_its_size_with_a_palette() {
        let file = icon_on_ground(192);
        assert_eq!(file[16..29], [0, 0, 0, 192, 0, 0, 0, 192, 8, 3, 0, 0, 0]);
        assert!(file.windows(4).any(|name| name == b"PLTE"));
    }

    #[test]
    fn icon_in_svg_defines_the_gradients_that_it_uses() {
        let svg = icon_svg();
        let used: Vec<&str> = svg.split("url(#").skip(1).filter_map(|rest| rest.split(')').next()).collect();
        assert!(!used.is_empty() && used.iter().all(|id| svg.contains(&format!("id=\"{id}\""))), "{svg}");
    }
}
