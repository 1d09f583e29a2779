//! The searcher through its public seam.

mod limits;
mod mates;
#[cfg(feature = "tune")]
mod minimax;
mod robustness;
mod support;
mod symmetry;
