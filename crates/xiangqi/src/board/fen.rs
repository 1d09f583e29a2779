//! FEN: reading, with common variations, and writing.

use super::piece_list::MAX_SIDE_PIECES;
use super::position::Position;
use crate::types::{Color, Piece, PieceKind, Square};
use chuhe_base::language::{Phrase, phrase, tr};
use thiserror::Error;

/// The FEN of the start position.
pub const START_FEN: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

/// What is wrong with a FEN.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum FenError {
    /// The text is empty.
    #[error("{}", tr!("FEN board: empty"))]
    Empty,
    /// The board does not have ten ranks.
    #[error("{}", tr!("FEN board: expected 10 ranks, found {count}", count = _0))]
    RankCount(usize),
    /// A rank does not have nine squares.
    #[error("{}", tr!("FEN board: expected 9 squares on rank {rank}, found {files}", rank, files))]
    RankLength {
        /// The rank, 0 to 9 from red's side.
        rank: u8,
        /// The number of squares described.
        files: usize,
    },
    /// A letter that is not a piece.
    #[error("{}", tr!("FEN board: {letter} on rank {rank} is no piece", letter = format_args!("{letter:?}"), rank))]
    UnknownPiece {
        /// The letter.
        letter: char,
        /// The rank, 0 to 9 from red's side.
        rank: u8,
    },
    /// This side has no king.
    #[error("{}", tr!("FEN board: {side} has no king", side = _0.name()))]
    MissingKing(Color),
    /// A side has more than one king.
    #[error("{}", tr!("FEN board: {side} has a second king on {square}", side = color.name(), square))]
    SecondKing {
        /// The side.
        color: Color,
        /// The square of the second king.
        square: Square,
    },
    /// A piece stands where it can never go.
    #[error("{}", tr!("FEN board: a {piece} can never stand on {square}", piece = Piece::name_of(*color, *kind), square))]
    ImpossibleSquare {
        /// The side of the piece.
        color: Color,
        /// The kind of the piece.
        kind: PieceKind,
        /// Its square.
        square: Square,
    },
    /// A side has more than sixteen pieces.
    #[error("{}", tr!("FEN board: {side} has {count} pieces, more than {most}", side = color.name(), count, most = MAX_SIDE_PIECES))]
    TooManyPieces {
        /// The side.
        color: Color,
        /// The number of its pieces.
        count: usize,
    },
    /// The side field is none of w, r and b.
    #[error("{}", tr!("FEN side to move: {text} is none of w, r, b", text = format_args!("{_0:?}")))]
    UnknownSide(String),
    /// A counter is not a number from 0 to 65535.
    #[error("{}", tr!("FEN {field}: {text} is not a number from 0 to 65535", field, text = format_args!("{text:?}")))]
    BadCounter {
        /// The name of the field.
        field: Phrase,
        /// An excerpt of its text.
        text: String,
    },
    /// There is text after the last field.
    #[error("{}", tr!("FEN: {text} behind the full-move counter", text = format_args!("{_0:?}")))]
    Leftover(String),
    /// The side not to move is in check.
    #[error("{}", tr!("FEN board: {side} to move could take the king on {square}", side = mover.name(), square))]
    KingCapturable {
        /// The side to move.
        mover: Color,
        /// The king in check.
        square: Square,
    },
}

impl Position {
    /// The start position.
    pub fn start() -> Position {
        Position::from_fen(START_FEN).expect("the start position is a position")
    }

    /// Parses a FEN of standard xiangqi.
    pub fn from_fen(fen: &str) -> Result<Position, FenError> {
        Position::from_fen_variant(fen, false)
    }

    /// Parses a FEN. With `promotion` it is of the variant in which advisors and bishops may become pawns, so pawns may
    /// stand anywhere in their own half.
    pub fn from_fen_variant(fen: &str, promotion: bool) -> Result<Position, FenError> {
        let mut fields = fen.split_whitespace();
        let board = fields.next().ok_or(FenError::Empty)?;
        let mut position = Position::empty();
        read_board(&mut position, board, promotion)?;

        let side = match fields.next() {
            None | Some("w" | "W" | "r" | "R" | "-") => Color::Red,
            Some("b" | "B") => Color::Black,
            Some(other) => return Err(FenError::UnknownSide(excerpt(other))),
        };
        let mut counters = fields.filter(|field| *field != "-");
        let half = read_counter(counters.next(), phrase!("half-move counter"), 0)?;
        let full = read_counter(counters.next(), phrase!("full-move counter"), 1)?;
        if let Some(left) = counters.next() {
            return Err(FenError::Leftover(excerpt(left)));
        }
        let first_ply = (u32::from(full).max(1) - 1) * 2 + side as u32;
        position.complete(side, half, first_ply, promotion);

        if !position.king_attackers(!side).is_empty() {
            return Err(FenError::KingCapturable { mover: side, square: position.king(!side) });
        }
        Ok(position)
    }

    /// Formats the position as FEN.
    pub fn fen(&self) -> String {
        let mut text = String::with_capacity(96);
        for rank in (0..10).rev() {
            let mut empty = 0;
            for file in 0..9 {
                let piece = self.piece_at(Square::new(file, rank));
                if piece.is_none() {
                    empty += 1;
                    continue;
                }
                if empty > 0 {
                    text.push_str(&empty.to_string());
                    empty = 0;
                }
                text.push(piece.letter());
            }
            if empty > 0 {
                text.push_str(&empty.to_string());
            }
            if rank > 0 {
                text.push('/');
            }
        }
        let side = if self.side() == Color::Red { 'w' } else { 'b' };
        // Clamped to the largest value that `from_fen` accepts.
        let full_moves = (self.game_ply() / 2 + 1).min(u16::MAX.into());
        text.push_str(&format!(" {side} - - {} {full_moves}", self.plies_since_capture()));
        text
    }
}

fn read_board(position: &mut Position, board: &str, promotion: bool) -> Result<(), FenError> {
    let ranks: Vec<&str> = board.split('/').collect();
    if ranks.len() != 10 {
        return Err(FenError::RankCount(ranks.len()));
    }
    // Collect first: a piece list holds no more than `MAX_SIDE_PIECES`.
    let mut pieces: Vec<(Piece, Square)> = Vec::with_capacity(32);
    for (index, text) in ranks.iter().enumerate() {
        let rank = 9 - index as u8;
        let mut file = 0usize;
        for letter in text.chars() {
            if let Some(count) = letter.to_digit(10) {
                file += count as usize;
                continue;
            }
            let piece = Piece::from_letter(letter).ok_or(FenError::UnknownPiece { letter, rank })?;
            if file < 9 {
                pieces.push((piece, Square::new(file as u8, rank)));
            }
            file += 1;
        }
        if file != 9 {
            return Err(FenError::RankLength { rank, files: file });
        }
    }
    for color in Color::ALL {
        let count = pieces.iter().filter(|(piece, _)| piece.is(color)).count();
        if count > MAX_SIDE_PIECES {
            return Err(FenError::TooManyPieces { color, count });
        }
    }
    for (piece, square) in pieces {
        let (Some(color), Some(kind)) = (piece.color(), piece.kind()) else { continue };
        if kind == PieceKind::King && position.count(color, kind) > 0 {
            return Err(FenError::SecondKing { color, square });
        }
        let is_promoted = promotion && kind == PieceKind::Pawn;
        if !is_promoted && !kind.can_stand(square.file(), square.rank_for(color)) {
            return Err(FenError::ImpossibleSquare { color, kind, square });
        }
        position.put(piece, square);
    }
    for color in Color::ALL {
        if position.count(color, PieceKind::King) == 0 {
            return Err(FenError::MissingKing(color));
        }
    }
    Ok(())
}

fn read_counter(text: Option<&str>, field: Phrase, default: u16) -> Result<u16, FenError> {
    match text {
        None => Ok(default),
        Some(text) => text.parse().map_err(|_| FenError::BadCounter { field, text: excerpt(text) }),
    }
}

/// The beginning of a bad field, for the error message.
fn excerpt(text: &str) -> String {
    text.chars().take(16).collect()
}
