//! FEN: positions as text.

use super::position::Position;
use super::setup::{Setup, SetupError};
use crate::types::{Color, Piece, Square};
use crate::{worded, worded_error, words};
use std::fmt;
use std::str::FromStr;

/// The start position.
pub const START_FEN: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

/// The reason why a text is not a FEN.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum FenError {
    /// The text is empty.
    Empty,
    /// The board does not have ten ranks.
    RankCount(usize),
    /// A rank does not have nine squares.
    RankLength {
        /// The rank, 0 to 9 from red's side.
        rank: u8,
        /// The number of squares described.
        files: usize,
    },
    /// A letter that is not a piece.
    UnknownPiece {
        /// The letter.
        letter: char,
        /// The rank, 0 to 9 from red's side.
        rank: u8,
    },
    /// The side field is none of w, r and b.
    UnknownSide(String),
    /// A counter is not a number from 0 to 65535.
    BadCounter {
        /// Which one.
        counter: Counter,
        /// An excerpt of its text.
        text: String,
    },
    /// There is text after the last field.
    Leftover(String),
    /// The pieces make no position.
    Setup(SetupError),
}

worded_error!(
    FenError,
    |error| match error {
        FenError::Empty => words!("FEN board: empty"),
        FenError::RankCount(count) => words!("FEN board: expected 10 ranks, found {count}", count),
        FenError::RankLength { rank, files } => {
            words!("FEN board: expected 9 squares on rank {rank}, found {files}", rank, files)
        }
        FenError::UnknownPiece { letter, rank } => {
            words!("FEN board: {letter} on rank {rank} is no piece", letter = format!("{letter:?}"), rank)
        }
        FenError::UnknownSide(text) => {
            words!("FEN side to move: {text} is none of w, r, b", text = format!("{text:?}"))
        }
        FenError::BadCounter { counter, text } => {
            words!("FEN {counter}: {text} is not a number from 0 to 65535", counter, text = format!("{text:?}"))
        }
        FenError::Leftover(text) => words!("FEN: {text} behind the full-move counter", text = format!("{text:?}")),
        FenError::Setup(error) => words!("FEN board: {error}", error),
    },
    Setup(SetupError)
);

/// A counter of a FEN.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Counter {
    /// Plies since the last capture.
    HalfMoves,
    /// The number of the next move of red.
    FullMoves,
}

worded!(Counter, |counter| match counter {
    Counter::HalfMoves => words!("half-move counter"),
    Counter::FullMoves => words!("full-move counter"),
});

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
        let mut setup: Setup = fen.parse()?;
        setup.promotion = promotion;
        Ok(Position::try_from(setup)?)
    }

    /// The position as FEN.
    pub fn fen(&self) -> String {
        self.to_string()
    }
}

/// The start position.
impl Default for Position {
    fn default() -> Position {
        Position::start()
    }
}

/// Parses a FEN of standard xiangqi.
impl FromStr for Position {
    type Err = FenError;

    fn from_str(fen: &str) -> Result<Position, FenError> {
        Position::from_fen(fen)
    }
}

/// Writes the position as FEN. The variant is not part of it.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Clamped to the largest value that can be read.
        let full_moves = (self.game_ply() / 2 + 1).min(u16::MAX.into());
        write_fen(f, |square| self.piece_at(square), self.side(), self.plies_since_capture(), full_moves)
    }
}

/// Parses a FEN. Whether it makes a position tells [`Position::try_from`].
impl FromStr for Setup {
    type Err = FenError;

    fn from_str(fen: &str) -> Result<Setup, FenError> {
        let mut fields = fen.split_whitespace();
        let mut setup = Setup::empty();
        read_board(&mut setup, fields.next().ok_or(FenError::Empty)?)?;
        setup.side = match fields.next() {
            None | Some("w" | "W" | "r" | "R" | "-") => Color::Red,
            Some("b" | "B") => Color::Black,
            Some(other) => return Err(FenError::UnknownSide(excerpt(other))),
        };
        let mut counters = fields.filter(|field| *field != "-");
        let mut read = |counter: Counter, default: u16| match counters.next() {
            None => Ok(default),
            Some(text) => text.parse().map_err(|_| FenError::BadCounter { counter, text: excerpt(text) }),
        };
        setup.plies_since_capture = read(Counter::HalfMoves, 0)?;
        setup.full_moves = read(Counter::FullMoves, 1)?;
        counters.next().map_or(Ok(setup), |left| Err(FenError::Leftover(excerpt(left))))
    }
}

impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (quiet, full_moves) = (self.plies_since_capture.into(), self.full_moves.max(1).into());
        write_fen(f, |square| self.piece_at(square), self.side, quiet, full_moves)
    }
}

fn write_fen(
    f: &mut fmt::Formatter<'_>,
    piece_at: impl Fn(Square) -> Option<Piece>,
    side: Color,
    plies_since_capture: usize,
    full_moves: u32,
) -> fmt::Result {
    for rank in (0..Square::RANKS).rev() {
        let mut empty = 0;
        for file in 0..Square::FILES {
            match piece_at(Square::new(file, rank)) {
                None => empty += 1,
                Some(piece) => {
                    if empty > 0 {
                        write!(f, "{empty}")?;
                        empty = 0;
                    }
                    write!(f, "{}", piece.letter())?;
                }
            }
        }
        if empty > 0 {
            write!(f, "{empty}")?;
        }
        if rank > 0 {
            f.write_str("/")?;
        }
    }
    let side = if side == Color::Red { 'w' } else { 'b' };
    write!(f, " {side} - - {plies_since_capture} {full_moves}")
}

fn read_board(setup: &mut Setup, board: &str) -> Result<(), FenError> {
    let ranks: Vec<&str> = board.split('/').collect();
    if ranks.len() != usize::from(Square::RANKS) {
        return Err(FenError::RankCount(ranks.len()));
    }
    for (index, text) in ranks.iter().enumerate() {
        let rank = 9 - index as u8;
        let mut files = 0usize;
        for letter in text.chars() {
            if let Some(count) = letter.to_digit(10) {
                files += count as usize;
                continue;
            }
            let piece = Piece::from_letter(letter).ok_or(FenError::UnknownPiece { letter, rank })?;
            if let Some(square) = u8::try_from(files).ok().and_then(|file| Square::try_new(file, rank)) {
                setup.place(piece, square);
            }
            files += 1;
        }
        if files != usize::from(Square::FILES) {
            return Err(FenError::RankLength { rank, files });
        }
    }
    Ok(())
}

/// The beginning of a bad field, for its error, which shows control characters escaped.
fn excerpt(text: &str) -> String {
    text.chars().take(16).collect()
}
