//! Pieces and their kinds.
//!
//! The byte stored on a mailbox square.

use super::{ParseNameError, excerpt};
use crate::worded;
use crate::words;
use crate::words::Words;
use std::fmt;
use std::num::NonZeroU8;
use std::ops::{Index, IndexMut, Not};
use std::str::FromStr;

/// The seven kinds of pieces, in the order of the book format.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum PieceKind {
    /// The king (帅 / 将).
    King = 0,
    /// The advisor (仕 / 士).
    Advisor = 1,
    /// The bishop, or elephant (相 / 象).
    Bishop = 2,
    /// The horse (马).
    Horse = 3,
    /// The rook (车).
    Rook = 4,
    /// The cannon (炮).
    Cannon = 5,
    /// The pawn (兵 / 卒).
    Pawn = 6,
}

impl PieceKind {
    /// All kinds, in index order.
    pub const ALL: [PieceKind; 7] = [
        PieceKind::King,
        PieceKind::Advisor,
        PieceKind::Bishop,
        PieceKind::Horse,
        PieceKind::Rook,
        PieceKind::Cannon,
        PieceKind::Pawn,
    ];

    /// The index of the kind, 0 to 6.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// True for a rook, a horse or a cannon: the attacking pieces.
    #[inline]
    pub const fn is_major(self) -> bool {
        matches!(self, PieceKind::Rook | PieceKind::Horse | PieceKind::Cannon)
    }

    /// True if such a piece can ever stand on this file and rank, the rank counted from its own side.
    pub const fn can_stand(self, file: u8, rank: u8) -> bool {
        let in_palace = file >= 3 && file <= 5 && rank <= 2;
        match self {
            PieceKind::King => in_palace,
            PieceKind::Advisor => in_palace && (file + rank) & 1 == 1,
            PieceKind::Bishop => matches!((file, rank), (2 | 6, 0 | 4) | (0 | 4 | 8, 2)),
            PieceKind::Pawn => rank > 4 || rank > 2 && file & 1 == 0,
            PieceKind::Horse | PieceKind::Rook | PieceKind::Cannon => true,
        }
    }

    /// The letter in WXF notation.
    pub const fn wxf_letter(self) -> char {
        match self {
            PieceKind::King => 'K',
            PieceKind::Advisor => 'A',
            PieceKind::Bishop => 'E',
            PieceKind::Horse => 'H',
            PieceKind::Rook => 'R',
            PieceKind::Cannon => 'C',
            PieceKind::Pawn => 'P',
        }
    }

    /// The English name.
    pub const fn name(self) -> &'static str {
        match self {
            PieceKind::King => "king",
            PieceKind::Advisor => "advisor",
            PieceKind::Bishop => "bishop",
            PieceKind::Horse => "horse",
            PieceKind::Rook => "rook",
            PieceKind::Cannon => "cannon",
            PieceKind::Pawn => "pawn",
        }
    }

    /// The kind in the lowest three bits of a piece.
    #[inline]
    pub(super) const fn of_bits(bits: u8) -> PieceKind {
        match bits & 7 {
            0 => PieceKind::King,
            1 => PieceKind::Advisor,
            2 => PieceKind::Bishop,
            3 => PieceKind::Horse,
            4 => PieceKind::Rook,
            5 => PieceKind::Cannon,
            _ => PieceKind::Pawn,
        }
    }
}

worded!(PieceKind, |kind| Words::of(kind.name()));

impl FromStr for PieceKind {
    type Err = ParseNameError;

    /// Parses an English name: `king`, `advisor`, `bishop`, `horse`, `rook`, `cannon` or `pawn`.
    fn from_str(text: &str) -> Result<PieceKind, ParseNameError> {
        let expected = "king, advisor, bishop, horse, rook, cannon or pawn";
        let error = || ParseNameError { text: excerpt(text), kind: "piece", expected };
        PieceKind::ALL.into_iter().find(|kind| kind.name().eq_ignore_ascii_case(text)).ok_or_else(error)
    }
}

impl<T> Index<PieceKind> for [T; 7] {
    type Output = T;
    #[inline]
    fn index(&self, kind: PieceKind) -> &T {
        &self[kind as usize]
    }
}

impl<T> IndexMut<PieceKind> for [T; 7] {
    #[inline]
    fn index_mut(&mut self, kind: PieceKind) -> &mut T {
        &mut self[kind as usize]
    }
}

const RED_NAMES: [&str; 7] =
    ["red king", "red advisor", "red bishop", "red horse", "red rook", "red cannon", "red pawn"];
const BLACK_NAMES: [&str; 7] =
    ["black king", "black advisor", "black bishop", "black horse", "black rook", "black cannon", "black pawn"];

/// A piece: its side and its kind. `Option<Piece>` takes no more space.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Piece(NonZeroU8);

impl Piece {
    pub(super) const RED_BIT: u8 = 8;
    pub(super) const BLACK_BIT: u8 = 16;

    /// The piece of this side and kind.
    #[inline]
    pub const fn new(color: Color, kind: PieceKind) -> Piece {
        match NonZeroU8::new(Self::color_bit(color) | kind as u8) {
            Some(bits) => Piece(bits),
            None => unreachable!(),
        }
    }

    /// The piece of a mailbox byte, which must not be the rim; `None` if it is empty.
    #[inline]
    pub(super) const fn from_bits(bits: u8) -> Option<Piece> {
        match NonZeroU8::new(bits) {
            Some(bits) => Some(Piece(bits)),
            None => None,
        }
    }

    #[inline]
    pub(super) const fn color_bit(color: Color) -> u8 {
        match color {
            Color::Red => Self::RED_BIT,
            Color::Black => Self::BLACK_BIT,
        }
    }

    /// The side.
    #[inline]
    pub const fn color(self) -> Color {
        if self.0.get() & Self::RED_BIT != 0 { Color::Red } else { Color::Black }
    }

    /// The kind.
    #[inline]
    pub const fn kind(self) -> PieceKind {
        PieceKind::of_bits(self.0.get())
    }

    /// An index below 24, for tables: 8 to 14 for red's kinds, 16 to 22 for black's. 0 is free for "no piece".
    #[inline]
    pub const fn index(self) -> usize {
        self.0.get() as usize
    }

    /// The FEN letter, upper case for red.
    pub const fn letter(self) -> char {
        const LETTERS: [u8; 7] = *b"KABNRCP";
        let letter = LETTERS[self.kind() as usize];
        match self.color() {
            Color::Red => letter as char,
            Color::Black => letter.to_ascii_lowercase() as char,
        }
    }

    /// Parses a FEN letter, with the common alternatives E for bishop and H for horse.
    pub const fn from_letter(letter: char) -> Option<Piece> {
        let kind = match letter.to_ascii_uppercase() {
            'K' => PieceKind::King,
            'A' => PieceKind::Advisor,
            'B' | 'E' => PieceKind::Bishop,
            'N' | 'H' => PieceKind::Horse,
            'R' => PieceKind::Rook,
            'C' => PieceKind::Cannon,
            'P' => PieceKind::Pawn,
            _ => return None,
        };
        let color = if letter.is_ascii_uppercase() { Color::Red } else { Color::Black };
        Some(Piece::new(color, kind))
    }

    /// The character on the piece.
    pub const fn character(self) -> char {
        const RED: [char; 7] = ['帅', '仕', '相', '马', '车', '炮', '兵'];
        const BLACK: [char; 7] = ['将', '士', '象', '马', '车', '炮', '卒'];
        match self.color() {
            Color::Red => RED[self.kind() as usize],
            Color::Black => BLACK[self.kind() as usize],
        }
    }
}

worded!(Piece, |piece| Words::of(match piece.color() {
    Color::Red => RED_NAMES[piece.kind() as usize],
    Color::Black => BLACK_NAMES[piece.kind() as usize],
}));

impl fmt::Debug for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

impl<T> Index<Piece> for [T; 32] {
    type Output = T;
    #[inline]
    fn index(&self, piece: Piece) -> &T {
        &self[(piece.0.get() & 31) as usize]
    }
}

impl<T> IndexMut<Piece> for [T; 32] {
    #[inline]
    fn index_mut(&mut self, piece: Piece) -> &mut T {
        &mut self[(piece.0.get() & 31) as usize]
    }
}

/// The content of a mailbox square: empty, a piece, or the rim around the board.
///
/// Bit 3 marks red and bit 4 black; the rim has both, so one test of the own colour bit rejects own pieces and the rim
/// alike. An empty square is 0.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Cell(u8);

impl Cell {
    /// An empty square of the board.
    pub(crate) const EMPTY: Cell = Cell(0);
    /// A square outside the board.
    pub(crate) const RIM: Cell = Cell(31);

    /// A square with a piece.
    #[inline]
    pub(crate) const fn of(piece: Piece) -> Cell {
        Cell(piece.index() as u8)
    }

    /// The piece on a square of the board.
    #[inline]
    pub(crate) const fn piece(self) -> Option<Piece> {
        Piece::from_bits(self.0)
    }

    /// True for an empty square of the board, false for a piece and for the rim.
    #[inline]
    pub(crate) const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// True for a piece of this side.
    #[inline]
    pub(crate) const fn is(self, color: Color) -> bool {
        self.0 & (Piece::RED_BIT | Piece::BLACK_BIT) == Piece::color_bit(color)
    }

    /// True if a piece of this side could land here: the square is empty or holds an enemy piece.
    #[inline]
    pub(crate) const fn admits(self, color: Color) -> bool {
        self.0 & Piece::color_bit(color) == 0
    }

    /// The kind of the piece; meaningless for an empty square and the rim.
    #[inline]
    pub(crate) const fn kind_unchecked(self) -> PieceKind {
        PieceKind::of_bits(self.0)
    }
}

impl PartialEq<Piece> for Cell {
    #[inline]
    fn eq(&self, piece: &Piece) -> bool {
        *self == Cell::of(*piece)
    }
}

// The two sides, red and black.

/// A side; red moves first and starts on ranks 0 to 4.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Color {
    /// The side at the bottom, upper case in FEN.
    Red = 0,
    /// The side at the top, lower case in FEN.
    Black = 1,
}

impl Color {
    /// Both sides, red first.
    pub const ALL: [Color; 2] = [Color::Red, Color::Black];

    /// 0 for red, 1 for black.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The other side, for constants; elsewhere use `!color`.
    #[inline]
    pub const fn other(self) -> Color {
        match self {
            Color::Red => Color::Black,
            Color::Black => Color::Red,
        }
    }

    /// The mailbox offset of one step towards the enemy.
    #[inline]
    pub const fn forward(self) -> i32 {
        match self {
            Color::Red => -16,
            Color::Black => 16,
        }
    }
}

impl Not for Color {
    type Output = Color;
    #[inline]
    fn not(self) -> Color {
        self.other()
    }
}

impl<T> Index<Color> for [T; 2] {
    type Output = T;
    #[inline]
    fn index(&self, color: Color) -> &T {
        &self[color as usize]
    }
}

impl<T> IndexMut<Color> for [T; 2] {
    #[inline]
    fn index_mut(&mut self, color: Color) -> &mut T {
        &mut self[color as usize]
    }
}

worded!(Color, |color| match color {
    Color::Red => words!("red"),
    Color::Black => words!("black"),
});

impl FromStr for Color {
    type Err = ParseNameError;

    /// Parses `red` and `black`.
    fn from_str(text: &str) -> Result<Color, ParseNameError> {
        let error = || ParseNameError { text: excerpt(text), kind: "side", expected: "red or black" };
        Color::ALL.into_iter().find(|color| color.to_string().eq_ignore_ascii_case(text)).ok_or_else(error)
    }
}
