//! All tests of the program except those that need a feature, in one binary that is linked once. `cargo test arena::`
//! runs those of a folder.

#[path = "analyse/main.rs"]
mod analyse;
#[path = "arena/main.rs"]
mod arena;
#[path = "book/main.rs"]
mod book;
#[path = "cli/main.rs"]
mod cli;
mod common;
#[path = "learn/main.rs"]
mod learn;
#[path = "play/main.rs"]
mod play;
#[path = "protocol/main.rs"]
mod protocol;
#[path = "review/main.rs"]
mod review;
#[path = "screen/main.rs"]
mod screen;
mod transcripts;
#[path = "web/main.rs"]
mod web;
