//! The searcher through its public seam.

mod endings;
mod forbidden;
mod limits;
mod mate_rules;
mod mates;
mod options;
mod problems;
pub mod support;
mod tables;
