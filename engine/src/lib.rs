//! The engine.
#![deny(unsafe_code)]

pub mod board;
pub mod files;
pub mod language;
pub mod nnue;
pub mod rules;
pub mod search;
pub mod tablebase;
pub mod types;
