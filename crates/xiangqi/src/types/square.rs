//! Squares of the 16×16 mailbox, and square sets.

use super::{Color, excerpt};
use crate::{worded_error, words};
use std::fmt;
use std::ops::{BitAnd, BitOr, BitXor, Index, IndexMut, Not, Sub};
use std::str::FromStr;

/// A square of the board: an index into the 256-square mailbox, `file + 3 + 16 * (12 - rank)`.
///
/// The 9×10 board lies in the middle of a 16×16 array, so every step of a piece from a square of the board stays inside
/// the array and needs no bounds check. The numbering is that of the classical book format: a9 is 0x33, i0 is 0xCB.
// Inside the crate a step may lead to a square of the rim, which is looked up in a mailbox and leaves the crate never.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Square(pub(crate) u8);

/// The constants of a file: `A0` to `A9`.
macro_rules! file_constants {
    ($($file:literal: $($name:ident)*;)*) => {
        /// The squares by name, `A0` to `I9`.
        #[allow(missing_docs)]
        impl Square {
            $(file_constants!(@ranks $file, 0u8; $($name)*);)*
        }
    };
    (@ranks $file:literal, $rank:expr;) => {};
    (@ranks $file:literal, $rank:expr; $name:ident $($rest:ident)*) => {
        pub const $name: Square = Square::new($file, $rank);
        file_constants!(@ranks $file, $rank + 1; $($rest)*);
    };
}

file_constants! {
    0: A0 A1 A2 A3 A4 A5 A6 A7 A8 A9;
    1: B0 B1 B2 B3 B4 B5 B6 B7 B8 B9;
    2: C0 C1 C2 C3 C4 C5 C6 C7 C8 C9;
    3: D0 D1 D2 D3 D4 D5 D6 D7 D8 D9;
    4: E0 E1 E2 E3 E4 E5 E6 E7 E8 E9;
    5: F0 F1 F2 F3 F4 F5 F6 F7 F8 F9;
    6: G0 G1 G2 G3 G4 G5 G6 G7 G8 G9;
    7: H0 H1 H2 H3 H4 H5 H6 H7 H8 H9;
    8: I0 I1 I2 I3 I4 I5 I6 I7 I8 I9;
}

impl Square {
    /// The number of files.
    pub const FILES: u8 = 9;
    /// The number of ranks.
    pub const RANKS: u8 = 10;

    /// The square of this file (0 = a) and rank (0 = red's back rank).
    ///
    /// # Panics
    ///
    /// If there is no such square; [`Square::try_new`] returns `None` instead.
    #[inline]
    pub const fn new(file: u8, rank: u8) -> Square {
        match Square::try_new(file, rank) {
            Some(square) => square,
            None => panic!("files are 0 to 8, ranks 0 to 9"),
        }
    }

    /// The square of this file (0 = a) and rank (0 = red's back rank); `None` if there is no such square.
    #[inline]
    pub const fn try_new(file: u8, rank: u8) -> Option<Square> {
        if file < 9 && rank < 10 { Some(Square(file + 3 + 16 * (12 - rank))) } else { None }
    }

    /// The square with this mailbox index, as [`Square::index`] gives it; `None` off the board.
    #[inline]
    pub const fn from_index(index: u8) -> Option<Square> {
        let square = Square(index);
        if square.on_board() { Some(square) } else { None }
    }

    /// Iterates over the squares of the board: a0 to i0, then a1 to i1, up to i9.
    pub fn all() -> impl Iterator<Item = Square> {
        (0..10).flat_map(|rank| (0..9).map(move |file| Square::new(file, rank)))
    }

    /// The file of a square of the board, 0 (a) to 8 (i).
    #[inline]
    pub const fn file(self) -> u8 {
        (self.0 & 15).wrapping_sub(3)
    }

    /// The rank, 0 to 9 from red's side.
    #[inline]
    pub const fn rank(self) -> u8 {
        12u8.wrapping_sub(self.0 >> 4)
    }

    /// The rank counted from this side; 0 is its own back rank.
    #[inline]
    pub const fn rank_for(self, color: Color) -> u8 {
        match color {
            Color::Red => self.rank(),
            Color::Black => (self.0 >> 4).wrapping_sub(3),
        }
    }

    /// The mailbox row, 3 (rank 9) to 12 (rank 0), which indexes the rank occupancy.
    #[inline]
    pub const fn row(self) -> usize {
        (self.0 >> 4) as usize
    }

    /// The mailbox column, 3 (file a) to 11 (file i), which indexes the file occupancy.
    #[inline]
    pub const fn col(self) -> usize {
        (self.0 & 15) as usize
    }

    /// True for the 90 squares of the board, false for the rim of the mailbox.
    #[inline]
    pub(crate) const fn on_board(self) -> bool {
        let (row, col) = (self.0 >> 4, self.0 & 15);
        row >= 3 && row <= 12 && col >= 3 && col <= 11
    }

    /// True for the nine points of each palace.
    #[inline]
    pub const fn in_palace(self) -> bool {
        let (row, col) = (self.0 >> 4, self.0 & 15);
        col >= 6 && col <= 8 && (row >= 3 && row <= 5 || row >= 10 && row <= 12)
    }

    /// True for this side's half of the board.
    #[inline]
    pub const fn is_home(self, color: Color) -> bool {
        match color {
            Color::Red => self.0 >= 0x80,
            Color::Black => self.0 < 0x80,
        }
    }

    /// The square at this mailbox offset; a piece's step may leave the board but not the mailbox.
    #[inline]
    pub(crate) const fn step(self, delta: i32) -> Square {
        Square((self.0 as i32).wrapping_add(delta) as u8)
    }

    /// The square at this mailbox offset (16 towards black's side is -16); `None` off the board.
    #[inline]
    pub const fn offset(self, delta: i32) -> Option<Square> {
        Square::from_index(self.step(delta).0)
    }

    /// The left-right mirror image.
    #[inline]
    pub const fn mirror(self) -> Square {
        Square((self.0 & 0xF0) | (14u8.wrapping_sub(self.0 & 15) & 15))
    }

    /// The square with the ranks turned over and the file kept, as the other side sees it.
    #[inline]
    pub const fn flip(self) -> Square {
        Square(((15 - (self.0 >> 4)) << 4) | (self.0 & 15))
    }

    /// The index `rank * 9 + file`, 0 to 89, for dense tables.
    #[inline]
    pub const fn dense(self) -> usize {
        self.rank() as usize * 9 + self.file() as usize
    }

    /// The square as an array index.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The text is not a square; holds an excerpt of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseSquareError(pub String);

worded_error!(ParseSquareError, |error| words!(
    "'{text}' is not a square: expected a file from a to i and a rank from 0 to 9",
    text = &error.0
));

impl FromStr for Square {
    type Err = ParseSquareError;

    /// Parses `a0` to `i9`, with letters of either case.
    fn from_str(text: &str) -> Result<Square, ParseSquareError> {
        let square = match text.as_bytes() {
            [file, rank] => Square::try_new(file.to_ascii_lowercase().wrapping_sub(b'a'), rank.wrapping_sub(b'0')),
            _ => None,
        };
        square.ok_or_else(|| ParseSquareError(excerpt(text)))
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", (b'a' + self.file()) as char, self.rank())
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.on_board() { fmt::Display::fmt(self, f) } else { write!(f, "[{:02x}]", self.0) }
    }
}

impl<T> Index<Square> for [T; 256] {
    type Output = T;
    #[inline]
    fn index(&self, square: Square) -> &T {
        &self[square.0 as usize]
    }
}

impl<T> IndexMut<Square> for [T; 256] {
    #[inline]
    fn index_mut(&mut self, square: Square) -> &mut T {
        &mut self[square.0 as usize]
    }
}

// Sets of squares.

/// A set of squares, one bit each.
///
/// ```
/// use xiangqi::{Square, SquareSet};
///
/// let palaces: SquareSet = Square::all().filter(|square| square.in_palace()).collect();
/// let centre = SquareSet::from(Square::E0) | SquareSet::from(Square::E9);
/// assert_eq!((palaces - centre).len(), 16);
/// assert!((centre & !palaces).is_empty() && centre.is_subset(palaces));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct SquareSet([u64; 4]);

impl SquareSet {
    /// The empty set.
    pub const EMPTY: SquareSet = SquareSet([0; 4]);

    /// The 90 squares of the board.
    pub const FULL: SquareSet = {
        let mut set = SquareSet::EMPTY;
        let mut index = 0;
        while index < 90 {
            set.insert(Square::new(index % 9, index / 9));
            index += 1;
        }
        set
    };

    /// Adds a square.
    #[inline]
    pub const fn insert(&mut self, square: Square) {
        self.0[(square.0 >> 6) as usize] |= 1 << (square.0 & 63);
    }

    /// Removes a square.
    #[inline]
    pub const fn remove(&mut self, square: Square) {
        self.0[(square.0 >> 6) as usize] &= !(1 << (square.0 & 63));
    }

    /// True if the square is in the set.
    #[inline]
    pub const fn contains(&self, square: Square) -> bool {
        self.0[(square.0 >> 6) as usize] >> (square.0 & 63) & 1 != 0
    }

    /// True if the set is empty.
    #[inline]
    pub const fn is_empty(&self) -> bool {
        self.0[0] | self.0[1] | self.0[2] | self.0[3] == 0
    }

    /// The number of squares in the set.
    #[inline]
    pub const fn len(&self) -> u32 {
        self.0[0].count_ones() + self.0[1].count_ones() + self.0[2].count_ones() + self.0[3].count_ones()
    }

    /// True if the other set contains all squares of this one.
    pub fn is_subset(self, other: SquareSet) -> bool {
        (self - other).is_empty()
    }

    /// True if no square is in both sets.
    pub fn is_disjoint(self, other: SquareSet) -> bool {
        (self & other).is_empty()
    }

    /// Iterates over the squares in mailbox order: from a9 to i9, then rank by rank down to i0.
    #[inline]
    pub fn iter(&self) -> SquareIter {
        SquareIter(self.0)
    }
}

/// Iterates over a [`SquareSet`].
#[derive(Clone, Debug)]
pub struct SquareIter([u64; 4]);

impl Iterator for SquareIter {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        for (word, bits) in self.0.iter_mut().enumerate() {
            if *bits != 0 {
                let bit = bits.trailing_zeros();
                *bits &= *bits - 1;
                return Some(Square((word as u32 * 64 + bit) as u8));
            }
        }
        None
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = SquareSet(self.0).len() as usize;
        (left, Some(left))
    }
}

impl ExactSizeIterator for SquareIter {}

impl IntoIterator for SquareSet {
    type Item = Square;
    type IntoIter = SquareIter;

    #[inline]
    fn into_iter(self) -> SquareIter {
        self.iter()
    }
}

impl From<Square> for SquareSet {
    fn from(square: Square) -> SquareSet {
        SquareSet::from_iter([square])
    }
}

impl Extend<Square> for SquareSet {
    fn extend<I: IntoIterator<Item = Square>>(&mut self, squares: I) {
        squares.into_iter().for_each(|square| self.insert(square));
    }
}

macro_rules! set_operation {
    ($operation:ident, $method:ident, $words:expr) => {
        impl $operation for SquareSet {
            type Output = SquareSet;
            #[inline]
            fn $method(self, other: SquareSet) -> SquareSet {
                let words: fn(u64, u64) -> u64 = $words;
                SquareSet(std::array::from_fn(|word| words(self.0[word], other.0[word])))
            }
        }
    };
}

set_operation!(BitAnd, bitand, |one, other| one & other);
set_operation!(BitOr, bitor, |one, other| one | other);
set_operation!(BitXor, bitxor, |one, other| one ^ other);
set_operation!(Sub, sub, |one, other| one & !other);

/// The squares of the board that are not in the set.
impl Not for SquareSet {
    type Output = SquareSet;
    #[inline]
    fn not(self) -> SquareSet {
        SquareSet::FULL - self
    }
}

impl FromIterator<Square> for SquareSet {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> SquareSet {
        let mut set = SquareSet::EMPTY;
        set.extend(squares);
        set
    }
}

impl fmt::Debug for SquareSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}
