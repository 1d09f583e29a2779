//! The two sides, red and black.

use super::{ParseNameError, excerpt};
use crate::{worded, words};
use std::ops::{Index, IndexMut, Not};
use std::str::FromStr;

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
