//! Shapes: outlines that are filled, stroked, or both. The same list of shapes becomes SVG or PNG.

use std::fmt::{self, Display, Write};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rgb(pub u8, pub u8, pub u8);

impl Display for Rgb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{:02x}{:02x}{:02x}", self.0, self.1, self.2)
    }
}

#[derive(Clone, Debug)]
pub struct Shape {
    /// The outline as SVG path data, relative to its centre.
    pub path: String,
    /// The fill colour.
    pub fill: Option<Rgb>,
    /// The stroke colour and width.
    pub stroke: Option<(Rgb, f64)>,
    /// 1 = opaque.
    pub opacity: f64,
    /// The position of its centre.
    pub middle: (f64, f64),
    /// The scale factor.
    pub scale: f64,
    /// Rotated by 180°.
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

    /// A stroked outline.
    pub fn stroked(path: String, colour: Rgb, width: f64) -> Shape {
        Shape { stroke: Some((colour, width)), ..Shape::new(path) }
    }

    /// The same shape with another centre.
    pub fn at(self, x: f64, y: f64) -> Shape {
        Shape { middle: (x, y), ..self }
    }

    /// Writes the shape as an SVG element.
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

/// A rectangle with rounded corners.
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

/// A circle around the origin.
pub fn circle(radius: f64) -> String {
    let (left, across) = (-radius, 2.0 * radius);
    format!("M{left} 0a{radius} {radius} 0 1 0 {across} 0a{radius} {radius} 0 1 0 {} 0z", -across)
}
