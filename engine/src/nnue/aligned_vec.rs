//! Whole numbers that begin where a cache line does: a row of the network is a whole number of lines, and no load of the
//! processor touches two of them.
//!
//! The only `unsafe` here looks at groups of numbers, which lie one after the other, as the numbers themselves.
#![allow(unsafe_code)]

use std::ops::{Deref, DerefMut};

/// So many numbers fill a line.
pub const LANES: usize = 32;

/// As many numbers as fill a line.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(C, align(64))]
struct AlignedLine([i16; LANES]);

/// Numbers, as many as fill whole lines: what is missing of the last one is noughts.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct AlignedVec(Vec<AlignedLine>);

impl AlignedVec {
    /// Makes room for so many, noughts at first.
    pub fn grow(&mut self, count: usize) {
        self.0.resize(count.div_ceil(LANES), AlignedLine([0; LANES]));
    }
}

impl From<&[i16]> for AlignedVec {
    fn from(numbers: &[i16]) -> AlignedVec {
        let mut lines = AlignedVec::default();
        lines.grow(numbers.len());
        lines[..numbers.len()].copy_from_slice(numbers);
        lines
    }
}

impl Deref for AlignedVec {
    type Target = [i16];
    #[inline]
    fn deref(&self) -> &[i16] {
        // SAFETY: a line is its numbers and nothing else (64 bytes of size and alignment, as the test below says), so
        // lines one after the other are `LANES` times as many numbers; they are borrowed as long as the lines.
        unsafe { std::slice::from_raw_parts(self.0.as_ptr().cast(), self.0.len() * LANES) }
    }
}

impl DerefMut for AlignedVec {
    #[inline]
    fn deref_mut(&mut self) -> &mut [i16] {
        // SAFETY: as above, and nobody else has them; any number may stand in a line.
        unsafe { std::slice::from_raw_parts_mut(self.0.as_mut_ptr().cast(), self.0.len() * LANES) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stay_in_order_and_fill_whole_lines() {
        assert_eq!((size_of::<AlignedLine>(), align_of::<AlignedLine>()), (2 * LANES, 64));
        let given: Vec<i16> = (1..=70).collect();
        let mut numbers = AlignedVec::from(&given[..]);
        assert_eq!((numbers.len(), &numbers[..70]), (96, &given[..]));
        assert!(numbers[70..].iter().all(|&rest| rest == 0) && numbers.as_ptr().addr().is_multiple_of(64));
        numbers[69] = 7;
        numbers.grow(200);
        assert_eq!((numbers.len(), numbers[69], numbers[199]), (224, 7, 0));
        assert!(AlignedVec::default().is_empty());
    }
}
