//! All tests of the engine but those that need a feature, as one program that is linked once.

#[path = "../../../tests/folder.rs"]
#[allow(dead_code, reason = "the tests of the program use all of it")]
mod folder;
#[path = "nnue/main.rs"]
mod nnue;
#[path = "search/main.rs"]
mod search;
#[path = "tablebase/main.rs"]
mod tablebase;
