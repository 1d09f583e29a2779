//! Sets of squares.

use super::Square;
use std::fmt;

/// A set of squares, one bit each.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct SquareSet([u64; 4]);

impl SquareSet {
    /// The empty set.
    pub const EMPTY: SquareSet = SquareSet([0; 4]);

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

    /// Iterates over the squares in mailbox order.
    pub fn iter(&self) -> impl Iterator<Item = Square> + '_ {
        (0..4).flat_map(move |word| {
            let mut bits = self.0[word];
            std::iter::from_fn(move || {
                if bits == 0 {
                    return None;
                }
                let bit = bits.trailing_zeros();
                bits &= bits - 1;
                Some(Square((word as u32 * 64 + bit) as u8))
            })
        })
    }
}

impl FromIterator<Square> for SquareSet {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> SquareSet {
        let mut set = SquareSet::EMPTY;
        for square in squares {
            set.insert(square);
        }
        set
    }
}

impl fmt::Debug for SquareSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}
