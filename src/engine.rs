//! The rooms of the engine itself, from `language` to `search`, in the order that `lib.rs` tells: a crate of their own. The
//! compiler makes one piece of them, in which it sees every loop whole, while the many rooms above are built in pieces at
//! the same time.
#![deny(unsafe_code)]

pub mod board;
pub mod eval;
pub mod files;
pub mod language;
pub mod rules;
pub mod search;
pub mod tables;
pub mod types;
