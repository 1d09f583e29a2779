//! Points to paint shapes on.

use super::board::Pointer;
use super::shape::{Colour, Shape};
use zeno::{Cap, Mask, Placement, Stroke, Style, Transform};

/// How much of each point some outline covers, and where that is.
type Cover = (Vec<u8>, Placement);

/// Points with what has been painted so far.
pub struct Canvas {
    width: usize,
    height: usize,
    /// Points for one step of a shape.
    scale: f64,
    /// Where on the canvas shapes count from, in their steps.
    origin: (f64, f64),
    /// Red, green and blue as far as they cover, and how much that is.
    points: Vec<[u8; 4]>,
}

impl Canvas {
    pub fn new(width: u32, height: u32, scale: f64, origin: (f64, f64)) -> Canvas {
        let (width, height) = (width as usize, height as usize);
        Canvas { width, height, scale, origin, points: vec![[0; 4]; width * height] }
    }

    /// Paints a shape that is moved by so much.
    pub fn paint(&mut self, shape: &Shape, (x, y): (f64, f64)) {
        let turned = if shape.is_turned { -1.0 } else { 1.0 };
        let size = (shape.scale * turned) as f32;
        let (x, y) = (x + shape.middle.0, y + shape.middle.1);
        let place = Transform::scale(size, size).then(&self.place(x, y));
        if let Some(colour) = shape.fill {
            self.lay(&[cover(&shape.path, Style::default(), place)], colour, shape.opacity);
        }
        if let Some((colour, width)) = shape.line {
            let line = Stroke::new(width as f32);
            self.lay(&[cover(&shape.path, line, place)], colour, shape.opacity);
        }
    }

    /// Paints an arrow, its line and its head in one.
    pub fn point(&mut self, line: &str, head: &str, pointer: &Pointer) {
        let place = self.place(0.0, 0.0);
        let mut brush = Stroke::new(Pointer::WIDTH as f32);
        brush.cap(Cap::Round);
        let both = [cover(line, brush, place), cover(head, Style::default(), place)];
        self.lay(&both, pointer.kind.colour(), Pointer::OPACITY);
    }

    /// From steps around this place to points.
    fn place(&self, x: f64, y: f64) -> Transform {
        let scale = self.scale as f32;
        let (x, y) = ((x + self.origin.0) * self.scale, (y + self.origin.1) * self.scale);
        Transform::scale(scale, scale).then_translate(x as f32, y as f32)
    }

    /// Lays a colour over what any of these covers.
    fn lay(&mut self, covers: &[Cover], colour: Colour, opacity: f64) {
        let over = [colour.0, colour.1, colour.2, u8::MAX];
        let Some((left, top, right, bottom)) = self.around(covers) else { return };
        for y in top..bottom {
            for x in left..right {
                let most = covers.iter().map(|cover| covered(cover, x as i32, y as i32)).max().unwrap_or(0);
                if most == 0 {
                    continue;
                }
                let alpha = f32::from(most) / 255.0 * opacity as f32;
                let point = &mut self.points[y * self.width + x];
                for (part, over) in point.iter_mut().zip(over) {
                    *part = (f32::from(over) * alpha + f32::from(*part) * (1.0 - alpha)).round() as u8;
                }
            }
        }
    }

    /// The part of the canvas that any of these may cover.
    fn around(&self, covers: &[Cover]) -> Option<(usize, usize, usize, usize)> {
        let inside = |value: i32, size: usize| usize::try_from(value).unwrap_or(0).min(size);
        let placements = || covers.iter().map(|(_, placement)| placement);
        Some((
            inside(placements().map(|it| it.left).min()?, self.width),
            inside(placements().map(|it| it.top).min()?, self.height),
            inside(placements().map(|it| it.left + it.width as i32).max()?, self.width),
            inside(placements().map(|it| it.top + it.height as i32).max()?, self.height),
        ))
    }

    /// Red, green, blue and alpha of the points, row by row.
    pub fn rows(&self) -> impl Iterator<Item = impl Iterator<Item = u8>> {
        self.points.chunks_exact(self.width).map(|row| row.iter().copied().flat_map(pure))
    }
}

/// The colour of a point whatever it covers.
fn pure([red, green, blue, alpha]: [u8; 4]) -> [u8; 4] {
    let pure = |part: u8| match alpha {
        0 | u8::MAX => part,
        _ => (f32::from(part) * 255.0 / f32::from(alpha)).round() as u8,
    };
    [pure(red), pure(green), pure(blue), alpha]
}

fn cover<'a>(path: &str, style: impl Into<Style<'a>>, place: Transform) -> Cover {
    Mask::new(path).style(style).transform(Some(place)).render()
}

fn covered((mask, placement): &Cover, x: i32, y: i32) -> u8 {
    let (x, y) = (x - placement.left, y - placement.top);
    let (width, height) = (placement.width as i32, placement.height as i32);
    if (0..width).contains(&x) && (0..height).contains(&y) { mask[(y * width + x) as usize] } else { 0 }
}
