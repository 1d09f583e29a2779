//! Squares of the 16×16 mailbox, and square sets.

use super::Color;
use std::fmt;
use std::ops::{Index, IndexMut};

/// An index into the 256-square mailbox: `file + 3 + 16 * (12 - rank)`.
///
/// The 9×10 board lies in the middle of a 16×16 array, so every step of a piece from a square of the board stays inside
/// the array and needs no bounds check. The numbering is that of the classical book format: a9 is 0x33, i0 is 0xCB.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord, Default)]
pub struct Square(pub u8);

impl Square {
    /// The number of files.
    pub const FILES: u8 = 9;
    /// The number of ranks.
    pub const RANKS: u8 = 10;

    /// Creates a square of the board from its file (0 = a) and rank (0 = red's back rank).
    #[inline]
    pub const fn new(file: u8, rank: u8) -> Square {
        debug_assert!(file < 9 && rank < 10);
        Square(file + 3 + 16 * (12 - rank))
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

    /// True for the 90 squares of the board.
    #[inline]
    pub const fn on_board(self) -> bool {
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
    pub const fn offset(self, delta: i32) -> Square {
        Square((self.0 as i32).wrapping_add(delta) as u8)
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

    /// Parses `a0` to `i9`, with letters of either case.
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
