//! Pieces, and the byte stored on a mailbox square.

use super::Color;
use chuhe_base::language::{Phrase, phrase};
use std::fmt;
use std::ops::{Index, IndexMut};

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

    /// The English name, for output that programs read.
    pub const fn name(self) -> &'static str {
        self.phrase().0
    }

    /// The name, translated when displayed.
    pub const fn phrase(self) -> Phrase {
        match self {
            PieceKind::King => phrase!("king"),
            PieceKind::Advisor => phrase!("advisor"),
            PieceKind::Bishop => phrase!("bishop"),
            PieceKind::Horse => phrase!("horse"),
            PieceKind::Rook => phrase!("rook"),
            PieceKind::Cannon => phrase!("cannon"),
            PieceKind::Pawn => phrase!("pawn"),
        }
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

/// The content of a mailbox square: empty, a piece, or the wall around the board.
///
/// Bit 3 marks red and bit 4 black; the wall has both, so one test of the own colour bit rejects own pieces and the
/// wall alike. An empty square is 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Piece(u8);

impl Piece {
    /// An empty square of the board.
    pub const NONE: Piece = Piece(0);
    /// A square outside the board.
    pub(crate) const WALL: Piece = Piece(31);

    const RED_BIT: u8 = 8;
    const BLACK_BIT: u8 = 16;

    /// Creates the piece of this side and kind.
    #[inline]
    pub const fn new(color: Color, kind: PieceKind) -> Piece {
        Piece(Self::color_bit(color) | kind as u8)
    }

    #[inline]
    const fn color_bit(color: Color) -> u8 {
        match color {
            Color::Red => Self::RED_BIT,
            Color::Black => Self::BLACK_BIT,
        }
    }

    /// True for an empty square of the board, false for a piece and for the wall.
    #[inline]
    pub const fn is_none(self) -> bool {
        self.0 == 0
    }

    /// True for a piece of either side.
    #[inline]
    pub const fn is_piece(self) -> bool {
        self.0 != 0 && self.0 != Self::WALL.0
    }

    /// True for a piece of this side (not for the wall).
    #[inline]
    pub const fn is(self, color: Color) -> bool {
        self.0 & 24 == Self::color_bit(color)
    }

    /// True if a piece of this side could land here: the square is empty or holds an enemy piece.
    #[inline]
    pub const fn admits(self, color: Color) -> bool {
        self.0 & Self::color_bit(color) == 0
    }

    /// The name of a piece with its side, translated when displayed.
    pub const fn name_of(color: Color, kind: PieceKind) -> Phrase {
        match (color, kind) {
            (Color::Red, PieceKind::King) => phrase!("red king"),
            (Color::Red, PieceKind::Advisor) => phrase!("red advisor"),
            (Color::Red, PieceKind::Bishop) => phrase!("red bishop"),
            (Color::Red, PieceKind::Horse) => phrase!("red horse"),
            (Color::Red, PieceKind::Rook) => phrase!("red rook"),
            (Color::Red, PieceKind::Cannon) => phrase!("red cannon"),
            (Color::Red, PieceKind::Pawn) => phrase!("red pawn"),
            (Color::Black, PieceKind::King) => phrase!("black king"),
            (Color::Black, PieceKind::Advisor) => phrase!("black advisor"),
            (Color::Black, PieceKind::Bishop) => phrase!("black bishop"),
            (Color::Black, PieceKind::Horse) => phrase!("black horse"),
            (Color::Black, PieceKind::Rook) => phrase!("black rook"),
            (Color::Black, PieceKind::Cannon) => phrase!("black cannon"),
            (Color::Black, PieceKind::Pawn) => phrase!("black pawn"),
        }
    }

    /// The side of a piece; `None` for an empty square and the wall.
    #[inline]
    pub const fn color(self) -> Option<Color> {
        match self.0 & 24 {
            Self::RED_BIT => Some(Color::Red),
            Self::BLACK_BIT => Some(Color::Black),
            _ => None,
        }
    }

    /// The side of a piece; meaningless for an empty square and the wall.
    #[inline]
    pub const fn color_unchecked(self) -> Color {
        if self.is(Color::Red) { Color::Red } else { Color::Black }
    }

    /// The kind of a piece; `None` for an empty square and the wall.
    #[inline]
    pub const fn kind(self) -> Option<PieceKind> {
        if self.is_piece() { Some(self.kind_unchecked()) } else { None }
    }

    /// The kind of a piece; meaningless for an empty square and the wall.
    #[inline]
    pub const fn kind_unchecked(self) -> PieceKind {
        match self.0 & 7 {
            0 => PieceKind::King,
            1 => PieceKind::Advisor,
            2 => PieceKind::Bishop,
            3 => PieceKind::Horse,
            4 => PieceKind::Rook,
            5 => PieceKind::Cannon,
            _ => PieceKind::Pawn,
        }
    }

    /// True if this is the piece of this side and kind.
    #[inline]
    pub const fn is_exactly(self, color: Color, kind: PieceKind) -> bool {
        self.0 == Self::new(color, kind).0
    }

    /// The raw byte (below 32) as an array index.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The FEN letter, upper case for red; `.` for an empty square.
    pub const fn letter(self) -> char {
        const LETTERS: [u8; 7] = *b"KABNRCP";
        match self.color() {
            None => '.',
            Some(color) => {
                let letter = LETTERS[self.kind_unchecked() as usize];
                match color {
                    Color::Red => letter as char,
                    Color::Black => letter.to_ascii_lowercase() as char,
                }
            }
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

    /// The Chinese character of the piece; `．` for an empty square.
    pub const fn chinese(self) -> char {
        const RED: [char; 7] = ['帅', '仕', '相', '马', '车', '炮', '兵'];
        const BLACK: [char; 7] = ['将', '士', '象', '马', '车', '炮', '卒'];
        match self.color() {
            None => '．',
            Some(Color::Red) => RED[self.kind_unchecked() as usize],
            Some(Color::Black) => BLACK[self.kind_unchecked() as usize],
        }
    }
}

impl fmt::Debug for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Piece::WALL { f.write_str("#") } else { write!(f, "{}", self.letter()) }
    }
}

impl<T> Index<Piece> for [T; 32] {
    type Output = T;
    #[inline]
    fn index(&self, piece: Piece) -> &T {
        &self[(piece.0 & 31) as usize]
    }
}

impl<T> IndexMut<Piece> for [T; 32] {
    #[inline]
    fn index_mut(&mut self, piece: Piece) -> &mut T {
        &mut self[(piece.0 & 31) as usize]
    }
}
