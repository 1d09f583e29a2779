//! Positions and lines, written briefly.

use xiangqi::{Move, Piece, Position, Setup};

pub fn moves(text: &str) -> Vec<Move> {
    text.split_whitespace().map(|mv| mv.parse().expect("a move")).collect()
}

/// The position after a line, which must be legal.
pub fn played_out(start: &Position, line: &[Move]) -> Position {
    let mut position = start.clone();
    line.iter().for_each(|&mv| position.play(mv).unwrap_or_else(|error| panic!("{start} {line:?}: {error}")));
    position
}

/// The position after these moves of the usual start.
pub fn after(text: &str) -> Position {
    played_out(&Position::start(), &moves(text))
}

/// A position from a FEN, or from pieces with their squares, red to move.
pub fn placed(text: &str) -> Position {
    if text.contains('/') {
        return Position::from_fen(text).expect("a position");
    }
    let mut setup = Setup::empty();
    for text in text.split_whitespace() {
        let (letter, square) = text.split_at(1);
        let piece = letter.chars().next().and_then(Piece::from_letter).expect("a piece");
        setup.place(piece, square.parse().expect("a square"));
    }
    Position::try_from(setup).expect(text)
}

/// Pieces and side of a position.
pub fn board(position: &Position) -> String {
    position.fen().split(' ').take(2).collect::<Vec<_>>().join(" ")
}
