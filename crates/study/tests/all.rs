//! All tests of the crate, linked as one program.

mod analyse;
mod book;
mod composition;
mod explorer;
mod motifs;
mod pictures;
mod reasons;
mod repertoire;
mod tactics;
#[path = "train/main.rs"]
mod train;

mod support;

/// The tables of Chinese for what these tests read.
const CHINESE: &[&str] =
    &[include_str!("../../../languages/chinese/published.txt"), include_str!("../../../languages/chinese/study.txt")];
