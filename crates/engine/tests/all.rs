//! All tests of the engine but those that need a feature, as one program that is linked once.

#[path = "nnue/main.rs"]
mod nnue;
#[path = "search/main.rs"]
mod search;
#[path = "tablebase/main.rs"]
mod tablebase;
