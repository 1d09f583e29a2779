//! Boards as lists of pieces, the form of the older formats.

use super::record_error::RecordErrorKind;
use xiangqi::{Color, Move, Piece, PieceKind, Position, Setup, Square, fen::FenError, worded_error, words};

/// The pieces of a side in the order of those formats; red's come first.
const SIDE: [PieceKind; 16] = {
    use PieceKind::{Advisor, Bishop, Cannon, Horse, King, Pawn, Rook};
    [
        Rook, Horse, Bishop, Advisor, King, Advisor, Bishop, Horse, Rook, //
        Cannon, Cannon, Pawn, Pawn, Pawn, Pawn, Pawn,
    ]
};

/// The position has more pieces of a kind than the format can hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PieceCountError {
    /// The piece that is too many.
    pub piece: Piece,
    /// Its square.
    pub square: Square,
}

worded_error!(PieceCountError, |error| words!(
    "there is no place in this format for a {piece} on {square}: a set has no more of them",
    piece = &error.piece,
    square = &error.square
));

fn slots() -> impl Iterator<Item = Piece> {
    Color::ALL.into_iter().flat_map(|color| SIDE.map(|kind| Piece::new(color, kind)))
}

/// A board from the squares of the pieces; `None` = the piece is absent.
pub fn read(squares: impl IntoIterator<Item = Option<Square>>) -> Setup {
    let mut setup = Setup::empty();
    for (piece, square) in slots().zip(squares) {
        if let Some(square) = square {
            setup.place(piece, square);
        }
    }
    setup
}

/// The start position. The piece of the first move gives the side to move, because headers are unreliable.
pub fn start(mut setup: Setup, first: Option<Move>, header_side: Color) -> Result<Position, RecordErrorKind> {
    let mover = first.and_then(|mv| setup.piece_at(mv.from()));
    setup.side = mover.map_or(header_side, Piece::color);
    Ok(Position::try_from(setup).map_err(FenError::from)?)
}

/// The squares of the pieces.
pub fn write(position: &Position) -> Result<[Option<Square>; 32], PieceCountError> {
    let mut squares = [None; 32];
    let mut pieces: Vec<(Piece, Square)> = Setup::from(position).pieces().collect();
    pieces.sort_unstable_by_key(|(_, square)| (square.file(), square.rank()));
    for (piece, square) in pieces {
        let free = slots().zip(&mut squares).find(|(slot, taken)| *slot == piece && taken.is_none());
        let (_, slot) = free.ok_or(PieceCountError { piece, square })?;
        *slot = Some(square);
    }
    Ok(squares)
}
