//! Squares of the 16×16 mailbox, and sets of them.

use super::Color;
use std::fmt;
use std::ops::{Index, IndexMut};

/// An index into the 256-square mailbox: `file + 3 + 16 * (12 - rank)`.
///
/// The board is a 9×10 window in the middle of a 16×16 field, so that every step of every piece from a
/// square of the board stays inside the field and needs no bounds check. The numbering is the one of the
/// classical book format: a9 is 0x33, i0 is 0xCB.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord, Default)]
pub struct Square(pub u8);

impl Square {
    /// Files of the board.
    pub const FILES: u8 = 9;
    /// Ranks of the board.
    pub const RANKS: u8 = 10;

    /// The square of this file (0 = a) and rank (0 = red's back rank). Both must be on the board.
    #[inline]
    pub const fn new(file: u8, rank: u8) -> Square {
        debug_assert!(file < 9 && rank < 10);
        Square(file + 3 + 16 * (12 - rank))
    }

    /// Every square of the board, a0 to i0, then a1 to i1, up to i9.
    pub fn all() -> impl Iterator<Item = Square> {
        (0..10).flat_map(|rank| (0..9).map(move |file| Square::new(file, rank)))
    }

    /// 0 (a) to 8 (i) for a square of the board.
    #[inline]
    pub const fn file(self) -> u8 {
        (self.0 & 15).wrapping_sub(3)
    }

    /// 0 to 9, seen from red.
    #[inline]
    pub const fn rank(self) -> u8 {
        12u8.wrapping_sub(self.0 >> 4)
    }

    /// The rank as this side counts it: 0 is its own back rank.
    #[inline]
    pub const fn rank_for(self, color: Color) -> u8 {
        match color {
            Color::Red => self.rank(),
            Color::Black => (self.0 >> 4).wrapping_sub(3),
        }
    }

    /// The mailbox row, 3 (rank 9) to 12 (rank 0): the index of the rank's occupancy word.
    #[inline]
    pub const fn row(self) -> usize {
        (self.0 >> 4) as usize
    }

    /// The mailbox column, 3 (file a) to 11 (file i): the index of the file's occupancy word.
    #[inline]
    pub const fn col(self) -> usize {
        (self.0 & 15) as usize
    }

    /// True for the 90 squares of the board.
    #[inline]
    pub const fn on_board(self) -> bool {
        let (row, col) = (self.0 >> 4, self.0 & 15);
        row >= 3 && row <= 12 && col >= 3 && col <= 11
    }

    /// True for the nine points of either palace.
    #[inline]
    pub const fn in_palace(self) -> bool {
        let (row, col) = (self.0 >> 4, self.0 & 15);
        col >= 6 && col <= 8 && (row >= 3 && row <= 5 || row >= 10 && row <= 12)
    }

    /// True on this side's half of the board.
    #[inline]
    pub const fn is_home(self, color: Color) -> bool {
        match color {
            Color::Red => self.0 >= 0x80,
            Color::Black => self.0 < 0x80,
        }
    }

    /// The square this many mailbox steps away; may be off the board, never outside the mailbox
    /// for the steps that pieces make.
    #[inline]
    pub const fn offset(self, delta: i32) -> Square {
        Square((self.0 as i32).wrapping_add(delta) as u8)
    }

    /// The left-right mirror image.
    #[inline]
    pub const fn mirror(self) -> Square {
        Square((self.0 & 0xF0) | (14 - (self.0 & 15)))
    }

    /// The same square seen by the other side (ranks turned over, files kept).
    #[inline]
    pub const fn flip(self) -> Square {
        Square(((15 - (self.0 >> 4)) << 4) | (self.0 & 15))
    }

    /// 0 to 89: rank × 9 + file, for dense tables.
    #[inline]
    pub const fn dense(self) -> usize {
        self.rank() as usize * 9 + self.file() as usize
    }

    /// The square as an array index.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Reads `a0` … `i9`, letters of either case.
    pub fn parse(text: &str) -> Option<Square> {
        match text.as_bytes() {
            [file, rank] => {
                let file = file.to_ascii_lowercase();
                if (b'a'..=b'i').contains(&file) && rank.is_ascii_digit() {
                    Some(Square::new(file - b'a', rank - b'0'))
                } else {
                    None
                }
            }
            _ => None,
        }
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.on_board() {
            write!(f, "{}{}", (b'a' + self.file()) as char, self.rank())
        } else {
            write!(f, "[{:02x}]", self.0)
        }
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

/// A set of mailbox squares, one bit each.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SquareSet([u64; 4]);

impl SquareSet {
    /// The set without members.
    pub const EMPTY: SquareSet = SquareSet([0; 4]);

    #[inline]
    pub const fn insert(&mut self, square: Square) {
        self.0[(square.0 >> 6) as usize] |= 1 << (square.0 & 63);
    }

    /// Takes a square out.
    #[inline]
    pub const fn remove(&mut self, square: Square) {
        self.0[(square.0 >> 6) as usize] &= !(1 << (square.0 & 63));
    }

    #[inline]
    pub const fn contains(&self, square: Square) -> bool {
        self.0[(square.0 >> 6) as usize] >> (square.0 & 63) & 1 != 0
    }

    /// True if nothing is in it.
    #[inline]
    pub const fn is_empty(&self) -> bool {
        self.0[0] | self.0[1] | self.0[2] | self.0[3] == 0
    }

    /// How many squares are in it.
    #[inline]
    pub const fn len(&self) -> u32 {
        self.0[0].count_ones() + self.0[1].count_ones() + self.0[2].count_ones() + self.0[3].count_ones()
    }

    /// The members, in mailbox order.
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
