//! Shapes: outlines that are filled, stroked, or both. The same list of shapes becomes SVG or PNG.

use std::fmt::{self, Display, Write};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rgb(pub u8, pub u8, pub u8);

impl Display for Rgb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{:02x}{:02x}{:02x}", self.0, self.1, self.2)
    }
}

/// What an outline is filled with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Paint {
    Plain(Rgb),
    /// From the first colour at its upper edge to the second at its lower edge.
    Gradient(Rgb, Rgb),
}

impl Paint {
    /// The colour at a part of the height, 0 = upper edge.
    pub fn colour_at(self, part: f32) -> Rgb {
        let mix = |from: u8, to: u8| (f32::from(from) + (f32::from(to) - f32::from(from)) * part).round() as u8;
        match self {
            Paint::Plain(colour) => colour,
            Paint::Gradient(from, to) => Rgb(mix(from.0, to.0), mix(from.1, to.1), mix(from.2, to.2)),
        }
    }
}

impl Display for Paint {
    /// As the value of an SVG attribute.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Paint::Plain(colour) => colour.fmt(f),
            Paint::Gradient(from, to) => write!(f, "url(#{})", gradient_id(*from, *to)),
        }
    }
}

/// The name of the definition of a gradient in SVG.
fn gradient_id(from: Rgb, to: Rgb) -> String {
    format!("shade-{from}-{to}").replace('#', "")
}

#[derive(Clone, Debug)]
pub struct Shape {
    /// The class in SVG, by which a page may colour it; empty if there is none.
    pub class: &'static str,
    /// The outline as SVG path data, relative to its centre.
    pub path: String,
    pub fill: Option<Paint>,
    /// The stroke colour and width.
    pub stroke: Option<(Rgb, f64)>,
    /// 1 = opaque.
    pub opacity: f64,
    /// The position of its centre.
    pub middle: (f64, f64),
    /// The scale factor.
    pub scale: f64,
}

impl Shape {
    fn new(path: String) -> Shape {
        let middle = (0.0, 0.0);
        Shape { class: "", path, fill: None, stroke: None, opacity: 1.0, middle, scale: 1.0 }
    }

    pub fn filled(path: String, colour: Rgb) -> Shape {
        Shape { fill: Some(Paint::Plain(colour)), ..Shape::new(path) }
    }

    /// Filled from one colour at the top to another at the bottom.
    pub fn shaded(path: String, from: Rgb, to: Rgb) -> Shape {
        Shape { fill: Some(Paint::Gradient(from, to)), ..Shape::new(path) }
    }

    /// A stroked outline.
    pub fn stroked(path: String, colour: Rgb, width: f64) -> Shape {
        Shape { stroke: Some((colour, width)), ..Shape::new(path) }
    }

    /// The same shape with another centre.
    pub fn at(self, x: f64, y: f64) -> Shape {
        Shape { middle: (x, y), ..self }
    }

    pub fn with_class(self, class: &'static str) -> Shape {
        Shape { class, ..self }
    }

    pub fn with_opacity(self, opacity: f64) -> Shape {
        Shape { opacity, ..self }
    }

    /// The gradient that it is filled with, as an SVG definition with its name.
    pub fn gradient(&self) -> Option<(String, String)> {
        let Some(Paint::Gradient(from, to)) = self.fill else { return None };
        let id = gradient_id(from, to);
        let element = format!(
            "<linearGradient id=\"{id}\" x2=\"0\" y2=\"1\"><stop stop-color=\"{from}\"/>\
             <stop offset=\"1\" stop-color=\"{to}\"/></linearGradient>"
        );
        Some((id, element))
    }

    /// Writes the shape as an SVG element.
    pub fn write(&self, svg: &mut String) {
        let _ = write!(svg, "<path d=\"{}\"", self.path);
        if !self.class.is_empty() {
            let _ = write!(svg, " class=\"{}\"", self.class);
        }
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
