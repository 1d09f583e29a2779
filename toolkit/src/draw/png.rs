//! A picture as points: PNG.

use super::board::{self, EDGE, Picture, Pointer, SIZE};
use super::canvas::Canvas;
use super::shape::Shape;
use miniz_oxide::deflate::compress_to_vec_zlib;

/// Of 10: how hard the points are packed.
const PACKING: u8 = 8;

impl Picture<'_> {
    /// As a PNG file that is so many points wide.
    pub fn png(&self, width: u32) -> Vec<u8> {
        let scale = f64::from(width) / f64::from(SIZE.0);
        let height = (f64::from(SIZE.1) * scale).round().max(1.0) as u32;
        let mut canvas = Canvas::new(width, height, scale, (f64::from(EDGE), f64::from(EDGE)));
        let here = (0, 0);
        paint(&mut canvas, &board::board(self.flipped), here);
        self.last_squares().for_each(|at| paint(&mut canvas, &[board::last_mark()], at));
        self.rings().for_each(|at| paint(&mut canvas, &[board::ring_mark()], at));
        self.pieces().for_each(|(piece, at)| paint(&mut canvas, &board::piece(piece), at));
        self.pointers().for_each(|pointer| canvas.point(&pointer.line(), &head(&pointer), &pointer));
        packed(&canvas, width, height)
    }
}

fn paint(canvas: &mut Canvas, shapes: &[Shape], (x, y): (i32, i32)) {
    shapes.iter().for_each(|shape| canvas.paint(shape, (f64::from(x), f64::from(y))));
}

/// The head of an arrow where it points to.
fn head(pointer: &Pointer) -> String {
    let (dx, dy) = pointer.ahead;
    let corner = |(x, y): (f64, f64)| {
        let (x, y) = (x * Pointer::WIDTH, y * Pointer::WIDTH);
        format!("{:.2} {:.2}", pointer.to.0 + x * dx - y * dy, pointer.to.1 + x * dy + y * dx)
    };
    format!("M{}Z", Pointer::HEAD.map(corner).join("L"))
}

/// What was painted as a PNG file (ISO/IEC 15948).
fn packed(canvas: &Canvas, width: u32, height: u32) -> Vec<u8> {
    const EIGHT_BITS_RED_GREEN_BLUE_ALPHA: [u8; 5] = [8, 6, 0, 0, 0];
    // Flat colours pack best as they are.
    const NO_FILTER: u8 = 0;
    let mut rows = Vec::with_capacity((width as usize * 4 + 1) * height as usize);
    for row in canvas.rows() {
        rows.push(NO_FILTER);
        rows.extend(row);
    }
    let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
    let size = [width.to_be_bytes(), height.to_be_bytes()].concat();
    chunk(&mut file, b"IHDR", &[&size[..], &EIGHT_BITS_RED_GREEN_BLUE_ALPHA].concat());
    chunk(&mut file, b"tEXt", b"Software\0Chuhe");
    chunk(&mut file, b"IDAT", &compress_to_vec_zlib(&rows, PACKING));
    chunk(&mut file, b"IEND", &[]);
    file
}

fn chunk(file: &mut Vec<u8>, name: &[u8; 4], data: &[u8]) {
    let named = [&name[..], data].concat();
    file.extend((data.len() as u32).to_be_bytes());
    file.extend(&named);
    file.extend(crc32fast::hash(&named).to_be_bytes());
}
