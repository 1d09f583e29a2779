//! Sets of squares.

use super::Square;
use std::fmt;
use std::ops::{BitAnd, BitOr, BitXor, Not, Sub};

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
