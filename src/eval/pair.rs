//! Two values in one word: middlegame and endgame, added and scaled together.

use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// A middlegame value in the low half and an endgame value in the high half.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Pair(i32);

/// The phase of a position with all pieces on the board.
pub const FULL_PHASE: i32 = 48;

impl Pair {
    /// Nothing.
    pub const ZERO: Pair = Pair(0);

    /// These two values.
    pub const fn new(middlegame: i32, endgame: i32) -> Pair {
        Pair((endgame << 16).wrapping_add(middlegame))
    }

    /// The middlegame value.
    #[inline]
    pub const fn middlegame(self) -> i32 {
        self.0 as i16 as i32
    }

    /// The endgame value.
    #[inline]
    pub const fn endgame(self) -> i32 {
        (self.0.wrapping_add(0x8000) >> 16) as i16 as i32
    }

    /// The value at a phase, from 0 (bare endgame) to `FULL_PHASE`.
    #[inline]
    pub const fn blend(self, phase: i32) -> i32 {
        let phase = if phase > FULL_PHASE { FULL_PHASE } else { phase };
        (self.middlegame() * phase + self.endgame() * (FULL_PHASE - phase)) / FULL_PHASE
    }

    /// This many percent of both.
    #[inline]
    pub const fn percent(self, percent: i32) -> Pair {
        Pair::new(self.middlegame() * percent / 100, self.endgame() * percent / 100)
    }
}

impl Add for Pair {
    type Output = Pair;
    #[inline]
    fn add(self, other: Pair) -> Pair {
        Pair(self.0.wrapping_add(other.0))
    }
}

impl Sub for Pair {
    type Output = Pair;
    #[inline]
    fn sub(self, other: Pair) -> Pair {
        Pair(self.0.wrapping_sub(other.0))
    }
}

impl AddAssign for Pair {
    #[inline]
    fn add_assign(&mut self, other: Pair) {
        *self = *self + other;
    }
}

impl SubAssign for Pair {
    #[inline]
    fn sub_assign(&mut self, other: Pair) {
        *self = *self - other;
    }
}

impl Neg for Pair {
    type Output = Pair;
    #[inline]
    fn neg(self) -> Pair {
        Pair(self.0.wrapping_neg())
    }
}

impl Mul<i32> for Pair {
    type Output = Pair;
    #[inline]
    fn mul(self, count: i32) -> Pair {
        Pair(self.0.wrapping_mul(count))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_do_not_disturb_each_other() {
        for middlegame in [-3000, -1, 0, 1, 2999] {
            for endgame in [-2500, -1, 0, 1, 2600] {
                let pair = Pair::new(middlegame, endgame);
                assert_eq!((pair.middlegame(), pair.endgame()), (middlegame, endgame));
                let scaled = -(pair + pair * 3);
                assert_eq!((scaled.middlegame(), scaled.endgame()), (-4 * middlegame, -4 * endgame));
                assert_eq!(pair.blend(FULL_PHASE), middlegame);
                assert_eq!(pair.blend(0), endgame);
            }
        }
    }
}
