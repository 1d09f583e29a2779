//! All tests of the toolkit, linked as one program.

#[path = "analyse/main.rs"]
mod analyse;
#[path = "book/main.rs"]
mod book;
#[path = "composition/main.rs"]
mod composition;
#[path = "game/main.rs"]
mod game;
#[path = "record/main.rs"]
mod record;
