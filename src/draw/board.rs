//! A position as SVG: the board with its river and palaces, the pieces as players know them.
//!
//! Each kind of piece is drawn once, as a symbol that is named after its letter in FEN (`piece-R`), so that a script
//! can set the pieces of a later position on the same board: file f, rank r at x = 40 + 50 f, y = 40 + 50 (9 − r).

use crate::board::Position;
use crate::types::{Color, Move, Piece, PieceKind, Square};
use std::fmt::Write;

/// From line to line.
const STEP: i32 = 50;
/// From the edge of the picture to the first line.
const EDGE: i32 = 40;
/// The size of the picture.
const SIZE: (i32, i32) = (2 * EDGE + 8 * STEP, 2 * EDGE + 9 * STEP);

fn x(file: i32) -> i32 {
    EDGE + STEP * file
}

fn y(rank: i32) -> i32 {
    EDGE + STEP * (9 - rank)
}

/// The whole picture: board, coordinates, the last move if one is given, and the pieces.
pub fn board(position: &Position, last: Option<Move>) -> String {
    let (width, height) = SIZE;
    let mut svg = format!(
        "<svg class=\"board\" xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"'Noto Serif CJK SC','Noto Serif SC','Songti SC',KaiTi,SimSun,serif\" text-anchor=\"middle\">"
    );
    svg.push_str("<defs>");
    for piece in Color::ALL.into_iter().flat_map(|color| PieceKind::ALL.map(|kind| Piece::new(color, kind))) {
        svg.push_str(&symbol(piece));
    }
    svg.push_str("</defs>");
    let _ = write!(svg, "<rect width=\"{width}\" height=\"{height}\" rx=\"6\" fill=\"#f2d6a2\"/>");
    lines(&mut svg);
    coordinates(&mut svg);
    svg.push_str("<g class=\"marks\">");
    for square in last.into_iter().flat_map(|mv| [mv.from(), mv.to()]) {
        let (x, y) = (x(square.file().into()) - 23, y(square.rank().into()) - 23);
        let _ = write!(
            svg,
            "<rect x=\"{x}\" y=\"{y}\" width=\"46\" height=\"46\" rx=\"8\" fill=\"#7fae5c\" opacity=\".55\"/>"
        );
    }
    let _ = write!(svg, "</g><g class=\"pieces\">{}</g></svg>", pieces(position));
    svg
}

/// The pieces alone, each a reference to its symbol.
pub fn pieces(position: &Position) -> String {
    let mut svg = String::new();
    for square in Square::all().filter(|&square| position.piece_at(square).is_piece()) {
        let letter = position.piece_at(square).letter();
        let (x, y) = (x(square.file().into()), y(square.rank().into()));
        let _ = write!(svg, "<use href=\"#piece-{letter}\" x=\"{x}\" y=\"{y}\"/>");
    }
    svg
}

fn symbol(piece: Piece) -> String {
    let colour = if piece.color() == Some(Color::Red) { "#b3261e" } else { "#1d2733" };
    format!(
        "<g id=\"piece-{}\"><circle r=\"22\" fill=\"#fbf1dc\" stroke=\"{colour}\" stroke-width=\"1.5\"/>\
         <circle r=\"18.5\" fill=\"none\" stroke=\"{colour}\"/>\
         <text y=\"9\" font-size=\"25\" font-weight=\"600\" fill=\"{colour}\">{}</text></g>",
        piece.letter(),
        traditional(piece)
    )
}

/// The character that stands on the piece itself, which is the traditional one on either side.
fn traditional(piece: Piece) -> char {
    match piece.chinese() {
        '帅' => '帥',
        '将' => '將',
        '马' if piece.color() == Some(Color::Red) => '傌',
        '马' => '馬',
        '车' if piece.color() == Some(Color::Red) => '俥',
        '车' => '車',
        '炮' if piece.color() == Some(Color::Black) => '砲',
        other => other,
    }
}

fn lines(svg: &mut String) {
    let mut path = String::new();
    for rank in 0..10 {
        let _ = write!(path, "M{} {}H{}", x(0), y(rank), x(8));
    }
    for file in 0..9 {
        if matches!(file, 0 | 8) {
            let _ = write!(path, "M{} {}V{}", x(file), y(0), y(9));
        } else {
            let _ = write!(path, "M{0} {1}V{2}M{0} {3}V{4}", x(file), y(0), y(4), y(5), y(9));
        }
    }
    for home in [0, 7] {
        let (bottom, top) = (y(home), y(home + 2));
        let _ = write!(path, "M{0} {bottom}L{1} {top}M{0} {top}L{1} {bottom}", x(3), x(5));
    }
    let _ = write!(svg, "<path d=\"{path}\" fill=\"none\" stroke=\"#5c3d17\"/>");
    let (left, top, width, height) = (x(0) - 5, y(9) - 5, 8 * STEP + 10, 9 * STEP + 10);
    let _ = write!(
        svg,
        "<rect x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" fill=\"none\" stroke=\"#5c3d17\" \
         stroke-width=\"2\"/>"
    );
    for (file, words) in [(2, "楚 河"), (6, "漢 界")] {
        let _ = write!(
            svg,
            "<text x=\"{}\" y=\"{}\" font-size=\"28\" fill=\"#5c3d17\" opacity=\".8\">{words}</text>",
            x(file),
            y(4) - STEP / 2 + 10
        );
    }
}

fn coordinates(svg: &mut String) {
    svg.push_str("<g font-family=\"sans-serif\" font-size=\"12\" fill=\"#5c3d17\">");
    for (file, letter) in (0..).zip('a'..='i') {
        let _ = write!(svg, "<text x=\"{}\" y=\"{}\">{letter}</text>", x(file), SIZE.1 - 4);
    }
    for rank in 0..10 {
        let _ = write!(svg, "<text x=\"8\" y=\"{}\">{rank}</text>", y(rank) + 4);
    }
    svg.push_str("</g>");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_piece_stands_where_it_should() {
        let position = Position::start();
        let svg = pieces(&position);
        assert_eq!(svg.matches("<use ").count(), 32);
        // The red rook on a0 at the lower left, the black general on e9 at the top.
        assert!(svg.contains("<use href=\"#piece-R\" x=\"40\" y=\"490\"/>"), "{svg}");
        assert!(svg.contains("<use href=\"#piece-k\" x=\"240\" y=\"40\"/>"), "{svg}");
        let whole = board(&position, "h2e2".parse().ok());
        assert_eq!(whole.matches("<g id=\"piece-").count(), 14);
        assert_eq!(whole.matches("opacity=\".55\"").count(), 2);
        assert_eq!(whole.matches("<g").count(), whole.matches("</g>").count());
    }
}
