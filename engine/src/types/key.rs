//! The hash key of a position.

/// A 64-bit Zobrist key; equal positions (board and side to move) have equal keys.
pub type Key = u64;
