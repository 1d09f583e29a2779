//! A position in the making: pieces that can be placed freely, and what makes a position of them.

use super::mailbox::MAX_SIDE_PIECES;
use super::position::Position;
use crate::types::{Color, Piece, PieceKind, Square};
use crate::{worded_error, words};

const SQUARES: usize = Square::FILES as usize * Square::RANKS as usize;

/// Pieces on squares, the side to move, the counters and the variant, edited freely.
///
/// ```
/// use xiangqi::{Color, Piece, PieceKind, Position, Setup, SetupError};
///
/// let mut setup = Setup::empty();
/// setup.place(Piece::new(Color::Red, PieceKind::King), "e0".parse()?);
/// assert_eq!(Position::try_from(setup.clone()), Err(SetupError::MissingKing(Color::Black)));
/// setup.place(Piece::new(Color::Black, PieceKind::King), "d9".parse()?);
/// assert_eq!(Position::try_from(setup)?.to_string(), "3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Setup {
    pieces: [Option<Piece>; SQUARES],
    /// The side to move.
    pub side: Color,
    /// Plies since the last capture.
    pub plies_since_capture: u16,
    /// The number of the next move of red; 0 counts as 1.
    pub full_moves: u16,
    /// Whether this is of the variant in which advisors and bishops may become pawns.
    pub promotion: bool,
}

/// The reason why pieces make no position.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum SetupError {
    /// This side has no king.
    MissingKing(Color),
    /// A side has more than one king.
    SecondKing {
        /// The side.
        color: Color,
        /// The square of the second king.
        square: Square,
    },
    /// A piece stands where it can never go.
    ImpossibleSquare {
        /// The piece.
        piece: Piece,
        /// Its square.
        square: Square,
    },
    /// A side has more than sixteen pieces.
    TooManyPieces {
        /// The side.
        color: Color,
        /// The number of its pieces.
        count: usize,
    },
    /// The side not to move is in check.
    KingCapturable {
        /// The side to move.
        mover: Color,
        /// The king in check.
        square: Square,
    },
}

worded_error!(SetupError, |error| match error {
    SetupError::MissingKing(color) => words!("{color} has no king", color),
    SetupError::SecondKing { color, square } => words!("{color} has a second king on {square}", color, square),
    SetupError::ImpossibleSquare { piece, square } => words!("a {piece} can never stand on {square}", piece, square),
    SetupError::TooManyPieces { color, count } => {
        words!("{color} has {count} pieces, more than {most}", color, count, most = &MAX_SIDE_PIECES)
    }
    SetupError::KingCapturable { mover, square } => {
        words!("{mover} to move could take the king on {square}", mover, square)
    }
});

impl Setup {
    /// The empty board, red to move.
    pub fn empty() -> Setup {
        Setup { pieces: [None; SQUARES], side: Color::Red, plies_since_capture: 0, full_moves: 1, promotion: false }
    }

    /// The piece on a square.
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        self.pieces[square.dense()]
    }

    /// Places a piece, and returns the one that stood there.
    pub fn place(&mut self, piece: Piece, square: Square) -> Option<Piece> {
        self.pieces[square.dense()].replace(piece)
    }

    /// Removes a piece and returns it.
    pub fn remove(&mut self, square: Square) -> Option<Piece> {
        self.pieces[square.dense()].take()
    }

    /// All pieces with their squares, from black's back rank to red's.
    pub fn pieces(&self) -> impl Iterator<Item = (Piece, Square)> + '_ {
        let ranks = (0..Square::RANKS).rev();
        let squares = ranks.flat_map(|rank| (0..Square::FILES).map(move |file| Square::new(file, rank)));
        squares.filter_map(|square| self.piece_at(square).map(|piece| (piece, square)))
    }
}

/// What stands on the board, without the history.
impl From<&Position> for Setup {
    fn from(position: &Position) -> Setup {
        let saturated = |number: usize| u16::try_from(number).unwrap_or(u16::MAX);
        let mut setup = Setup {
            side: position.side(),
            plies_since_capture: saturated(position.plies_since_capture()),
            full_moves: saturated(position.game_ply() as usize / 2 + 1),
            promotion: position.promotion(),
            ..Setup::empty()
        };
        for color in Color::ALL {
            for (kind, square) in position.pieces(color) {
                setup.place(Piece::new(color, kind), square);
            }
        }
        setup
    }
}

impl TryFrom<Setup> for Position {
    type Error = SetupError;

    fn try_from(setup: Setup) -> Result<Position, SetupError> {
        for color in Color::ALL {
            let count = setup.pieces().filter(|(piece, _)| piece.color() == color).count();
            if count > MAX_SIDE_PIECES {
                return Err(SetupError::TooManyPieces { color, count });
            }
        }
        let mut position = Position::empty();
        for (piece, square) in setup.pieces() {
            let (color, kind) = (piece.color(), piece.kind());
            if kind == PieceKind::King && position.count(color, kind) > 0 {
                return Err(SetupError::SecondKing { color, square });
            }
            let is_promoted = setup.promotion && kind == PieceKind::Pawn;
            if !is_promoted && !kind.can_stand(square.file(), square.rank_for(color)) {
                return Err(SetupError::ImpossibleSquare { piece, square });
            }
            position.board.put(piece, square);
        }
        for color in Color::ALL {
            if position.count(color, PieceKind::King) == 0 {
                return Err(SetupError::MissingKing(color));
            }
        }
        let side = setup.side;
        let first_ply = (u32::from(setup.full_moves).max(1) - 1) * 2 + side as u32;
        position.complete(side, setup.plies_since_capture, first_ply, setup.promotion);
        if !position.king_attackers(!side).is_empty() {
            return Err(SetupError::KingCapturable { mover: side, square: position.king(!side) });
        }
        Ok(position)
    }
}
