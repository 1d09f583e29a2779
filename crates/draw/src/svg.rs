//! A picture as SVG.
//!
//! Each kind of piece is defined once, as a group named after its FEN letter (`piece-R`), so that a script can place
//! the pieces of a later position on the same board. The board from red's and black's side (`board-red`,
//! `board-black`), the markers of the last move (`mark-from`, `mark-to`), the ring (`mark-ring`) and the arrow heads
//! (`head-best`, `head-other`, `head-bad`) are also definitions.
//!
//! A picture with all choices has every set of pieces and of coordinates in its definitions, with the classes
//! `set-wood`, `round`, `coordinates-chinese` and so on: the page that shows it hides all but one of each.

use super::board::{self, ArrowKind, ArrowShape, BoardPicture, MARGIN, SIZE};
use super::glyphs::simplified_glyph;
use super::shape::Shape;
use super::style::{BoardStyle, Coordinates, PieceSet};
use std::fmt::Write;
use xiangqi::{Color, Piece, PieceKind};

impl BoardPicture<'_> {
    /// The picture as a complete SVG file.
    pub fn svg(&self) -> String {
        let mut definitions = Definitions::default();
        definitions.add_pieces(self.style);
        definitions.add_boards(self.style, &[self.style.coordinates]);
        self.svg_with_defs(&definitions.finish())
    }

    /// The same with the definitions of every style.
    pub fn svg_with_choices(&self) -> String {
        let mut definitions = Definitions::default();
        definitions.add_all_pieces();
        definitions.add_boards(self.style, &[Coordinates::Chinese, Coordinates::Letters]);
        self.svg_with_defs(&definitions.finish())
    }

    /// The same for a page that already holds another picture, whose definitions it uses.
    pub fn svg_sharing_defs(&self) -> String {
        self.svg_with_defs("")
    }

    fn svg_with_defs(&self, definitions: &str) -> String {
        let (width, height) = SIZE;
        let side = if self.flipped { "black" } else { "red" };
        let last = self.last_squares().map(|[from, to]| use_element("mark-from", from) + &use_element("mark-to", to));
        format!(
            "<svg class=\"board\" xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"{0} {1} {width} {height}\" role=\"img\" aria-label=\"{2}\">{definitions}\
             <use class=\"wood\" href=\"#board-{side}\"/><g class=\"marks\">{3}</g><g class=\"pieces\">{4}</g>\
             <g class=\"arrows\">{5}</g></svg>",
            -MARGIN.0,
            -MARGIN.1,
            self.position.fen(),
            last.unwrap_or_default() + &self.rings().map(|at| use_element("mark-ring", at)).collect::<String>(),
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

/// The definitions of a picture: gradients, pieces, the board from either side, markers, arrow heads.
#[derive(Default)]
struct Definitions {
    svg: String,
    /// The names of the gradients that are defined.
    gradients: Vec<String>,
}

impl Definitions {
    fn add_pieces(&mut self, style: BoardStyle) {
        for piece in all_pieces() {
            let body = self.draw(&board::piece(piece, style));
            self.add(&format!("piece-{}", piece.letter()), &body);
        }
    }

    /// The pieces of every set. The discs are definitions of their own: all pieces of a side have the same.
    fn add_all_pieces(&mut self) {
        // Those with simplified characters have the discs of the others.
        let sets = [PieceSet::Wood, PieceSet::Flat, PieceSet::Letters];
        for set in sets {
            for (name, color, is_octagon) in
                [("red", Color::Red, false), ("black", Color::Black, false), ("octagon", Color::Black, true)]
            {
                let body = self.draw(&board::disc(set, color, is_octagon));
                self.add(&format!("{}-{name}", set.name()), &body);
            }
        }
        for piece in all_pieces() {
            let mut body = String::new();
            for set in sets.map(PieceSet::name) {
                let _ = match piece.color() {
                    Color::Black => write!(
                        body,
                        "<g class=\"set-{set}\"><use class=\"round\" href=\"#{set}-black\"/>\
                         <use class=\"octagon\" href=\"#{set}-octagon\"/></g>"
                    ),
                    Color::Red => write!(body, "<g class=\"set-{set}\"><use href=\"#{set}-red\"/></g>"),
                };
            }
            let sign = |set: PieceSet, class| board::sign(piece, set).with_class(class);
            let mut signs = vec![sign(PieceSet::Letters, "set-letters")];
            if simplified_glyph(piece).is_some() {
                signs.extend([sign(PieceSet::Wood, "traditional"), sign(PieceSet::Simplified, "simplified")]);
            } else {
                signs.push(sign(PieceSet::Wood, "character"));
            }
            body += &self.draw(&signs);
            self.add(&format!("piece-{}", piece.letter()), &body);
        }
    }

    fn add_boards(&mut self, style: BoardStyle, systems: &[Coordinates]) {
        let palette = style.board.palette();
        for (side, flipped) in [("red", false), ("black", true)] {
            let mut body = self.draw(&board::board(palette));
            for &system in systems.iter().filter(|&&system| system != Coordinates::None) {
                let signs = self.draw(&board::signs(system, flipped, palette.ink));
                let _ = write!(body, "<g class=\"coordinates-{}\">{signs}</g>", system.name());
            }
            self.add(&format!("board-{side}"), &body);
        }
    }

    /// With the markers and the arrow heads, which are the same in all styles.
    fn finish(mut self) -> String {
        let markers: [(&str, &[Shape]); 3] = [
            ("mark-from", &board::origin_marker()),
            ("mark-to", &board::target_marker()),
            ("mark-ring", &[board::ring_marker()]),
        ];
        for (name, shapes) in markers {
            let body = self.draw(shapes);
            self.add(name, &body);
        }
        let corners = ArrowShape::HEAD_CORNERS.map(|(x, y)| format!("{x} {y}")).join("L");
        for kind in ArrowKind::ALL {
            let _ = write!(
                self.svg,
                "<marker id=\"head-{}\" viewBox=\"-3 -3 6 6\" markerWidth=\"6\" markerHeight=\"6\" orient=\"auto\">\
                 <path d=\"M{corners}Z\" fill=\"{}\"/></marker>",
                kind.name(),
                kind.colour()
            );
        }
        format!("<defs>{}</defs>", self.svg)
    }

    fn add(&mut self, name: &str, body: &str) {
        let _ = write!(self.svg, "<g id=\"{name}\">{body}</g>");
    }

    /// The shapes as SVG; the gradients that they need are defined.
    fn draw(&mut self, shapes: &[Shape]) -> String {
        let mut body = String::new();
        for shape in shapes {
            if let Some((id, element)) = shape.gradient().filter(|(id, _)| !self.gradients.contains(id)) {
                self.svg += &element;
                self.gradients.push(id);
            }
            shape.write(&mut body);
        }
        body
    }
}

fn all_pieces() -> impl Iterator<Item = Piece> {
    Color::ALL.into_iter().flat_map(|color| PieceKind::ALL.map(|kind| Piece::new(color, kind)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use xiangqi::Position;

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

    #[test]
    fn simplified_characters_differ_for_kings_horses_rooks_and_the_cannons_of_black() {
        let position = Position::start();
        let drawn = |pieces: PieceSet| {
            let style = BoardStyle { pieces, ..BoardStyle::default() };
            BoardPicture { style, ..BoardPicture::new(&position) }.svg()
        };
        let (simplified, traditional) = (drawn(PieceSet::Simplified), drawn(PieceSet::Wood));
        let definition = |svg: &str, letter: char| {
            let behind = svg.split(&format!("id=\"piece-{letter}\"")).nth(1).expect("a piece").to_string();
            behind.split("</g>").next().map(str::to_string)
        };
        let differs = |letter: &char| definition(&simplified, *letter) != definition(&traditional, *letter);
        assert_eq!("KABNRCPkabnrcp".chars().filter(differs).collect::<String>(), "KNRknrc");
        assert_eq!(BoardPicture::new(&position).svg_with_choices().matches("class=\"simplified\"").count(), 7);
    }

    #[test]
    fn svg_defines_what_it_refers_to() {
        let position = Position::start();
        let picture = BoardPicture::new(&position);
        for svg in [picture.svg(), picture.svg_with_choices()] {
            for opening in ["href=\"#", "url(#"] {
                for name in svg.split(opening).skip(1).filter_map(|rest| rest.split(['"', ')']).next()) {
                    assert_eq!(svg.matches(&format!("id=\"{name}\"")).count(), 1, "{name}");
                }
            }
        }
    }

    #[test]
    fn one_system_of_coordinates_is_drawn() {
        let position = Position::start();
        let drawn = |coordinates| {
            let style = BoardStyle { coordinates, ..BoardStyle::default() };
            let svg = BoardPicture { style, ..BoardPicture::new(&position) }.svg();
            [Coordinates::Chinese, Coordinates::Letters]
                .map(|system| svg.contains(&format!("class=\"coordinates-{}\"", system.name())))
        };
        assert_eq!(drawn(Coordinates::Chinese), [true, false]);
        assert_eq!(drawn(Coordinates::Letters), [false, true]);
        assert_eq!(drawn(Coordinates::None), [false, false]);
    }
}
