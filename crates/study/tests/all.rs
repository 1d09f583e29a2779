//! All tests of the crate, linked as one program.

#[path = "analyse/main.rs"]
mod analyse;
#[path = "book/main.rs"]
mod book;
#[path = "composition/main.rs"]
mod composition;
#[path = "explorer/main.rs"]
mod explorer;
#[path = "motifs/main.rs"]
mod motifs;
mod pictures;
#[path = "reasons/main.rs"]
mod reasons;
#[path = "repertoire/main.rs"]
mod repertoire;
#[path = "tactics/main.rs"]
mod tactics;
#[path = "train/main.rs"]
mod train;

mod support;

/// The tables of Chinese for what these tests read.
const CHINESE: &[&str] =
    &[include_str!("../../../languages/chinese/published.txt"), include_str!("../../../languages/chinese/study.txt")];
