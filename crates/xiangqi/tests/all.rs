//! All tests of the crate, as one program that is linked once.

#[path = "board/main.rs"]
mod board;
#[path = "rules/main.rs"]
mod rules;
