//! Boards as piece lists, the form used by the older binary formats.

use chuhe_base::language::tr;
use thiserror::Error;
use xiangqi::{Color, FenError, Piece, Position, Square};

/// The order of the pieces in those formats, red and then black.
const PIECE_SLOTS: [char; 32] = [
    'R', 'N', 'B', 'A', 'K', 'A', 'B', 'N', 'R', 'C', 'C', 'P', 'P', 'P', 'P', 'P', //
    'r', 'n', 'b', 'a', 'k', 'a', 'b', 'n', 'r', 'c', 'c', 'p', 'p', 'p', 'p', 'p',
];

/// The position has more pieces of a kind than the format can hold.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{}", tr!("there is no place in this format for a {piece} on {square}: a set has no more of them", piece, square))]
pub struct PieceCountError {
    piece: Piece,
    square: Square,
}

/// A board that need not be a valid position.
#[derive(Clone, Default)]
pub struct RawBoard {
    ranks: [[Option<char>; 9]; 10],
}

impl RawBoard {
    /// A board from a list of squares in slot order; `None` = the piece is absent.
    pub fn from_slots(squares: impl IntoIterator<Item = Option<Square>>) -> RawBoard {
        let mut grid = RawBoard::default();
        for (letter, square) in PIECE_SLOTS.into_iter().zip(squares) {
            square.into_iter().for_each(|square| grid.put(letter, square));
        }
        grid
    }

    /// Puts a piece, by its FEN letter.
    pub fn put(&mut self, letter: char, square: Square) {
        self.ranks[usize::from(square.rank())][usize::from(square.file())] = Some(letter);
    }

    /// The side of the piece on a square.
    pub fn color_at(&self, square: Square) -> Option<Color> {
        let letter = self.ranks[usize::from(square.rank())][usize::from(square.file())]?;
        Some(if letter.is_ascii_uppercase() { Color::Red } else { Color::Black })
    }

    /// The position with this side to move.
    pub fn to_position(&self, side: Color) -> Result<Position, FenError> {
        let rank = |rank: &[Option<char>; 9]| rank.map(|piece| piece.unwrap_or('1')).iter().collect::<String>();
        let ranks: Vec<String> = self.ranks.iter().rev().map(rank).collect();
        let side = if side == Color::Red { 'w' } else { 'b' };
        Position::from_fen(&format!("{} {side}", ranks.join("/")))
    }
}

/// The squares of the pieces, in slot order.
pub fn piece_slots(position: &Position) -> Result<[Option<Square>; 32], PieceCountError> {
    let mut slots = [None; 32];
    let mut squares: Vec<Square> = Square::all().collect();
    squares.sort_by_key(|square| (square.file(), square.rank()));
    for square in squares {
        let Some(piece) = position.piece_at(square) else { continue };
        let letter = piece.letter();
        let free = |slot: &usize| PIECE_SLOTS[*slot] == letter && slots[*slot].is_none();
        let slot = (0..32).find(free).ok_or(PieceCountError { piece, square })?;
        slots[slot] = Some(square);
    }
    Ok(slots)
}
