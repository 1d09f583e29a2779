//! All tests but those that need a feature: one program, so that the engine is linked to them once. `cargo test board::` runs
//! those of a room.

#[path = "analyse/main.rs"]
mod analyse;
#[path = "arena/main.rs"]
mod arena;
#[path = "board/main.rs"]
mod board;
#[path = "book/main.rs"]
mod book;
mod common;
#[path = "eval/main.rs"]
mod eval;
#[path = "house/main.rs"]
mod house;
#[path = "learn/main.rs"]
mod learn;
#[path = "play/main.rs"]
mod play;
#[path = "protocol/main.rs"]
mod protocol;
#[path = "record/main.rs"]
mod record;
#[path = "review/main.rs"]
mod review;
#[path = "rules/main.rs"]
mod rules;
#[path = "screen/main.rs"]
mod screen;
#[path = "search/main.rs"]
mod search;
#[path = "tables/main.rs"]
mod tables;
#[path = "web/main.rs"]
mod web;
