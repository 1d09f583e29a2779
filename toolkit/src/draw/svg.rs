//! A picture as SVG.
//!
//! Each kind of piece is defined once, as a group named after its FEN letter (`piece-R`), so that a script can place
//! the pieces of a later position on the same board. The board from red's and black's side (`board-red`,
//! `board-black`), the last-move marker (`mark-last`), the ring (`mark-ring`) and the arrow heads (`head-best`,
//! `head-other`, `head-bad`) are also definitions.

use super::board::{self, ArrowKind, ArrowShape, BoardPicture, MARGIN, SIZE};
use super::shape::Shape;
use chuhe_engine::types::{Color, Piece, PieceKind};
use std::fmt::Write;

impl BoardPicture<'_> {
    pub fn svg(&self) -> String {
        self.svg_with_defs(&definitions())
    }

    /// The same for a page that already holds another picture, whose definitions it uses.
    pub fn svg_sharing_defs(&self) -> String {
        self.svg_with_defs("")
    }

    fn svg_with_defs(&self, definitions: &str) -> String {
        let (width, height) = SIZE;
        let side = if self.flipped { "black" } else { "red" };
        format!(
            "<svg class=\"board\" xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"{0} {0} {width} {height}\" role=\"img\" aria-label=\"{1}\">{definitions}\
             <use class=\"wood\" href=\"#board-{side}\"/><g class=\"marks\">{2}</g><g class=\"pieces\">{3}</g>\
             <g class=\"arrows\">{4}</g></svg>",
            -MARGIN,
            self.position.fen(),
            self.last_squares().map(|at| use_element("mark-last", at)).collect::<String>()
                + &self.rings().map(|at| use_element("mark-ring", at)).collect::<String>(),
            self.piece_uses(),
            self.arrows().map(arrow_svg).collect::<String>()
        )
    }

    /// The pieces as references to their definitions.
    fn piece_uses(&self) -> String {
        self.pieces().map(|(piece, at)| use_element(&format!("piece-{}", piece.letter()), at)).collect()
    }
}

fn use_element(name: &str, (x, y): (i32, i32)) -> String {
    format!("<use href=\"#{name}\" x=\"{x}\" y=\"{y}\"/>")
}

fn arrow_svg(pointer: ArrowShape) -> String {
    format!(
        "<path class=\"arrow\" d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\" stroke-linecap=\"round\" \
         opacity=\"{}\" marker-end=\"url(#head-{})\"/>",
        pointer.path(),
        pointer.kind.colour(),
        ArrowShape::WIDTH,
        ArrowShape::OPACITY,
        pointer.kind.name()
    )
}

/// The definitions: the board from either side, the pieces, the markers, the arrow heads.
fn definitions() -> String {
    let mut svg = String::from("<defs>");
    for (side, flipped) in [("red", false), ("black", true)] {
        define(&mut svg, &format!("board-{side}"), &board::board(flipped));
    }
    for piece in Color::ALL.into_iter().flat_map(|color| PieceKind::ALL.map(|kind| Piece::new(color, kind))) {
        define(&mut svg, &format!("piece-{}", piece.letter()), &board::piece(piece));
    }
    define(&mut svg, "mark-last", &[board::last_move_marker()]);
    define(&mut svg, "mark-ring", &[board::ring_marker()]);
    let corners = ArrowShape::HEAD_CORNERS.map(|(x, y)| format!("{x} {y}")).join("L");
    for kind in ArrowKind::ALL {
        let _ = write!(
            svg,
            "<marker id=\"head-{}\" viewBox=\"-3 -3 6 6\" markerWidth=\"6\" markerHeight=\"6\" orient=\"auto\">\
             <path d=\"M{corners}Z\" fill=\"{}\"/></marker>",
            kind.name(),
            kind.colour()
        );
    }
    svg.push_str("</defs>");
    svg
}

fn define(svg: &mut String, name: &str, shapes: &[Shape]) {
    let _ = write!(svg, "<g id=\"{name}\">");
    shapes.iter().for_each(|shape| shape.write(svg));
    svg.push_str("</g>");
}

#[cfg(test)]
mod tests {
    use super::*;
    use chuhe_engine::board::Position;

    #[test]
    fn svg_places_pieces_on_their_squares() {
        let position = Position::start();
        let mut picture = BoardPicture::new(&position);
        let svg = picture.piece_uses();
        assert_eq!(svg.matches("<use ").count(), 32);
        // The red rook on a0 at the lower left, the black king on e9 at the top.
        assert!(svg.contains("<use href=\"#piece-R\" x=\"0\" y=\"450\"/>"), "{svg}");
        assert!(svg.contains("<use href=\"#piece-k\" x=\"200\" y=\"0\"/>"), "{svg}");
        picture.flipped = true;
        let svg = picture.piece_uses();
        assert!(svg.contains("<use href=\"#piece-R\" x=\"400\" y=\"0\"/>"), "{svg}");
        assert!(svg.contains("<use href=\"#piece-k\" x=\"200\" y=\"450\"/>"), "{svg}");
    }

    #[test]
    fn corner_marks_at_the_edge_are_halved() {
        let position = Position::start();
        let svg = BoardPicture::new(&position).svg();
        let corners: usize = ["M45 86V95H36", "M55 114V105H64", "M5 136V145H14", "M395 164V155H386"]
            .map(|corner| svg.matches(corner).count())
            .iter()
            .sum();
        assert_eq!(corners, 8, "on the board from either side");
        assert!(!svg.contains("M-5 136V"), "no corner leaves the board");
    }
}
