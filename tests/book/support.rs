//! Runs `chuhe book`; random books are those of the tests of chuhe-study.

#[path = "../../crates/study/tests/book/support.rs"]
mod books;

use crate::common::{Folder, refusal, success};
pub use books::{after, random_book};

/// The output of a successful `chuhe book` with these arguments.
pub fn report(folder: &Folder, words: &[&str]) -> String {
    success(&folder.chuhe(&[&["book"], words].concat()))
}

/// The error of a failed run: one line.
pub fn complaint(folder: &Folder, words: &[&str]) -> String {
    let told = refusal(&folder.chuhe(&[&["book"], words].concat()));
    assert!(told.starts_with("chuhe: ") && told.lines().count() == 1, "{told}");
    told
}
