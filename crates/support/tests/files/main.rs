//! Files: what is left after each step fails, what a kill leaves, and what is not opened.

#[cfg(debug_assertions)]
mod failures;
mod opening;
#[path = "../../../../tests/folder.rs"]
#[allow(dead_code, reason = "the tests of the program use all of it")]
mod support;
