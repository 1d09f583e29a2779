//! Mates: found, and found exact.
