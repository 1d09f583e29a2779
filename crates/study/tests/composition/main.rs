//! Tests of the checks of compositions.

mod brute_force;
mod checks;
