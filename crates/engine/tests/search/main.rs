//! Tests of the search through its public interface.

mod decided;
mod endings;
mod forbidden;
mod limits;
mod mate_rules;
mod mates;
mod options;
mod problems;
mod prover;
pub mod support;
mod tables;
