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

// A position in 29 bytes, for large sets of them:
//
// ```text
// 12 bytes  occupied squares, one bit each, a0 to i0 first
// 16 bytes  the pieces on them in this order, four bits each: red's kinds from 0, black's from 7
// 1 byte   bit 0 black to move, bit 1 promotion variant
// ```

const BLACK_TO_MOVE: u8 = 1;
const PROMOTION: u8 = 2;

/// A position in 29 bytes: pieces, side to move and variant, as two positions are compared; no counters, no history.
///
/// ```
/// use xiangqi::{PackedPosition, Position};
///
/// let packed = PackedPosition::from(&Position::start());
/// assert_eq!(Position::try_from(packed)?, Position::start());
/// # Ok::<(), xiangqi::SetupError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PackedPosition([u8; PackedPosition::SIZE]);

impl PackedPosition {
    /// The number of bytes.
    pub const SIZE: usize = 29;

    /// The bytes.
    pub const fn bytes(&self) -> &[u8; PackedPosition::SIZE] {
        &self.0
    }

    /// What has these bytes; whether that is a position is seen when it is unpacked.
    pub const fn from_bytes(bytes: [u8; PackedPosition::SIZE]) -> PackedPosition {
        PackedPosition(bytes)
    }
}

impl From<&Position> for PackedPosition {
    fn from(position: &Position) -> PackedPosition {
        let mut numbers = [0; 90];
        let mut occupied = 0u128;
        for color in Color::ALL {
            for (kind, square) in position.pieces(color) {
                numbers[square.dense()] = (kind.index() + 7 * color.index()) as u128;
                occupied |= 1 << square.dense();
            }
        }
        let (mut pieces, mut rest) = (0u128, occupied);
        for shift in (0..128).step_by(4).take(occupied.count_ones() as usize) {
            pieces |= numbers[rest.trailing_zeros() as usize] << shift;
            rest &= rest - 1;
        }
        let mut bytes = [0; PackedPosition::SIZE];
        bytes[..12].copy_from_slice(&occupied.to_le_bytes()[..12]);
        bytes[12..28].copy_from_slice(&pieces.to_le_bytes());
        let promotion = if position.promotion() { PROMOTION } else { 0 };
        bytes[28] = if position.side() == Color::Black { promotion | BLACK_TO_MOVE } else { promotion };
        PackedPosition(bytes)
    }
}

impl From<PackedPosition> for Setup {
    /// Pieces beyond the 32nd, and numbers of no piece, are left out.
    fn from(packed: PackedPosition) -> Setup {
        let number = |bytes: &[u8]| bytes.iter().rev().fold(0u128, |sum, &byte| sum << 8 | u128::from(byte));
        let (occupied, mut pieces) = (number(&packed.0[..12]), number(&packed.0[12..28]));
        let flags = packed.0[28];
        let side = if flags & BLACK_TO_MOVE != 0 { Color::Black } else { Color::Red };
        let mut setup = Setup::empty();
        setup.side = side;
        setup.promotion = flags & PROMOTION != 0;
        for square in Square::all().filter(|square| occupied >> square.dense() & 1 != 0).take(32) {
            let piece = (pieces & 15) as usize;
            if let (Some(&kind), Some(&color)) = (PieceKind::ALL.get(piece % 7), Color::ALL.get(piece / 7)) {
                setup.place(Piece::new(color, kind), square);
            }
            pieces >>= 4;
        }
        setup
    }
}

impl TryFrom<PackedPosition> for Position {
    type Error = SetupError;

    fn try_from(packed: PackedPosition) -> Result<Position, SetupError> {
        Position::try_from(Setup::from(packed))
    }
}
