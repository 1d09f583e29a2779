//! Where the points of a board are in a picture.

mod comb;
mod hough;
mod lattice;
mod lines;
mod perspective;
mod points;

pub(crate) use comb::{Candidate, candidates, distinct};
pub(crate) use lattice::disc_candidates;
pub(crate) use perspective::Slanted;
pub(crate) use points::Grid;
