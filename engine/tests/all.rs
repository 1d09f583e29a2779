//! All tests of the engine but those that need a feature, as one program that is linked once.

#[path = "board/main.rs"]
mod board;
#[path = "files/main.rs"]
mod files;
#[path = "nnue/main.rs"]
mod nnue;
#[path = "rules/main.rs"]
mod rules;
#[path = "search/main.rs"]
mod search;
#[path = "tablebase/main.rs"]
mod tablebase;
