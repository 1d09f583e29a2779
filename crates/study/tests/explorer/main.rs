//! The index of games against a plain count, in any order of adding, after failures, and of files that change.

mod counting;
mod files;
pub mod games;
