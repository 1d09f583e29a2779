//! A vector of `i16` aligned to cache lines, so that no SIMD load of a feature row crosses a line.
//!
//! The only `unsafe` here casts a slice of lines to a slice of their numbers.
#![allow(unsafe_code)]

use std::fmt;
use std::ops::{Deref, DerefMut};

/// The numbers in a cache line.
pub const LANES: usize = 32;

/// The numbers of one cache line.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(C, align(64))]
struct AlignedLine([i16; LANES]);

/// A vector of whole cache lines; the rest of the last one is zero.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct AlignedVec(Vec<AlignedLine>);

impl fmt::Debug for AlignedVec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self[..].fmt(f)
    }
}

impl AlignedVec {
    /// Resizes to hold this many numbers; new ones are zero.
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
        // SAFETY: a line is exactly its numbers (64 bytes of size and alignment, which the test below checks), so
        // consecutive lines are `LANES` times as many consecutive numbers; the slice borrows `self`.
        unsafe { std::slice::from_raw_parts(self.0.as_ptr().cast(), self.0.len() * LANES) }
    }
}

impl DerefMut for AlignedVec {
    #[inline]
    fn deref_mut(&mut self) -> &mut [i16] {
        // SAFETY: as above, with exclusive access; every bit pattern is valid.
        unsafe { std::slice::from_raw_parts_mut(self.0.as_mut_ptr().cast(), self.0.len() * LANES) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn aligned_vec_keeps_order_and_fills_whole_lines() {
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
