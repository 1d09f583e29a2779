//! Rasterises a picture and encodes it as PNG.

use super::board::{self, ArrowShape, BoardPicture, MARGIN, SIZE};
use super::shape::{Paint, Shape};
use miniz_oxide::deflate::compress_to_vec_zlib;
use zeno::{Cap, Mask, Placement, Stroke, Style, Transform};

/// The deflate level, from 0 to 10.
pub const COMPRESSION_LEVEL: u8 = 8;
/// The filter of a row: none. Flat colours compress best without one.
pub const NO_FILTER: u8 = 0;
/// The last bytes of a header: eight bits each of red, green, blue and alpha, or eight bits of a palette.
pub const RED_GREEN_BLUE_ALPHA: [u8; 5] = [8, 6, 0, 0, 0];
pub const PALETTE: [u8; 5] = [8, 3, 0, 0, 0];

impl BoardPicture<'_> {
    /// The picture as a PNG file of this width in pixels.
    pub fn png(&self, width: u32) -> Vec<u8> {
        let height = (f64::from(SIZE.1) * f64::from(width) / f64::from(SIZE.0)).round().max(1.0) as u32;
        encode_png(&painted(self, width, height), width, height)
    }
}

/// The painted picture.
pub fn painted(picture: &BoardPicture, width: u32, height: u32) -> Canvas {
    let scale = f64::from(width) / f64::from(SIZE.0);
    let mut canvas = Canvas::new(width, height, scale, (f64::from(MARGIN.0), f64::from(MARGIN.1)));
    let (here, palette) = ((0, 0), picture.style.board.palette());
    paint(&mut canvas, &board::board(palette), here);
    paint(&mut canvas, &board::signs(picture.style.coordinates, picture.flipped, palette.ink), here);
    if let Some([from, to]) = picture.last_squares() {
        paint(&mut canvas, &board::origin_marker(), from);
        paint(&mut canvas, &board::target_marker(), to);
    }
    picture.rings().for_each(|at| paint(&mut canvas, &[board::ring_marker()], at));
    picture.pieces().for_each(|(piece, at)| paint(&mut canvas, &board::piece(piece, picture.style), at));
    picture.arrows().for_each(|pointer| canvas.paint_arrow(&pointer.path(), &arrow_head(&pointer), &pointer));
    canvas
}

pub fn paint(canvas: &mut Canvas, shapes: &[Shape], (x, y): (i32, i32)) {
    shapes.iter().for_each(|shape| canvas.paint(shape, (f64::from(x), f64::from(y))));
}

/// The outline of an arrow head at its place.
fn arrow_head(pointer: &ArrowShape) -> String {
    let (dx, dy) = pointer.direction;
    let corner = |(x, y): (f64, f64)| {
        let (x, y) = (x * ArrowShape::WIDTH, y * ArrowShape::WIDTH);
        format!("{:.2} {:.2}", pointer.to.0 + x * dx - y * dy, pointer.to.1 + x * dy + y * dx)
    };
    format!("M{}Z", ArrowShape::HEAD_CORNERS.map(corner).join("L"))
}

/// Encodes the canvas as a PNG file (ISO/IEC 15948).
pub fn encode_png(canvas: &Canvas, width: u32, height: u32) -> Vec<u8> {
    let mut file = begin_file(width, height, RED_GREEN_BLUE_ALPHA);
    chunk(&mut file, b"IDAT", &compress_rows(canvas, (0, 0), canvas.size()));
    chunk(&mut file, b"IEND", &[]);
    file
}

/// The signature and the header of a PNG file.
pub fn begin_file(width: u32, height: u32, colours: [u8; 5]) -> Vec<u8> {
    let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
    let size = [width.to_be_bytes(), height.to_be_bytes()].concat();
    chunk(&mut file, b"IHDR", &[&size[..], &colours].concat());
    chunk(&mut file, b"tEXt", b"Software\0Chuhe");
    file
}

/// The compressed pixels of a rectangle.
pub fn compress_rows(canvas: &Canvas, (left, top): (usize, usize), (width, height): (usize, usize)) -> Vec<u8> {
    let mut rows = Vec::with_capacity((width * 4 + 1) * height);
    for y in top..top + height {
        rows.push(NO_FILTER);
        (left..left + width).for_each(|x| rows.extend(canvas.pixel(x, y)));
    }
    compress_to_vec_zlib(&rows, COMPRESSION_LEVEL)
}

pub fn chunk(file: &mut Vec<u8>, name: &[u8; 4], data: &[u8]) {
    let named = [&name[..], data].concat();
    file.extend((data.len() as u32).to_be_bytes());
    file.extend(&named);
    file.extend(crc32fast::hash(&named).to_be_bytes());
}

/// The coverage of each pixel by an outline, and where the mask is placed.
type Cover = (Vec<u8>, Placement);

/// The pixels painted so far.
pub struct Canvas {
    width: usize,
    height: usize,
    /// Pixels per unit of a shape.
    scale: f64,
    /// The origin of shapes on the canvas, in their units.
    origin: (f64, f64),
    /// Red, green and blue, premultiplied, and alpha.
    pixels: Vec<[u8; 4]>,
}

impl Canvas {
    pub fn new(width: u32, height: u32, scale: f64, origin: (f64, f64)) -> Canvas {
        let (width, height) = (width as usize, height as usize);
        Canvas { width, height, scale, origin, pixels: vec![[0; 4]; width * height] }
    }

    /// Paints a shape at an offset.
    pub fn paint(&mut self, shape: &Shape, (x, y): (f64, f64)) {
        let size = shape.scale as f32;
        let (x, y) = (x + shape.middle.0, y + shape.middle.1);
        let place = Transform::scale(size, size).then(&self.transform(x, y));
        if let Some(paint) = shape.fill {
            self.blend(&[rasterize(&shape.path, Style::default(), place)], paint, shape.opacity);
        }
        if let Some((colour, width)) = shape.stroke {
            let mut line = Stroke::new(width as f32);
            line.cap(Cap::Butt);
            self.blend(&[rasterize(&shape.path, line, place)], Paint::Plain(colour), shape.opacity);
        }
    }

    /// Paints an arrow's line and head as one.
    pub fn paint_arrow(&mut self, line: &str, head: &str, pointer: &ArrowShape) {
        let place = self.transform(0.0, 0.0);
        let mut brush = Stroke::new(ArrowShape::WIDTH as f32);
        brush.cap(Cap::Round);
        let both = [rasterize(line, brush, place), rasterize(head, Style::default(), place)];
        self.blend(&both, Paint::Plain(pointer.kind.colour()), ArrowShape::OPACITY);
    }

    /// The transformation from shape units around this place to pixels.
    fn transform(&self, x: f64, y: f64) -> Transform {
        let scale = self.scale as f32;
        let (x, y) = ((x + self.origin.0) * self.scale, (y + self.origin.1) * self.scale);
        Transform::scale(scale, scale).then_translate(x as f32, y as f32)
    }

    /// Blends a paint over the union of these masks.
    fn blend(&mut self, covers: &[Cover], paint: Paint, opacity: f64) {
        let Some((left, top, right, bottom)) = self.bounds(covers) else { return };
        for y in top..bottom {
            let colour = paint.colour_at(part_of_height(covers, y as i32));
            let over = [colour.0, colour.1, colour.2, u8::MAX];
            for x in left..right {
                let most = covers.iter().map(|cover| coverage_at(cover, x as i32, y as i32)).max().unwrap_or(0);
                if most == 0 {
                    continue;
                }
                let alpha = f32::from(most) / 255.0 * opacity as f32;
                let point = &mut self.pixels[y * self.width + x];
                for (part, over) in point.iter_mut().zip(over) {
                    *part = (f32::from(over) * alpha + f32::from(*part) * (1.0 - alpha)).round() as u8;
                }
            }
        }
    }

    /// The part of the canvas covered by these masks.
    fn bounds(&self, covers: &[Cover]) -> Option<(usize, usize, usize, usize)> {
        let inside = |value: i32, size: usize| usize::try_from(value).unwrap_or(0).min(size);
        let placements = || covers.iter().map(|(_, placement)| placement);
        Some((
            inside(placements().map(|it| it.left).min()?, self.width),
            inside(placements().map(|it| it.top).min()?, self.height),
            inside(placements().map(|it| it.left + it.width as i32).max()?, self.width),
            inside(placements().map(|it| it.top + it.height as i32).max()?, self.height),
        ))
    }

    pub fn size(&self) -> (usize, usize) {
        (self.width, self.height)
    }

    /// The red, green, blue and alpha of a pixel.
    pub fn pixel(&self, x: usize, y: usize) -> [u8; 4] {
        unpremultiply(self.pixels[y * self.width + x])
    }
}

/// The colour without premultiplied alpha.
fn unpremultiply([red, green, blue, alpha]: [u8; 4]) -> [u8; 4] {
    let pure = |part: u8| match alpha {
        0 | u8::MAX => part,
        _ => (f32::from(part) * 255.0 / f32::from(alpha)).round() as u8,
    };
    [pure(red), pure(green), pure(blue), alpha]
}

fn rasterize<'a>(path: &str, style: impl Into<Style<'a>>, place: Transform) -> Cover {
    Mask::new(path).style(style).transform(Some(place)).render()
}

/// Where a row of pixels is between the upper edge of these masks, 0, and the lower, 1.
fn part_of_height(covers: &[Cover], y: i32) -> f32 {
    let placement = covers.first().map(|(_, placement)| *placement).unwrap_or_default();
    ((y - placement.top) as f32 / placement.height.max(1) as f32).clamp(0.0, 1.0)
}

fn coverage_at((mask, placement): &Cover, x: i32, y: i32) -> u8 {
    let (x, y) = (x - placement.left, y - placement.top);
    let (width, height) = (placement.width as i32, placement.height as i32);
    if (0..width).contains(&x) && (0..height).contains(&y) { mask[(y * width + x) as usize] } else { 0 }
}
