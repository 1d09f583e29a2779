//! All tests of the toolkit, as one program that is linked once.

#[path = "analyse/main.rs"]
mod analyse;
#[path = "book/main.rs"]
mod book;
#[path = "record/main.rs"]
mod record;
