//! What pictures are made of: outlines that are filled, drawn along, or both. The same list of shapes becomes SVG and
//! the points of a PNG.

use std::fmt::{self, Display, Write};

/// Red, green and blue.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rgb(pub u8, pub u8, pub u8);

impl Display for Rgb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{:02x}{:02x}{:02x}", self.0, self.1, self.2)
    }
}

#[derive(Clone, Debug)]
pub struct Shape {
    /// The outline in the words of an SVG path, around a middle of its own.
    pub path: String,
    /// What it is filled with.
    pub fill: Option<Rgb>,
    /// What is drawn along it, and how wide.
    pub stroke: Option<(Rgb, f64)>,
    /// 1: nothing shines through.
    pub opacity: f64,
    /// Where its middle stands.
    pub middle: (f64, f64),
    /// How large it is.
    pub scale: f64,
    /// It stands on its head.
    pub rotated: bool,
}

impl Shape {
    fn new(path: String) -> Shape {
        let middle = (0.0, 0.0);
        Shape { path, fill: None, stroke: None, opacity: 1.0, middle, scale: 1.0, rotated: false }
    }

    pub fn filled(path: String, colour: Rgb) -> Shape {
        Shape { fill: Some(colour), ..Shape::new(path) }
    }

    /// A line along an outline.
    pub fn stroked(path: String, colour: Rgb, width: f64) -> Shape {
        Shape { stroke: Some((colour, width)), ..Shape::new(path) }
    }

    /// The same with its middle elsewhere.
    pub fn at(self, x: f64, y: f64) -> Shape {
        Shape { middle: (x, y), ..self }
    }

    /// As an element of an SVG.
    pub fn write(&self, svg: &mut String) {
        let _ = write!(svg, "<path d=\"{}\"", self.path);
        let _ = match self.fill {
            Some(colour) => write!(svg, " fill=\"{colour}\""),
            None => write!(svg, " fill=\"none\""),
        };
        if let Some((colour, width)) = self.stroke {
            let _ = write!(svg, " stroke=\"{colour}\" stroke-width=\"{width}\"");
        }
        if self.opacity < 1.0 {
            let _ = write!(svg, " opacity=\"{}\"", self.opacity);
        }
        let mut place = String::new();
        if self.middle != (0.0, 0.0) {
            let _ = write!(place, " translate({} {})", self.middle.0, self.middle.1);
        }
        if self.rotated {
            place.push_str(" rotate(180)");
        }
        if self.scale != 1.0 {
            let _ = write!(place, " scale({})", self.scale);
        }
        if !place.is_empty() {
            let _ = write!(svg, " transform=\"{}\"", place.trim_start());
        }
        svg.push_str("/>");
    }
}

/// A rectangle with these corners, by their radius round.
pub fn rectangle((left, top): (f64, f64), (width, height): (f64, f64), radius: f64) -> String {
    let (across, down) = (width - 2.0 * radius, height - 2.0 * radius);
    if radius == 0.0 {
        return format!("M{left} {top}h{width}v{height}h{}z", -width);
    }
    let corner = |x: f64, y: f64| format!("a{radius} {radius} 0 0 1 {x} {y}");
    format!(
        "M{} {top}h{across}{}v{down}{}h{}{}v{}{}z",
        left + radius,
        corner(radius, radius),
        corner(-radius, radius),
        -across,
        corner(-radius, -radius),
        -down,
        corner(radius, -radius)
    )
}

/// A circle around the middle.
pub fn circle(radius: f64) -> String {
    let (left, across) = (-radius, 2.0 * radius);
    format!("M{left} 0a{radius} {radius} 0 1 0 {across} 0a{radius} {radius} 0 1 0 {} 0z", -across)
}
