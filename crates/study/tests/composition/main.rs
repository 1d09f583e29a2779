//! Tests of the checks of compositions.

mod brute_force;
mod checks;
#[path = "../../../engine/tests/search/support.rs"]
#[allow(dead_code, reason = "the tests of the search use all of it")]
mod support;
